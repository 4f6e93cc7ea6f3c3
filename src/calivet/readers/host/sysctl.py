"""Kernel settings: `sysctl`, sysctl.d, /proc/sys files that a command names, diffs of them, kubeadm's preflight."""

from __future__ import annotations

from calivet.evidence.artifact import Artifact
from calivet.evidence.expressions import expression
from calivet.facts.host import Sysctl
from calivet.readers.command import asked, file_named, output_lines, paths
from calivet.readers.compared import MARK, Compared, compared
from calivet.readers.reader import Reader, Reading
from calivet.readers.subject import FRONT, SPEAKER, Subjects, subjects

_ROOTS = r"(?:net|kernel|vm|fs|user|dev|abi|debug|crypto|sunrpc)"
_KEY = rf"{_ROOTS}(?:[./][\w@*:-]+)+"
# One word or several numbers; an error message is neither.
_ONE_VALUE = r"(?:-?\d+(?:\s+-?\d+)*|[\w.+-]+)"
_LINE = expression(rf"^\s*{SPEAKER}-?(?P<key>{_KEY})\s*=\s*(?P<value>[^=]*?)\s*$")
_PROC_LINE = expression(rf"^\s*{SPEAKER}/proc/sys/(?P<key>[^:\s]+):\s*(?P<value>{_ONE_VALUE})\s*$")
_VALUES_ONLY = expression(rf"\bsysctl\s+(?:-\w*n\w*|--values)\s+(?P<keys>{_KEY}(?:\s+{_KEY})*)")
_NOT_SET = expression(r"/proc/sys/(?P<key>[\w./-]+) contents are not set to 1")
_PROGRAM = expression(r"\bsysctl\s")
_FILE = expression(r"(?:^|/)sysctl\.(?:d/|conf)")
_DIFF = expression(r"diff\b")
_VALUE = expression(rf"^{_ONE_VALUE}$")


def read(artifact: Artifact, anchors: list[int]) -> Reading:
    """Lines `key = value` wherever they stand; bare values only where the command says of which keys."""
    reading = Reading()
    # Long logs have lines that might be bare values; only marks are worth a look at all of them.
    marked = _DIFF.search(artifact.command or "") or any(artifact.lines[index][0] in "<>+-" for index in anchors)
    if marked and (two := compared(artifact)):
        _read_difference(artifact, anchors, two, reading)
        return reading
    machines = subjects(artifact)
    file = _file(artifact)
    for index in anchors:
        line = artifact.lines[index]
        if found := _LINE.match(line) or _PROC_LINE.match(line):
            host = machines.at(index, found["speaker"])
            key = found["key"].replace("/", ".")
            reading.facts.append(Sysctl(at=artifact.at(index), host=host, key=key, value=found["value"], file=file))
            reading.claim(index, index + 1)
        elif found := _NOT_SET.search(line):
            key = found["key"].replace("/", ".")
            reading.facts.append(Sysctl(at=artifact.at(index), host=machines.at(index), key=key, value="0"))
            reading.claim(index, index + 1)
    _read_bare_values(artifact, machines, reading)
    return reading


def _file(artifact: Artifact) -> str | None:
    """The file whose lines these are; None where `sysctl` itself prints what the kernel has now."""
    if artifact.command is None:
        return artifact.name if _FILE.search(artifact.name) else None
    return None if asked(artifact, _PROGRAM) else file_named(artifact, "sysctl")


def _read_difference(artifact: Artifact, anchors: list[int], two: Compared, reading: Reading) -> None:
    """The values of each machine; of files that are not named after machines nobody knows whose they are."""
    file = next(filter(_FILE.search, (artifact.command or "").split()), None)
    for index in anchors:
        for host, text in two.halves(artifact.lines[index]):
            if found := _LINE.match(text) or _PROC_LINE.match(text):
                key = found["key"].replace("/", ".")
                fact = Sysctl(at=artifact.at(index), host=host, key=key, value=found["value"], file=file)
                reading.facts.append(fact)
                reading.claim(index, index + 1)


def _read_bare_values(artifact: Artifact, machines: Subjects, reading: Reading) -> None:
    keys = [
        path.removeprefix("/proc/sys/").replace("/", ".") for path in paths(artifact) if path.startswith("/proc/sys/")
    ]
    if question := asked(artifact, _VALUES_ONLY):
        keys += question["keys"].split()
    values = [(index, text) for index, text in output_lines(artifact) if index not in reading.claimed]
    # Only where every key has its line: an error or a wildcard in between would shift values to wrong keys.
    if not keys or len(keys) != len(values) or any("*" in key for key in keys):
        return
    for key, (index, text) in zip(keys, values, strict=True):
        if _VALUE.match(text):
            reading.facts.append(Sysctl(at=artifact.at(index), host=machines.at(index), key=key, value=text))
            reading.claim(index, index + 1)


READER = Reader(
    kind="sysctl",
    anchor=expression(
        rf"^{FRONT}(?:{MARK}{_ROOTS}[./][\w@*:./-]+\s*=|{MARK}/proc/sys/|\[ERROR FileContent|{_ONE_VALUE}\s*$)"
    ),
    read=read,
)

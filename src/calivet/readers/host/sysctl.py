"""Kernel settings: `sysctl`, sysctl.d, /proc/sys, diffs and columns of several machines, kubeadm's preflight."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from calivet.evidence.artifact import Artifact
from calivet.facts.fact import Fact
from calivet.facts.host import Sysctl
from calivet.readers.command import find_file, find_paths, list_output_lines, search_command
from calivet.readers.reader import Reader, Reading, read_statements
from calivet.readers.subject import FRONT, SPEAKER, Subjects, find_subjects, parse_machine_name
from calivet.search.expressions import expression

_COLUMN_ROOTS = r"(?:net|kernel|vm|fs)"
_ROW = expression(
    rf"^[\s|]{{0,8}}`?(?P<key>{_COLUMN_ROOTS}[./][\w./-]{{1,120}}?)`?[\s|]+(?P<values>-?\d+(?:[\s|]+-?\d+){{1,7}})[\s|]*$"
)
_PAIR = expression(
    rf"^\s{{0,8}}(?P<key>{_COLUMN_ROOTS}[./][\w./-]{{1,120}}) ?= ?(?P<left>-?\d+)[\s|]{{1,80}}"
    rf"(?P<same>{_COLUMN_ROOTS}[./][\w./-]{{1,120}}) ?= ?(?P<right>-?\d+)\s*$"
)
_CELL = expression(r"\s*\|\s*|\s{2,}|\t")
_COLUMN_VALUE = expression(r"-?\d+")
_RULE = expression(r"^[\s|:+=-]*$")
# A state that worked, or once was: not how things are.
_PAST = expression(
    r"\b(?:old|before|good|ok|healthy|working|works|previous\w*|default|expected|was)\b|旧|老|之前|正常|原|默认|好的",
    re.IGNORECASE,
)
_PRESENT = expression(
    r"\b(?:new|now|after|bad|broken|sick|failing|fails|current|actual)\b|新|之后|异常|现在|当前|故障|坏", re.IGNORECASE
)
HEAD_WITHIN = 12
"""Lines above a row in which the head of its table stands."""


def read_columns(artifact: Artifact, anchors: list[int]) -> Iterator[Fact]:
    """A fact for each value whose column is that of a machine, or of how things are now."""
    for index in anchors:
        row = _ROW.match(artifact.lines[index])
        pair = None if row else _PAIR.match(artifact.lines[index])
        if row:
            key, values = row["key"], _COLUMN_VALUE.findall(row["values"])
        elif pair and pair["key"] == pair["same"]:
            key, values = pair["key"], [pair["left"], pair["right"]]
        else:
            continue
        heads = _find_column_heads(artifact, index, len(values))
        for head, value in zip(heads, values, strict=False):
            host = _name_machine(head)
            if host or _PRESENT.search(head):
                yield Sysctl(at=artifact.at(index), host=host, key=key.replace("/", "."), value=value)


def _find_column_heads(artifact: Artifact, index: int, count: int) -> list[str]:
    """The cells of the nearest line above that is no row and has a cell for each value, last ones first to fit."""
    for above in range(index - 1, max(-1, index - 1 - HEAD_WITHIN), -1):
        text = artifact.lines[above]
        if not text.strip() or _RULE.match(text) or _ROW.match(text) or _PAIR.match(text):
            continue
        cells = [cell for cell in _CELL.split(text.strip().strip("|").strip()) if cell]
        return cells[-count:] if len(cells) in (count, count + 1) else []
    return []


def _name_machine(head: str) -> str | None:
    """The machine that a head names; what tells old from new is no machine's name."""
    if _PAST.search(head) or _PRESENT.search(head) or " " in head.strip():
        return None
    return parse_machine_name(head.strip("`* "))


COLUMNS_READER = read_statements(
    read_columns,
    anchor=expression(
        rf"^[\s|]{{0,8}}`?{_COLUMN_ROOTS}[./][\w./-]{{1,120}}`?(?:[\s|]+-?\d|\s?=\s?-?\d+[\s|]{{1,80}}{_COLUMN_ROOTS}[./])"
    ),
    notes=True,
)


# `diff` of what two machines print: which machine each half of a line is about.
MARK = r"(?:[-+]|[<>] {1,3})?"
"""What a diff puts before a line; for anchors."""

_COMPARING_PROGRAM = expression(r"(?:^|[\s;&|(])(?P<program>diff|sdiff|colordiff|icdiff|vimdiff)\s+(?P<rest>.+)")
_SIDE_BY_SIDE = expression(r"(?:^|\s)(?:-\w*y|--side-by-side)\b")
_UNIFIED = expression(r"(?:^|\s)(?:-\w*[uU]\d*|--unified\S*)(?=\s)")
_HUNK = expression(r"^@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@")
_CHANGE = expression(r"^\d+(?:,\d+)?[acd]\d+(?:,\d+)?\s*$")
_HEADS = (expression(r"^--- (?P<file>\S+)"), expression(r"^\+\+\+ (?P<file>\S+)"))
_HALVES = expression(r"^(?P<left>.*?)\s+(?P<mark>[|<>])(?:\s+(?P<right>\S.*))?$")

# The words of a command line: a shell in brackets is one word.
_WORD = expression(r"<\((?P<shell>[^()]*(?:\([^()]*\)[^()]*)*)\)|(?P<end>[|;&>])|(?P<word>[^\s|;&<>]+)")
_REMOTE = expression(r"\bssh\s+(?:-\S+\s+)*(?:[^\s@]+@)?(?P<host>[\w.-]+)\s")
_AROUND_NAME = expression(
    r"^(?:sysctls?|kernel|params?|settings?|conf|config)[-_.]+"
    r"|[-_.]+(?:sysctls?|kernel|params?|settings?|conf|config|all|a|txt|log|out|lst|list|sorted|s)$"
)
# What is told apart so are states of one machine, or nobody knows of which.
_NO_NAME = expression(
    r"(?:^|[-_.])(?:old|new|good|bad|before|after|healthy|sick|broken|working|ok|nok|orig|prev\w*|current|backup|bak|today|"
    r"yesterday|default|expected|actual|left|right|first|second|one|two|\d{4}-\d\d.*)(?:$|[-_.])",
    re.IGNORECASE,
)


class Comparison(Struct, frozen=True):
    """The two machines of a diff, where its command or head names them, and how it is laid out."""

    machines: tuple[str | None, str | None]
    unified: bool = False
    side_by_side: bool = False

    def split_line(self, line: str) -> Iterator[tuple[str, str]]:
        """What a line says of which machine; nothing where the machine is not known."""
        return (
            (machine, text) for machine, text in zip(self.machines, self._cut(line), strict=True) if machine and text
        )

    def _cut(self, line: str) -> tuple[str, str]:
        """The text of the left machine and of the right one."""
        mark, text = line[:1], line[1:].strip()
        if self.side_by_side:
            found = _HALVES.match(line)
            return (found["left"], found["right"] or "") if found else ("", "")
        if self.unified:
            return (text if mark in "- " else "", text if mark in "+ " else "")
        return (text if mark == "<" else "", text if mark == ">" else "")


def find_comparison(artifact: Artifact) -> Comparison | None:
    """Whose lines these are; None where they are no diff."""
    program = _COMPARING_PROGRAM.search(artifact.command or "")
    unified = any(map(_HUNK.match, artifact.lines)) or bool(program and _UNIFIED.search(program["rest"]))
    if not program and not unified and not any(map(_CHANGE.match, artifact.lines)):
        return None
    rest = program["rest"] if program else ""
    side_by_side = bool(program and (program["program"] in ("sdiff", "icdiff") or _SIDE_BY_SIDE.search(f" {rest}")))
    files = _parse_arguments(rest) or _find_heads(artifact)
    return Comparison(_find_machines(*files) if files else (None, None), unified, side_by_side)


def _parse_arguments(rest: str) -> tuple[str, str] | None:
    """The two things that are compared: files, or what two shells print."""
    words: list[str] = []
    for found in _WORD.finditer(rest):
        if found["end"]:
            break
        if found["shell"] or not found["word"].startswith("-"):
            words.append(_find_source(found["shell"]) if found["shell"] else found["word"])
    return (words[0], words[1]) if len(words) == len(_HEADS) else None


def _find_source(shell: str) -> str:
    """The machine that a shell asks, or the file that it reads."""
    remote = _REMOTE.search(shell)
    return remote["host"] if remote else next(reversed(shell.split("|", maxsplit=1)[0].split()), "")


def _find_heads(artifact: Artifact) -> tuple[str, str] | None:
    found = [next((head["file"] for text in artifact.lines if (head := shape.match(text))), "") for shape in _HEADS]
    return (found[0], found[1]) if all(found) else None


def _find_machines(left: str, right: str) -> tuple[str | None, str | None]:
    """The machines that two paths are named after: the last of their parts that differ."""
    pairs = zip(reversed(left.strip("'\"").split("/")), reversed(right.strip("'\"").split("/")), strict=False)
    one, other = next(((a, b) for a, b in pairs if a != b), ("", ""))
    names = _name(one), _name(other)
    # Where one of them is no machine's name, the other will hardly be one either.
    return names if all(names) else (None, None)


def _name(part: str) -> str | None:
    while (bare := _AROUND_NAME.sub("", part)) != part:
        part = bare
    return parse_machine_name(part) if not _NO_NAME.search(part) else None


_ROOTS = r"(?:net|kernel|vm|fs|user|dev|abi|debug|crypto|sunrpc)"
_KEY = rf"{_ROOTS}(?:[./][\w@*:-]+)+"
# One word or several numbers; an error message is neither.
_ONE_VALUE = r"(?:-?\d+(?:\s+-?\d+)*|[\w.+-]+)"
_LINE = expression(rf"^\s*{SPEAKER}-?(?P<key>{_KEY})\s*=\s*(?P<value>[^=]*?)\s*$")
_PROC_LINE = expression(rf"^\s*{SPEAKER}/proc/sys/(?P<key>[^:\s]+):\s*(?P<value>{_ONE_VALUE})\s*$")
_VALUES_ONLY = expression(rf"\bsysctl\s+(?:-\w*n\w*|--values)\s+(?P<keys>{_KEY}(?:\s+{_KEY})*)")
_NOT_SET = expression(r"/proc/sys/(?P<key>[\w./-]{1,200}) contents are not set to 1")
_SYSCTL_PROGRAM = expression(r"\bsysctl\s")
_FILE = expression(r"(?:^|/)sysctl\.(?:d/|conf)")
_DIFF = expression(r"diff\b")
_VALUE = expression(rf"^{_ONE_VALUE}$")


def read(artifact: Artifact, anchors: list[int]) -> Reading:
    """Lines `key = value` wherever they stand; bare values only where the command says of which keys."""
    reading = Reading()
    # Long logs have lines that might be bare values; only marks are worth a look at all of them.
    marked = _DIFF.search(artifact.command or "") or any(artifact.lines[index][0] in "<>+-" for index in anchors)
    if marked and (two := find_comparison(artifact)):
        _read_difference(artifact, anchors, two, reading)
        return reading
    machines = find_subjects(artifact)
    file = _find_file(artifact)
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


def _find_file(artifact: Artifact) -> str | None:
    """The file whose lines these are; None where `sysctl` itself prints what the kernel has now."""
    if artifact.command is None:
        return artifact.name if _FILE.search(artifact.name) else None
    return None if search_command(artifact, _SYSCTL_PROGRAM) else find_file(artifact, "sysctl")


def _read_difference(artifact: Artifact, anchors: list[int], two: Comparison, reading: Reading) -> None:
    """The values of each machine; of files that are not named after machines nobody knows whose they are."""
    file = next(filter(_FILE.search, (artifact.command or "").split()), None)
    for index in anchors:
        for host, text in two.split_line(artifact.lines[index]):
            if found := _LINE.match(text) or _PROC_LINE.match(text):
                key = found["key"].replace("/", ".")
                fact = Sysctl(at=artifact.at(index), host=host, key=key, value=found["value"], file=file)
                reading.facts.append(fact)
                reading.claim(index, index + 1)


def _read_bare_values(artifact: Artifact, machines: Subjects, reading: Reading) -> None:
    keys = [
        path.removeprefix("/proc/sys/").replace("/", ".")
        for path in find_paths(artifact)
        if path.startswith("/proc/sys/")
    ]
    if question := search_command(artifact, _VALUES_ONLY):
        keys += question["keys"].split()
    values = [(index, text) for index, text in list_output_lines(artifact) if index not in reading.claimed]
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

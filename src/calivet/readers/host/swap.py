"""Swap: /proc/swaps, `swapon`, `lsblk`, the Swap row of `free`, and the complaints of kubelet and kubeadm about it."""

from __future__ import annotations

from calivet.evidence.artifact import Artifact
from calivet.evidence.expressions import expression
from calivet.facts.host import Swap
from calivet.readers.command import asked, output_lines
from calivet.readers.host.journal_head import host_of
from calivet.readers.host.memory import free_rows
from calivet.readers.host.sizes import kibibytes
from calivet.readers.reader import Reader, Reading
from calivet.readers.subject import FRONT, SHARED, SPEAKER, Subjects, subjects

UNNAMED = "swap"
"""The device's name where swap is known to be on and nothing says which area."""

_AREA = r"(?P<device>/[^\s\]]+)\s+(?P<kind>partition|file)\s+(?P<size>\d+(?:\.\d+)?[KMGT]?i?B?)\s+\d"
_ROW = expression(rf"^\s*{SPEAKER}{_AREA}")
_HEADER = expression(r"^\s*(?:Filename\s+Type\s+Size|NAME\s+TYPE\s+SIZE\s+USED\s+PRIO)")
_COMPLAINT = expression(
    r"running with swap on is not supported|\]: swap is (?:enabled; production|supported for cgroup v2 only)"
)
_QUOTED = expression(_AREA)
_BLOCK_DEVICE = expression(r"^[\s│├└─`|-]*(?P<device>\w[\w-]*)\s+(?:\S+\s+){1,5}\[SWAP\]\s*$")
# Without a pipe behind it, nothing printed means nothing on.
_LISTING = expression(r"^(?:sudo\s+)?(?:swapon\s+(?:-s|--show|--summary)|cat\s+/proc/swaps)\s*$")


def read(artifact: Artifact, anchors: list[int]) -> Reading:
    """Areas first; that none is on is said only where a whole listing is empty or `free` counts zero."""
    reading = Reading()
    machines = subjects(artifact)
    seen: set[tuple[str | None, str | None]] = set()

    def note(index: int, host: str | None, device: str | None, size: float | None = None) -> None:
        reading.claim(index, index + 1)
        if (host, device) not in seen:
            seen.add((host, device))
            rounded = None if size is None else int(size)
            reading.facts.append(Swap(at=artifact.at(index), host=host, device=device, size=rounded))

    for index in anchors:
        line = artifact.lines[index]
        if _COMPLAINT.search(line):
            area = _QUOTED.search(line.replace("\\t", " "))
            host = host_of(line) or machines.at(index)
            note(index, host, *((area["device"], kibibytes(area["size"])) if area else (UNNAMED, None)))
        elif area := _ROW.match(line):
            note(index, machines.at(index, area["speaker"]), area["device"], kibibytes(area["size"]))
        elif area := _BLOCK_DEVICE.match(line):
            note(index, machines.at(index), f"/dev/{area['device']}")
        elif _HEADER.match(line) and _nothing_follows(artifact, index):
            note(index, machines.at(index), None)
    for row in free_rows(artifact, anchors):
        if row.name == "Swap":
            host = machines.at(row.index, row.speaker)
            note(row.index, host, UNNAMED if row.total else None, row.total or None)
    _read_silence(artifact, machines, reading)
    return reading


def _nothing_follows(artifact: Artifact, header: int) -> bool:
    below = artifact.lines[header + 1 : header + 2]
    filtered = "|" in (artifact.command or "")
    return not filtered and (not below or _ROW.match(below[0]) is None)


def _read_silence(artifact: Artifact, machines: Subjects, reading: Reading) -> None:
    if asked(artifact, _LISTING) and next(output_lines(artifact), None) is None:
        reading.facts.append(Swap(at=artifact.at(0), host=machines.at(0), device=None))
        reading.claim(0, 1)


READER = Reader(
    kind="swap",
    anchor=expression(
        rf"^(?:{FRONT}(?:/\S+\s+(?:partition|file)\s|Filename\s+Type|NAME\s+TYPE\s+SIZE\s+USED\s+PRIO)"
        rf"|{FRONT}(?:(?:[KMG]iB )?(?:Swap|交换)\s*[:：]\s*\d|SwapTotal:)"
        rf"|{SHARED}|.*running with swap on|.*\]: swap is|.*\[SWAP\]|.*swapon\s+-|.*cat\s+/proc/swaps)"
    ),
    read=read,
)

"""Memory: `free` in all its units and layouts, the head of `top`, /proc/meminfo."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from calivet.evidence.artifact import Artifact
from calivet.evidence.expressions import expression
from calivet.facts.host import Memory
from calivet.readers.command import asked
from calivet.readers.host.sizes import kibibytes
from calivet.readers.reader import Reader, Reading
from calivet.readers.subject import FRONT, SPEAKER, subjects

_CELL = r"\d+(?:[.,]\d+)?(?:[KMGTP]i?)?B?"
_ROW = expression(
    rf"^\s*{SPEAKER}(?:(?P<memory>Mem|内存)|(?P<swap>Swap|交换)|-/\+ buffers/cache)\s*[:：]\s+"
    rf"(?P<cells>{_CELL}(?:\s+{_CELL})+)\s*$"
)
_TOP_ROW = expression(r"^\s*([KMG])iB (Mem|Swap)\s*:\s*([\d.]+)\s*total")
_TOP_AVAILABLE = expression(r"([\d.]+)\s*avail Mem")
_MEMINFO = expression(rf"^\s*{SPEAKER}(MemTotal|MemAvailable|SwapTotal):\s+(\d+) kB\s*$")
_FLAG = expression(r"\bfree\s+(?:\S+\s+)*?-(?:-(mega|giga|kilo|mebi|gibi|kibi|bytes)|\w*?([bkmg])\b)")
_HEADER_REACH = 2


class FreeRow(Struct):
    """A row of `free` or `top`; sizes in KiB."""

    index: int
    speaker: str | None
    name: str
    """Mem, Swap, or Cache for the old layout's row without buffers and cache."""
    total: float
    available: float | None = None


def read(artifact: Artifact, anchors: list[int]) -> Reading:
    """One fact for each machine's block of rows."""
    reading = Reading()
    machines = subjects(artifact)
    blocks: dict[str | None, dict[str, FreeRow]] = {}
    for row in free_rows(artifact, anchors):
        reading.claim(row.index, row.index + 1)
        host = machines.at(row.index, row.speaker)
        if row.name == "Mem" and "Mem" in blocks.get(host, {}):
            _conclude(artifact, host, blocks.pop(host), reading)
        blocks.setdefault(host, {})[row.name] = row
    for host, rows in blocks.items():
        _conclude(artifact, host, rows, reading)
    return reading


def free_rows(artifact: Artifact, anchors: list[int]) -> Iterator[FreeRow]:
    """The rows of `free`, `top` and /proc/meminfo among these lines."""
    for index in anchors:
        line = artifact.lines[index]
        if found := _ROW.match(line):
            yield from _free_row(artifact, index, found)
        elif found := _TOP_ROW.match(line):
            total, available = kibibytes(found[3], found[1]), _TOP_AVAILABLE.search(line)
            if total is not None:
                free = kibibytes(available[1].rstrip("."), found[1]) if available else None
                yield FreeRow(index, None, found[2], total, free)
        elif found := _MEMINFO.match(line):
            size = float(found[3])
            name = {"MemTotal": "Mem", "SwapTotal": "Swap"}.get(found[2], "Cache")
            yield FreeRow(index, found["speaker"], name, size, size if name == "Cache" else None)


def _free_row(artifact: Artifact, index: int, found: re.Match[str]) -> Iterator[FreeRow]:
    cells = found["cells"].split()
    unit = _unit(artifact, cells[0])
    total = kibibytes(cells[0], unit)
    name = "Mem" if found["memory"] else "Swap" if found["swap"] else "Cache"
    available = None
    if name == "Cache":
        available = kibibytes(cells[1], unit)
    elif name == "Mem" and len(cells) == 6 and _has_available(artifact, index):
        available = kibibytes(cells[5], unit)
    if total is not None:
        yield FreeRow(index, found["speaker"], name, total, available)


def _has_available(artifact: Artifact, index: int) -> bool:
    """The old layout also has six columns, but ends with `cached`."""
    above = artifact.lines[max(0, index - _HEADER_REACH) : index]
    return any("available" in line or "可用" in line for line in above)


def _unit(artifact: Artifact, total: str) -> str:
    """From the command; without one, from what is likely: a node has between 1 GiB and 1 TiB."""
    if flag := asked(artifact, _FLAG):
        return (flag[1] or flag[2])[0].upper()
    if "free" in (artifact.command or "") or not total.isdigit():
        return "K"
    return "K" if int(total) >= 1_000_000 else "M" if int(total) >= 512 else "G"


def _conclude(artifact: Artifact, host: str | None, rows: dict[str, FreeRow], reading: Reading) -> None:
    memory = rows.get("Mem")
    if memory is None:
        return
    swap, available = rows.get("Swap"), memory.available
    for other in ("Cache", "Swap"):
        if available is None and other in rows:
            available = rows[other].available
    reading.facts.append(
        Memory(
            at=artifact.at(memory.index),
            host=host,
            total=memory.total / 1024,
            available=None if available is None else available / 1024,
            swap_total=None if swap is None else swap.total / 1024,
        )
    )


READER = Reader(
    kind="memory",
    anchor=expression(
        rf"^{FRONT}(?:(?:[KMG]iB )?(?:Mem|Swap|内存|交换|-/\+ buffers/cache)\s*[:：]\s*\d"
        r"|(?:MemTotal|MemAvailable|SwapTotal):)"
    ),
    read=read,
)

"""Memory and swap: `free`, the head of `top`, /proc/meminfo and /proc/swaps, `swapon`, and the limits of cgroups."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct, field

from calivet.evidence.artifact import Artifact
from calivet.facts.fact import Fact
from calivet.facts.host import Memory, Swap, convert_to_kibibytes
from calivet.facts.roles import find_role_of_name
from calivet.facts.runtime import CgroupKills, CgroupMemory
from calivet.readers.command import list_output_lines, look_inside, search_command
from calivet.readers.reader import Reader, Reading, read_statements
from calivet.readers.subject import FRONT, SHARED, SPEAKER, Subjects, find_journal_host, find_subjects
from calivet.search.expressions import expression

# Of the first version and of the second.
_LIMITS = ("memory.limit_in_bytes", "memory.max")
_PEAKS = ("memory.max_usage_in_bytes", "memory.peak", "memory.usage_in_bytes", "memory.current")
_FILE = expression(r"\bmemory\.(?:[a-z_]+in_bytes|failcnt|max|peak|current)\b")
# As `grep .` and `head` over several files print it, and a bare number where the command names the file.
_NAMED = expression(r"(?:^|/)(?P<file>memory\.[a-z_.]+):\s*(?P<value>\d+)\s*$")
_NUMBER = expression(r"\d+")
_KILLS = expression(r"(?:^|[\s:\"])oom(?:_group)?_kill\"?[ =:\t]{1,4}(?P<kills>[1-9]\d*)\b")
_OF_CALICO = expression(r"\b(?:calico-node|calico-felix|canal|calico-typha|felix|bird6?)\b")
_PARTS = ("calico-node", "typha", "kube-controllers")
# A few files are shown at a time; a longer text is a log.
_SHORT = 200


class _Cgroup(Struct):
    """What was shown of one memory cgroup: values by file, with the lines that hold them."""

    host: str | None
    values: dict[str, tuple[int, int]] = field(default_factory=dict)


def _read(artifact: Artifact, _: list[int]) -> Iterator[Fact]:
    if artifact.length > _SHORT:
        return
    own = _is_own(artifact)
    if own:
        yield from _find_kills(artifact)
    for cgroup in _find_cgroups(artifact):
        limit = next((cgroup.values[file][0] for file in _LIMITS if file in cgroup.values), 0)
        peaks = [cgroup.values[file] for file in _PEAKS if file in cgroup.values]
        if limit and peaks:
            peak, index = max(peaks)
            yield CgroupMemory(at=artifact.at(index), host=cgroup.host, limit=limit, peak=peak, calico=own)


def _find_kills(artifact: Artifact) -> Iterator[CgroupKills]:
    machines, pod = find_subjects(artifact), look_inside(artifact).pod
    for index, text in enumerate(artifact.lines):
        if found := _KILLS.search(text):
            yield CgroupKills(at=artifact.at(index), host=machines.at(index), pod=pod, kills=int(found["kills"]))


def _is_own(artifact: Artifact) -> bool:
    """A look into Calico's own container, or at the cgroup of one of its processes."""
    place = look_inside(artifact)
    if place.pod:
        return find_role_of_name(place.pod) in _PARTS
    return bool(_OF_CALICO.search(artifact.command or ""))


def _find_cgroups(artifact: Artifact) -> Iterator[_Cgroup]:
    """One for each time that the same files are shown anew."""
    machines = find_subjects(artifact)
    cgroup = None
    for index, file, value in _find_values(artifact):
        if cgroup is None or file in cgroup.values:
            if cgroup:
                yield cgroup
            cgroup = _Cgroup(machines.at(index))
        cgroup.values[file] = value, index
    if cgroup:
        yield cgroup


def _find_values(artifact: Artifact) -> Iterator[tuple[int, str, int]]:
    named = [(index, found) for index, text in enumerate(artifact.lines) if (found := _NAMED.search(text))]
    if named:
        yield from ((index, found["file"], int(found["value"])) for index, found in named)
        return
    files = _FILE.findall(artifact.command or "")
    bare = [(index, int(text)) for index, text in list_output_lines(artifact) if _NUMBER.fullmatch(text)]
    # Only where every file has its number: an unlimited one prints a word, and would shift the others.
    if len(files) == len(bare):
        yield from ((index, file, value) for file, (index, value) in zip(files, bare, strict=True))


READER = read_statements(_read, anchor=expression(r"memory\."), command=expression(r"memory\."))


_CELL = r"\d+(?:[.,]\d+)?(?:[KMGTP]i?)?B?"
_FREE_ROW = expression(
    rf"^\s*{SPEAKER}(?:(?P<memory>Mem|内存)|(?P<swap>Swap|交换)|-/\+ buffers/cache)\s*[:：]\s+"
    rf"(?P<cells>{_CELL}(?:\s+{_CELL})+)\s*$"
)
_TOP_ROW = expression(r"^\s*([KMG])iB (Mem|Swap)\s*:\s*([\d.]+)\s*total")
_TOP_AVAILABLE = expression(r"(?<![\d.])([\d.]+)\s*avail Mem")
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


def read_memory(artifact: Artifact, anchors: list[int]) -> Reading:
    """One fact for each machine's block of rows."""
    reading = Reading()
    machines = find_subjects(artifact)
    blocks: dict[str | None, dict[str, FreeRow]] = {}
    for row in find_free_rows(artifact, anchors):
        reading.claim(row.index, row.index + 1)
        host = machines.at(row.index, row.speaker)
        if row.name == "Mem" and "Mem" in blocks.get(host, {}):
            _add_memory(artifact, host, blocks.pop(host), reading)
        blocks.setdefault(host, {})[row.name] = row
    for host, rows in blocks.items():
        _add_memory(artifact, host, rows, reading)
    return reading


def find_free_rows(artifact: Artifact, anchors: list[int]) -> Iterator[FreeRow]:
    """The rows of `free`, `top` and /proc/meminfo among these lines."""
    for index in anchors:
        line = artifact.lines[index]
        if found := _FREE_ROW.match(line):
            yield from _parse_free_row(artifact, index, found)
        elif found := _TOP_ROW.match(line):
            total, available = convert_to_kibibytes(found[3], found[1]), _TOP_AVAILABLE.search(line)
            if total is not None:
                free = convert_to_kibibytes(available[1].rstrip("."), found[1]) if available else None
                yield FreeRow(index, None, found[2], total, free)
        elif found := _MEMINFO.match(line):
            size = float(found[3])
            name = {"MemTotal": "Mem", "SwapTotal": "Swap"}.get(found[2], "Cache")
            yield FreeRow(index, found["speaker"], name, size, size if name == "Cache" else None)


def _parse_free_row(artifact: Artifact, index: int, found: re.Match[str]) -> Iterator[FreeRow]:
    cells = found["cells"].split()
    unit = _find_unit(artifact, cells[0])
    total = convert_to_kibibytes(cells[0], unit)
    name = "Mem" if found["memory"] else "Swap" if found["swap"] else "Cache"
    available = None
    if name == "Cache":
        available = convert_to_kibibytes(cells[1], unit)
    elif name == "Mem" and len(cells) == 6 and _has_available(artifact, index):
        available = convert_to_kibibytes(cells[5], unit)
    if total is not None:
        yield FreeRow(index, found["speaker"], name, total, available)


def _has_available(artifact: Artifact, index: int) -> bool:
    """The old layout also has six columns, but ends with `cached`."""
    above = artifact.lines[max(0, index - _HEADER_REACH) : index]
    return any("available" in line or "可用" in line for line in above)


def _find_unit(artifact: Artifact, total: str) -> str:
    """From the command; without one, from what is likely: a node has between 1 GiB and 1 TiB."""
    if flag := search_command(artifact, _FLAG):
        return (flag[1] or flag[2])[0].upper()
    if "free" in (artifact.command or "") or not total.isdigit():
        return "K"
    return "K" if int(total) >= 1_000_000 else "M" if int(total) >= 512 else "G"


def _add_memory(artifact: Artifact, host: str | None, rows: dict[str, FreeRow], reading: Reading) -> None:
    memory = rows.get("Mem")
    if memory is None:
        return
    available = memory.available
    for other in ("Cache", "Swap"):
        if available is None and other in rows:
            available = rows[other].available
    reading.facts.append(
        Memory(
            at=artifact.at(memory.index),
            host=host,
            total=memory.total / 1024,
            available=None if available is None else available / 1024,
        )
    )


MEMORY_READER = Reader(
    kind="memory",
    anchor=expression(
        rf"^{FRONT}(?:(?:[KMG]iB )?(?:Mem|Swap|内存|交换|-/\+ buffers/cache)\s*[:：]\s*\d"
        r"|(?:MemTotal|MemAvailable|SwapTotal):)"
    ),
    read=read_memory,
)


# Swap: /proc/swaps, `swapon`, `lsblk`, the Swap row of `free`, and the complaints of kubelet and kubeadm about it.
UNNAMED = "swap"
"""The device's name where swap is known to be on and nothing says which area."""

_AREA = r"(?P<device>/[^\s\]]{1,255}+)\s+(?P<kind>partition|file)\s+(?P<size>\d+(?:\.\d+)?[KMGT]?i?B?)\s+\d"
_SWAP_ROW = expression(rf"^\s*{SPEAKER}{_AREA}")
_HEADER = expression(r"^\s*(?:Filename\s+Type\s+Size|NAME\s+TYPE\s+SIZE\s+USED\s+PRIO)")
_COMPLAINT = expression(
    r"running with swap on is not supported|\]: swap is (?:enabled; production|supported for cgroup v2 only)"
)
_QUOTED = expression(_AREA)
_BLOCK_DEVICE = expression(r"^[\s│├└─`|-]*(?P<device>\w[\w-]*)\s+(?:\S+\s+){1,5}\[SWAP\]\s*$")
# Without a pipe behind it, nothing printed means nothing on.
_LISTING = expression(r"^(?:sudo\s+)?(?:swapon\s+(?:-s|--show|--summary)|cat\s+/proc/swaps)\s*$")


def read_swap(artifact: Artifact, anchors: list[int]) -> Reading:
    """Areas first; that none is on is said only where a whole listing is empty or `free` counts zero."""
    reading = Reading()
    machines = find_subjects(artifact)
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
            host = find_journal_host(line) or machines.at(index)
            note(index, host, *((area["device"], convert_to_kibibytes(area["size"])) if area else (UNNAMED, None)))
        elif area := _SWAP_ROW.match(line):
            note(index, machines.at(index, area["speaker"]), area["device"], convert_to_kibibytes(area["size"]))
        elif area := _BLOCK_DEVICE.match(line):
            note(index, machines.at(index), f"/dev/{area['device']}")
        elif _HEADER.match(line) and _has_no_rows(artifact, index):
            note(index, machines.at(index), None)
    for row in find_free_rows(artifact, anchors):
        if row.name == "Swap":
            host = machines.at(row.index, row.speaker)
            note(row.index, host, UNNAMED if row.total else None, row.total or None)
    _read_silence(artifact, machines, reading)
    return reading


def _has_no_rows(artifact: Artifact, header: int) -> bool:
    below = artifact.lines[header + 1 : header + 2]
    filtered = "|" in (artifact.command or "")
    return not filtered and (not below or _SWAP_ROW.match(below[0]) is None)


def _read_silence(artifact: Artifact, machines: Subjects, reading: Reading) -> None:
    if search_command(artifact, _LISTING) and next(list_output_lines(artifact), None) is None:
        reading.facts.append(Swap(at=artifact.at(0), host=machines.at(0), device=None))
        reading.claim(0, 1)


SWAP_READER = Reader(
    kind="swap",
    anchor=expression(
        rf"^(?:{FRONT}(?:/\S+\s+(?:partition|file)\s|Filename\s+Type|NAME\s+TYPE\s+SIZE\s+USED\s+PRIO)"
        rf"|{FRONT}(?:(?:[KMG]iB )?(?:Swap|交换)\s*[:：]\s*\d|SwapTotal:)"
        rf"|{SHARED}|.*running with swap on|.*\]: swap is|.*\[SWAP\]|.*swapon\s+-|.*cat\s+/proc/swaps)"
    ),
    read=read_swap,
)

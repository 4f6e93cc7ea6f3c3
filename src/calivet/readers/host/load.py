"""The processor: what it can, how many there are, and how busy they are."""

from __future__ import annotations

import re
from collections.abc import Iterator

from calivet.evidence.artifact import Artifact
from calivet.facts.fact import Fact
from calivet.facts.host import Cpu, CpuBelowLevel, Load, Pressure
from calivet.facts.runtime import CalicoImage
from calivet.readers.command import find_file, list_output_lines, search_command
from calivet.readers.reader import Reader, Reading, read_statements
from calivet.readers.subject import FRONT, SPEAKER, Subjects, find_subjects
from calivet.search.expressions import expression

# What the CPU must have for x86-64-v2; the kernel calls SSE3 pni.
_SECOND_LEVEL = frozenset(("cx16", "lahf_lm", "pni", "popcnt", "sse4_1", "sse4_2", "ssse3"))
# The kernel always prints flags in the same order. What stands behind the last of these that is shown may only have
# been cut off; what should stand before it is missing.
_ORDER = (
    "pni ssse3 cx16 sse4_1 sse4_2 x2apic popcnt aes xsave avx hypervisor lahf_lm cmp_legacy svm cr8_legacy abm sse4a"
    " misalignsse 3dnowprefetch pti tpr_shadow vnmi vmmcall fsgsbase npt svm_lock nrip_save"
).split()
# Every list of an x86 CPU begins so, whatever the label before it is called in the language of the machine.
_FLAGS = expression(r"(?:^|[:：])\s*(?P<flags>fpu(?: +[a-z0-9_]+){8,})\s*$")
_MORE_FLAGS = expression(r"^\s*[a-z0-9_]+(?: +[a-z0-9_]+)*\s*$")
_MOST_WRAPS = 8
_FIRST_LEVEL = " lm "
# The dynamic loader lists what it would search; what this CPU can do is marked.
_LOADER_LIST = "glibc-hwcaps"
_UNSUPPORTED = expression(r"^\s*x86-64-v2\s*$")
_IMAGE = expression(
    r"\b(?:calico|tigera)/(?:node|cni|typha|kube-controllers|pod2daemon-flexvol|csi):(?P<version>v?\d[\w.-]*)"
)
# A list of capabilities is pasted with its command; a longer text is a log.
_SHORT = 600


def _read(artifact: Artifact, anchors: list[int]) -> Iterator[Fact]:
    if artifact.length > _SHORT:
        return
    machines = find_subjects(artifact)
    for index in anchors:
        text, line, host = artifact.lines[index], artifact.at(index), machines.at(index)
        flags = _FLAGS.search(text)
        missing = _find_missing(flags["flags"], artifact.lines[index + 1 : index + _MOST_WRAPS]) if flags else []
        if missing:
            yield CpuBelowLevel(at=line, host=host, missing=tuple(missing))
        if _UNSUPPORTED.match(text) and _is_of_loader(artifact):
            yield CpuBelowLevel(at=line, host=host)
        if image := _IMAGE.search(text):
            yield CalicoImage(at=line, host=host, version=image["version"])


def _is_of_loader(artifact: Artifact) -> bool:
    return "ld-linux" in (artifact.command or "") or any(_LOADER_LIST in line for line in artifact.lines)


def _find_missing(flags: str, below: list[str]) -> list[str]:
    """What of the second level the list leaves out, as far as it goes; a terminal may have wrapped it."""
    for line in below:
        if not _MORE_FLAGS.match(line):
            break
        flags += f" {line}"
    have = set(flags.split())
    shown = max((place for place, flag in enumerate(_ORDER) if flag in have), default=0)
    return sorted(_SECOND_LEVEL.intersection(_ORDER[:shown]) - have) if _FIRST_LEVEL in f"{flags} " else []


CPU_LEVEL_READER = read_statements(
    _read,
    anchor=expression(
        r"fpu vme|fpu  *[a-z]|^\s*x86-64-v2\s*$"
        r"|(?:calico|tigera)/(?:node|cni|typha|kube-controllers|pod2daemon-flexvol|csi):v?\d"
    ),
    notes=True,
)


# Some locales write 0,52 for 0.52.
_NUMBER = r"(\d+(?:[.,]\d{1,2})?)"
_AVERAGES = expression(rf"(?:load averages?|平均负载)\s*[:：]\s*{_NUMBER}(?:,?\s+{_NUMBER})?(?:,?\s+{_NUMBER})?")
_PROC_LOADAVG = expression(rf"^\s*{SPEAKER}(\d+\.\d\d) (\d+\.\d\d) (\d+\.\d\d) \d+/\d+ \d+\s*$")
_UPTIME_SPEAKER = expression(
    r"^\s*\[?(?P<speaker>[A-Za-z0-9][\w.-]*)\]?"
    r"(?:\s*(?::|\||->|=>)\s+(?:\d{1,2}:\d\d|up\s|load average)|\s+\d\d:\d\d(?::\d\d)? +up\s)"
)
_IDLE = expression(
    r"Cpu\(s\):.{0,300}?\d\s{0,9}%?\s{0,9}id\b|^\s*CPU:.{0,300}?\d% idle",
    re.IGNORECASE,
)
_LSCPU = expression(rf"^\s*{SPEAKER}CPU\(s\):\s+(\d+)\s*$")
_COUNTING = expression(r"\bnproc\b|\bgrep\s+-c\s+\S*processor\b")
_BARE_COUNT = expression(rf"^{SPEAKER}(\d{{1,4}})$")


def read_load(artifact: Artifact, anchors: list[int]) -> Reading:
    """Each line speaks for itself; only a bare number needs the command beside it."""
    reading = Reading()
    machines = find_subjects(artifact)
    for index in anchors:
        line = artifact.lines[index]
        fact = _load(artifact, index, line, machines) or _read_cpu(artifact, index, line, machines)
        if fact:
            reading.facts.append(fact)
        if fact or _IDLE.search(line):
            reading.claim(index, index + 1)
    _read_counts(artifact, machines, reading)
    return reading


def _load(artifact: Artifact, index: int, line: str, machines: Subjects) -> Fact | None:
    if found := _AVERAGES.search(line):
        speaker, numbers = _UPTIME_SPEAKER.search(line), found.groups()
    elif found := _PROC_LOADAVG.search(line):
        speaker, numbers = found, found.groups()[1:]
    else:
        return None
    one = _number(numbers[0])
    if one is None:
        return None
    host = machines.at(index, speaker["speaker"] if speaker else None)
    return Load(at=artifact.at(index), host=host, one=one)


def _read_cpu(artifact: Artifact, index: int, line: str, machines: Subjects) -> Fact | None:
    if found := _LSCPU.search(line):
        return Cpu(at=artifact.at(index), host=machines.at(index, found["speaker"]), count=int(found[2]))
    return None


def _read_counts(artifact: Artifact, machines: Subjects, reading: Reading) -> None:
    """The first bare number of each machine is what `nproc` printed."""
    if not search_command(artifact, _COUNTING):
        return
    seen: set[str | None] = set()
    for index, text in list_output_lines(artifact):
        found = _BARE_COUNT.match(text)
        host = machines.at(index, found["speaker"]) if found else None
        if found and host not in seen:
            seen.add(host)
            reading.facts.append(Cpu(at=artifact.at(index), host=host, count=int(found[2])))
            reading.claim(index, index + 1)


def _number(text: str | None) -> float | None:
    return float(text.replace(",", ".")) if text else None


LOAD_READER = Reader(
    kind="load",
    anchor=expression(
        rf"^(?:{FRONT}(?:\d+\.\d\d \d+\.\d\d \d+\.\d\d \d+/\d+ \d|%?Cpu\(s\):|CPU\(s\):|CPU: |\d{{1,4}}\s*$)"
        r"|.*load average|.*平均负载)"
    ),
    read=read_load,
)


# Pressure stall information: the files of /proc/pressure, one at a time or grepped together.
_PRESSURE = expression(
    r"^\s*(?:/proc/pressure/(?P<resource>cpu|memory|io):)?(?P<kind>some|full) avg10=[\d.]+"
    r" avg60=(?P<minute>\d{1,3}\.\d+) "
)


def read_pressure(artifact: Artifact, anchors: list[int]) -> Reading:
    """One fact for each resource, at the line for `some`; the line for `full` follows it, where the kernel has one."""
    reading = Reading()
    machines = find_subjects(artifact)
    named = (find_file(artifact, "/proc/pressure/") or "").rpartition("/")[2]
    for index in anchors:
        line = _PRESSURE.match(artifact.lines[index])
        resource = (line["resource"] or named) if line else ""
        if not line or not resource:
            continue
        reading.claim(index, index + 1)
        if line["kind"] == "some":
            below = _PRESSURE.match(artifact.lines[index + 1]) if index + 1 < len(artifact.lines) else None
            full = float(below["minute"]) if below and below["kind"] == "full" else None
            reading.facts.append(
                Pressure(
                    at=artifact.at(index),
                    host=machines.at(index),
                    resource=resource,
                    some=float(line["minute"]),
                    full=full,
                )
            )
    return reading


PRESSURE_READER = Reader(
    kind="pressure", anchor=expression(r"^\s*(?:/proc/pressure/\w+:)?(?:some|full) avg10=\d"), read=read_pressure
)

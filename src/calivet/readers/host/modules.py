"""Kernel modules: `lsmod`, /proc/modules, `modprobe` and `modinfo` errors, `calicoctl node checksystem`."""

from __future__ import annotations

from calivet.evidence.artifact import Artifact
from calivet.evidence.expressions import expression
from calivet.facts.host import KernelModule
from calivet.readers.command import asked, output_lines
from calivet.readers.reader import Reader, Reading
from calivet.readers.subject import FRONT, SHARED, SPEAKER, Subjects, subjects

_HEADER = expression(r"^\s*Module\s+Size\s+Used by")
_ROW = expression(rf"^\s*{SPEAKER}(?P<name>[a-z]\w*)\s+\d{{3,9}}\s+-?\d+(?:\s+[\w,\[\]-]+)?\s*$")
_PROC_ROW = expression(r"^\s*(?P<name>[a-z]\w*) \d+ -?\d+ \S+ (?:Live|Loading|Unloading) 0x")
_ABSENT = expression(
    rf"^\s*{SPEAKER}(?:sudo: )?(?:modprobe|modinfo|insmod): "
    r"(?:(?:FATAL|ERROR|WARNING): )?(?:[Mm]odule|could not insert)? ?'?(?P<name>\w+)'?"
    r"(?: not found|: (?:Unknown symbol|Operation not permitted|Exec format))"
)
_CHECKED = expression(r"^\s+(?P<name>[a-z]\w+)\s+(?P<verdict>OK|FAIL)\s*$")
_CHECKING = "Checking kernel modules"
_LISTING = expression(r"\blsmod\b|/proc/modules\b")
_FILTER = expression(
    r"(?:\blsmod\s*\||/proc/modules\s*\|)?\s*\be?grep\s+(?P<flags>(?:-\w+\s+)*)"
    r"['\"]?(?P<words>[\w|\\^$ -]+?)['\"]?(?:\s+/proc/modules)?\s*$"
)
_PLAIN_WORD = expression(r"^[a-z]\w+$")


def read(artifact: Artifact, anchors: list[int]) -> Reading:
    """Rows under a header or a listing command, and the tools' own words about one module."""
    reading = Reading()
    machines = subjects(artifact)
    for index in anchors:
        line = artifact.lines[index]
        if _HEADER.match(line):
            _read_rows(artifact, index + 1, machines, reading)
        elif _CHECKING in line:
            _read_checks(artifact, index + 1, machines, reading)
        elif found := _ABSENT.match(line):
            _note(artifact, index, machines.at(index, found["speaker"]), found["name"], False, reading)
        elif found := _PROC_ROW.match(line):
            _note(artifact, index, machines.at(index), found["name"], True, reading)
    if asked(artifact, _LISTING):
        _read_listing(artifact, machines, reading)
    return reading


def _read_rows(artifact: Artifact, start: int, machines: Subjects, reading: Reading) -> None:
    for index in range(start, len(artifact.lines)):
        row = _ROW.match(artifact.lines[index])
        if not row:
            return
        _note(artifact, index, machines.at(index, row["speaker"]), row["name"], True, reading)


def _read_checks(artifact: Artifact, start: int, machines: Subjects, reading: Reading) -> None:
    for index in range(start, len(artifact.lines)):
        line = artifact.lines[index]
        if found := _CHECKED.match(line):
            _note(artifact, index, machines.at(index), found["name"], found["verdict"] == "OK", reading)
        elif not line.startswith("WARNING"):
            return


def _read_listing(artifact: Artifact, machines: Subjects, reading: Reading) -> None:
    """Rows without their header; and where a filter for plain names let nothing through, none of them is loaded."""
    printed = [(index, text) for index, text in output_lines(artifact) if index not in reading.claimed]
    for index, text in printed:
        if row := _ROW.match(text):
            _note(artifact, index, machines.at(index, row["speaker"]), row["name"], True, reading)
    asked_for = asked(artifact, _FILTER)
    if not asked_for or "v" in asked_for["flags"] or reading.facts:
        return
    counted = "c" in asked_for["flags"] and len(printed) == 1 and printed[0][1].isdigit()
    if printed and not counted:
        return
    index = printed[0][0] if printed else 0
    loaded = counted and printed[0][1] != "0"
    names = [word.strip("^$ \\") for word in asked_for["words"].split("|")]
    if loaded and len(names) > 1:
        return
    for name in names:
        if _PLAIN_WORD.match(name):
            _note(artifact, index, machines.at(index), name, loaded, reading)


def _note(artifact: Artifact, index: int, host: str | None, name: str, loaded: bool, reading: Reading) -> None:
    reading.facts.append(KernelModule(at=artifact.at(index), host=host, name=name, loaded=loaded))
    reading.claim(index, index + 1)


READER = Reader(
    kind="modules",
    anchor=expression(
        rf"^(?:{FRONT}(?:(?:sudo: )?(?:modprobe|modinfo|insmod): |Module\s+Size\s+Used by"
        rf"|\w+ \d+ -?\d+ \S+ \w+ 0x|[a-z]\w*\s+\d{{3,9}}\s+\d|{_CHECKING})|{SHARED}|.*lsmod|.*/proc/modules)"
    ),
    read=read,
)

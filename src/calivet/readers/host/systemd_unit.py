"""The state of systemd units: `systemctl status` of old and new layout, `is-active`, `list-units`, `systemctl show`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from calivet.evidence.artifact import Artifact
from calivet.facts.host import Unit
from calivet.readers.command import find_output_start, list_output_lines, search_command
from calivet.readers.reader import Reader, Reading
from calivet.readers.subject import FRONT, SPEAKER, Subjects, find_subjects
from calivet.search.expressions import expression

_BULLET = r"(?:[●*×○↻xo?]|â—\S?|&#9679;)\s+"
_HEAD = expression(
    rf"^\s*(?:{_BULLET}(?P<unit>[\w@.:\\-]+)\.service\b(?:\s+-\s|\s*$)|(?P<plain>[\w@.:\\-]+)\.service\s+-\s)"
)
_LOADED = expression(r"^\s*Loaded:\s+(?P<load>[\w-]+)(?:\s+\((?P<file>[^;)]+)(?:;\s*(?P<enabled>[\w-]+))?)?")
_ACTIVE = expression(
    r"^\s*Active:\s+(?P<active>[a-z-]+)(?:\s+\((?P<sub>[\w-]+)\))?(?:\s+\(Result: (?P<result>[\w-]+)\))?"
)
_MISSING = expression(r"^\s*Unit (?P<unit>[\w@.:\\-]+?)(?:\.service)? could not be found")
_LISTED = expression(
    r"^\s*(?:[●*×○]\s+)?(?P<unit>[\w@.:\\-]+)\.service\s+(?:loaded|not-found|masked|error|bad-setting)\s+"
    r"(?P<active>active|inactive|failed|activating|deactivating|reloading)\s+(?P<sub>[\w-]+)"
)
_UNIT_FILE = expression(
    r"^\s*(?P<unit>[\w@.:\\-]+)\.service\s+(?P<enabled>enabled|disabled|masked|static)\b\s*(?:\w+)?\s*$"
)
_ASKED_STATE = expression(r"\bsystemctl\s+(?P<what>is-active|is-enabled|is-failed)(?P<names>(?:\s+[\w@.:\\-]+)+)")
_ASKED_STATUS = expression(r"\b(?:systemctl\s+(?:-\S+\s+)*status\s+(?:-\S+\s+)*|service\s+)(?P<unit>[\w@.:\\-]+)")
_ASKED_LIST = expression(
    r"\bsystemctl\b.{0,200}?\blist-units\b.{0,200}?--state[= ](?P<state>running|failed|active|inactive)\b"
)
_STATE_WORDS = "active|inactive|failed|activating|deactivating|unknown|enabled|disabled|masked|static"
_STATE_WORD = expression(rf"^{SPEAKER}(?P<word>{_STATE_WORDS})$")
_SERVICE_NAME = expression(r"(?<![\w@.:\\-])([\w@.:\\-]+)\.service\b")
_LIST_STATES = {
    "running": ("active", "running"),
    "failed": ("failed", "failed"),
    "active": ("active", None),
    "inactive": ("inactive", None),
}
_ENABLED_STATUS = {"enabled": True, "enabled-runtime": True, "disabled": False, "masked": False}


def read_status(artifact: Artifact, anchors: list[int]) -> Reading:
    """Status pages and listings wherever they stand; bare state words only under a command that asks for them."""
    reading = Reading()
    machines = find_subjects(artifact)
    _read_pages(artifact, anchors, machines, reading)
    _read_rows(artifact, anchors, machines, reading)
    _read_state_words(artifact, machines, reading)
    _read_bare_names(artifact, machines, reading)
    return reading


def _read_pages(artifact: Artifact, anchors: list[int], machines: Subjects, reading: Reading) -> None:
    """An `Active:` line states the unit of the head above it, or of the command where the head was filtered out."""
    status = search_command(artifact, _ASKED_STATUS)
    unit = strip_service(status["unit"]) if status else None
    enabled: bool | None = None
    for index in anchors:
        line = artifact.lines[index]
        if head := _HEAD.match(line):
            unit, enabled = head["unit"] or head["plain"], None
        elif loaded := _LOADED.match(line):
            unit = unit or _find_unit_in_path(loaded["file"])
            enabled = _ENABLED_STATUS.get(loaded["enabled"] or loaded["load"])
        elif (active := _ACTIVE.match(line)) and unit:
            reading.facts.append(
                Unit(
                    at=artifact.at(index),
                    host=machines.at(index),
                    name=unit,
                    active=active["active"],
                    sub=active["sub"],
                    result=active["result"],
                    enabled=enabled,
                )
            )
        elif missing := _MISSING.match(line):
            name = strip_service(missing["unit"])
            reading.facts.append(
                Unit(at=artifact.at(index), host=machines.at(index), name=name, active="inactive", sub="not-found")
            )
        else:
            continue
        reading.claim(index, index + 1)


def _read_rows(artifact: Artifact, anchors: list[int], machines: Subjects, reading: Reading) -> None:
    for index in anchors:
        line = artifact.lines[index]
        if row := _LISTED.match(line):
            active, sub = row["active"], row["sub"]
            unit = Unit(at=artifact.at(index), host=machines.at(index), name=row["unit"], active=active, sub=sub)
        elif row := _UNIT_FILE.match(line):
            enabled = _ENABLED_STATUS.get(row["enabled"])
            unit = Unit(at=artifact.at(index), host=machines.at(index), name=row["unit"], enabled=enabled)
        else:
            continue
        reading.facts.append(unit)
        reading.claim(index, index + 1)


def _read_state_words(artifact: Artifact, machines: Subjects, reading: Reading) -> None:
    """`is-active a b` prints one word a line, in the order of the names; of each machine where there are many."""
    question = search_command(artifact, _ASKED_STATE)
    if not question:
        return
    names = [strip_service(name) for name in question["names"].split() if not name.startswith("-")]
    turn: dict[str | None, int] = {}
    for index, text in list_output_lines(artifact):
        word = _STATE_WORD.match(text)
        host = machines.at(index, word["speaker"]) if word else None
        position = turn.get(host, 0)
        if not word or position >= len(names):
            continue
        turn[host] = position + 1
        enabled = _ENABLED_STATUS.get(word["word"])
        active = None if question["what"] == "is-enabled" else word["word"].replace("unknown", "inactive")
        reading.facts.append(
            Unit(at=artifact.at(index), host=host, name=names[position], active=active, enabled=enabled)
        )
        reading.claim(index, index + 1)


def _read_bare_names(artifact: Artifact, machines: Subjects, reading: Reading) -> None:
    """A listing cut down to the names, of a state that the command named."""
    question = search_command(artifact, _ASKED_LIST)
    if not question:
        return
    active, sub = _LIST_STATES[question["state"]]
    for index, text in list_output_lines(artifact):
        if index not in reading.claimed:
            for name in _SERVICE_NAME.findall(text):
                host = machines.at(index)
                reading.facts.append(Unit(at=artifact.at(index), host=host, name=name, active=active, sub=sub))
                reading.claim(index, index + 1)


def strip_service(unit: str) -> str:
    """A unit's name without .service."""
    return unit.removesuffix(".service")


def find_status_tails(lines: list[str], journal_head: re.Pattern[str]) -> set[int]:
    """The journal lines under status pages: older than the state above them, so they must not overrule it."""
    tails: set[int] = set()
    in_page = in_tail = False
    for index, line in enumerate(lines):
        if _ACTIVE.match(line):
            in_page, in_tail = True, False
        elif in_page and not line.strip():
            in_page, in_tail = not in_tail, True
        elif in_page and in_tail:
            in_page = journal_head.match(line) is not None or line[:1].isspace()
            if in_page:
                tails.add(index)
    return tails


def _find_unit_in_path(path: str | None) -> str | None:
    found = _SERVICE_NAME.search(path or "")
    return found[1].rsplit("/", 1)[-1] if found else None


STATUS_READER = Reader(
    kind="systemctl-status",
    anchor=expression(
        r"^(?:\s*(?:Active: |Loaded: |Unit \S+ could not be found"
        rf"|{_BULLET}\S+\.service|\S+\.service\s+[a-z-])"
        rf"|{FRONT}(?:{_STATE_WORDS})\s*$|.*systemctl\s.*list-units)"
    ),
    read=read_status,
)


# The state of systemd units as `systemctl show` prints it: a block of `Property=value` lines for each unit.
_PROPERTY = expression(r"^(?P<name>[A-Z]\w+)=(?P<value>.*)$")
_ASKED = expression(r"\bsystemctl\s+show\b(?:\s+-\S+(?:\s+[A-Z][\w,]*)?)*\s+(?P<unit>[a-z][\w@.:\\-]*)")
_ENABLED_PROPERTY = {"enabled": True, "enabled-runtime": True, "disabled": False, "masked": False}
_ABSENT = ("not-found", "masked")


def read_properties(artifact: Artifact, anchors: list[int]) -> Reading:
    """One fact for each block; a unit that systemd does not have is no unit that is down."""
    reading = Reading()
    machines = find_subjects(artifact)
    question = search_command(artifact, _ASKED)
    for start, stop in _find_blocks(artifact):
        lines = {
            found["name"]: index for index in range(start, stop) if (found := _PROPERTY.match(artifact.lines[index]))
        }
        told = {name: artifact.lines[index].partition("=")[2].strip() for name, index in lines.items()}
        name = told.get("Id") or (question["unit"] if question else "")
        if not name or "ActiveState" not in told:
            continue
        reading.claim(start, stop)
        if told.get("LoadState") in _ABSENT:
            continue
        at = lines["ActiveState"]
        reading.facts.append(
            Unit(
                at=artifact.at(at),
                host=machines.at(at),
                name=strip_service(name),
                active=told["ActiveState"],
                sub=told.get("SubState"),
                result=told.get("Result"),
                enabled=_ENABLED_PROPERTY.get(told.get("UnitFileState", "")),
                restarts=int(told["NRestarts"]) if told.get("NRestarts", "").isdigit() else None,
            )
        )
    del anchors
    return reading


def _find_blocks(artifact: Artifact) -> Iterator[tuple[int, int]]:
    """Runs of properties; a blank line, or a second property of the same name, begins the next unit's."""
    start, seen = find_output_start(artifact), set[str]()
    for index in range(start, len(artifact.lines)):
        found = _PROPERTY.match(artifact.lines[index])
        if not found or found["name"] in seen:
            yield start, index
            start, seen = index + (not found), set()
        if found:
            seen.add(found["name"])
    yield start, len(artifact.lines)


PROPERTIES_READER = Reader(kind="systemctl-show", anchor=expression(r"^ActiveState=[a-z]"), read=read_properties)

"""The state of systemd units: `systemctl status` of old and new layout, `is-active`, `list-units`."""

from __future__ import annotations

import re

from calivet.evidence.artifact import Artifact
from calivet.evidence.expressions import expression
from calivet.facts.host import Unit
from calivet.readers.command import asked, output_lines
from calivet.readers.reader import Reader, Reading
from calivet.readers.subject import FRONT, SPEAKER, Subjects, subjects

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
_ASKED_LIST = expression(r"\bsystemctl\b.*\blist-units\b.*--state[= ](?P<state>running|failed|active|inactive)\b")
_STATE_WORDS = "active|inactive|failed|activating|deactivating|unknown|enabled|disabled|masked|static"
_STATE_WORD = expression(rf"^{SPEAKER}(?P<word>{_STATE_WORDS})$")
_SERVICE_NAME = expression(r"([\w@.:\\-]+)\.service\b")
_LIST_STATES = {
    "running": ("active", "running"),
    "failed": ("failed", "failed"),
    "active": ("active", None),
    "inactive": ("inactive", None),
}
_ENABLED = {"enabled": True, "enabled-runtime": True, "disabled": False, "masked": False}


def read(artifact: Artifact, anchors: list[int]) -> Reading:
    """Status pages and listings wherever they stand; bare state words only under a command that asks for them."""
    reading = Reading()
    machines = subjects(artifact)
    _read_pages(artifact, anchors, machines, reading)
    _read_rows(artifact, anchors, machines, reading)
    _read_state_words(artifact, machines, reading)
    _read_bare_names(artifact, machines, reading)
    return reading


def _read_pages(artifact: Artifact, anchors: list[int], machines: Subjects, reading: Reading) -> None:
    """An `Active:` line states the unit of the head above it, or of the command where the head was filtered out."""
    status = asked(artifact, _ASKED_STATUS)
    unit = short_name(status["unit"]) if status else None
    enabled: bool | None = None
    for index in anchors:
        line = artifact.lines[index]
        if head := _HEAD.match(line):
            unit, enabled = head["unit"] or head["plain"], None
        elif loaded := _LOADED.match(line):
            unit = unit or _from_file(loaded["file"])
            enabled = _ENABLED.get(loaded["enabled"] or loaded["load"])
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
            name = short_name(missing["unit"])
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
            enabled = _ENABLED.get(row["enabled"])
            unit = Unit(at=artifact.at(index), host=machines.at(index), name=row["unit"], enabled=enabled)
        else:
            continue
        reading.facts.append(unit)
        reading.claim(index, index + 1)


def _read_state_words(artifact: Artifact, machines: Subjects, reading: Reading) -> None:
    """`is-active a b` prints one word a line, in the order of the names; of each machine where there are many."""
    question = asked(artifact, _ASKED_STATE)
    if not question:
        return
    names = [short_name(name) for name in question["names"].split() if not name.startswith("-")]
    turn: dict[str | None, int] = {}
    for index, text in output_lines(artifact):
        word = _STATE_WORD.match(text)
        host = machines.at(index, word["speaker"]) if word else None
        position = turn.get(host, 0)
        if not word or position >= len(names):
            continue
        turn[host] = position + 1
        enabled = _ENABLED.get(word["word"])
        active = None if question["what"] == "is-enabled" else word["word"].replace("unknown", "inactive")
        reading.facts.append(
            Unit(at=artifact.at(index), host=host, name=names[position], active=active, enabled=enabled)
        )
        reading.claim(index, index + 1)


def _read_bare_names(artifact: Artifact, machines: Subjects, reading: Reading) -> None:
    """A listing cut down to the names, of a state that the command named."""
    question = asked(artifact, _ASKED_LIST)
    if not question:
        return
    active, sub = _LIST_STATES[question["state"]]
    for index, text in output_lines(artifact):
        if index not in reading.claimed:
            for name in _SERVICE_NAME.findall(text):
                host = machines.at(index)
                reading.facts.append(Unit(at=artifact.at(index), host=host, name=name, active=active, sub=sub))
                reading.claim(index, index + 1)


def short_name(unit: str) -> str:
    """A unit's name without .service."""
    return unit.removesuffix(".service")


def status_tails(lines: list[str], journal_head: re.Pattern[str]) -> set[int]:
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


def _from_file(path: str | None) -> str | None:
    found = _SERVICE_NAME.search(path or "")
    return found[1].rsplit("/", 1)[-1] if found else None


READER = Reader(
    kind="systemctl-status",
    anchor=expression(
        r"^(?:\s*(?:Active: |Loaded: |Unit \S+ could not be found"
        rf"|{_BULLET}\S+\.service|\S+\.service\s+[a-z-])"
        rf"|{FRONT}(?:{_STATE_WORDS})\s*$|.*systemctl\s.*list-units)"
    ),
    read=read,
)

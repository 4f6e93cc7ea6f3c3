"""The state of systemd units as `systemctl show` prints it: a block of `Property=value` lines for each unit."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.evidence.artifact import Artifact
from calivet.evidence.expressions import expression
from calivet.facts.host import Unit
from calivet.readers.command import asked, output_start
from calivet.readers.host.systemd_unit import short_name
from calivet.readers.reader import Reader, Reading
from calivet.readers.subject import subjects

_PROPERTY = expression(r"^(?P<name>[A-Z]\w+)=(?P<value>.*)$")
_ASKED = expression(r"\bsystemctl\s+show\b(?:\s+-\S+(?:\s+[A-Z][\w,]*)?)*\s+(?P<unit>[a-z][\w@.:\\-]*)")
_ENABLED = {"enabled": True, "enabled-runtime": True, "disabled": False, "masked": False}
_ABSENT = ("not-found", "masked")


def read(artifact: Artifact, anchors: list[int]) -> Reading:
    """One fact for each block; a unit that systemd does not have is no unit that is down."""
    reading = Reading()
    machines = subjects(artifact)
    question = asked(artifact, _ASKED)
    for start, stop in _blocks(artifact):
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
                name=short_name(name),
                active=told["ActiveState"],
                sub=told.get("SubState"),
                result=told.get("Result"),
                enabled=_ENABLED.get(told.get("UnitFileState", "")),
                restarts=int(told["NRestarts"]) if told.get("NRestarts", "").isdigit() else None,
            )
        )
    del anchors
    return reading


def _blocks(artifact: Artifact) -> Iterator[tuple[int, int]]:
    """Runs of properties; a blank line, or a second property of the same name, begins the next unit's."""
    start, seen = output_start(artifact), set[str]()
    for index in range(start, len(artifact.lines)):
        found = _PROPERTY.match(artifact.lines[index])
        if not found or found["name"] in seen:
            yield start, index
            start, seen = index + (not found), set()
        if found:
            seen.add(found["name"])
    yield start, len(artifact.lines)


READER = Reader(kind="systemctl-show", anchor=expression(r"^ActiveState=[a-z]"), read=read)

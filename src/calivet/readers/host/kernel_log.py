"""The kernel's log: which processes the OOM killer ended, and whether a container's limit or the host ran out."""

from __future__ import annotations

from calivet.evidence.artifact import Artifact
from calivet.evidence.expressions import expression
from calivet.facts.host import OomKill
from calivet.readers.host.journal_head import host_of
from calivet.readers.reader import Reader, Reading
from calivet.readers.subject import subjects

_SUMMARY = expression(
    r"oom-kill:constraint=CONSTRAINT_(?P<constraint>\w+),.*?\btask=(?P<process>[^,]+),pid=(?P<pid>\d+)"
)
_KILL = expression(
    r"(?P<scope>Memory cgroup out of memory: |Out of memory(?: \([^)]*\))?: |\bkernel: |\] |^\s*)"
    r"Kill(?:ed)? process (?P<pid>\d+) \((?P<process>[^)]+)\)"
)
_CONSTRAINTS = {"MEMCG": "memcg", "NONE": "none"}


def read(artifact: Artifact, anchors: list[int]) -> Reading:
    """Two or three lines tell of one kill; the same process killed again by the same limit is one fact."""
    reading = Reading()
    machines = subjects(artifact)
    told: set[tuple[str | None, str]] = set()
    kills: set[tuple[str | None, str, str | None]] = set()
    for index in anchors:
        line = artifact.lines[index]
        found = _SUMMARY.search(line) or _KILL.search(line)
        if not found:
            continue
        reading.claim(index, index + 1)
        host = host_of(line) or machines.at(index)
        constraint = _constraint(found.groupdict())
        if (host, found["pid"]) in told or (host, found["process"], constraint) in kills:
            continue
        told.add((host, found["pid"]))
        kills.add((host, found["process"], constraint))
        reading.facts.append(OomKill(at=artifact.at(index), host=host, process=found["process"], constraint=constraint))
    return reading


def _constraint(groups: dict[str, str | None]) -> str | None:
    if constraint := groups.get("constraint"):
        return _CONSTRAINTS.get(constraint, constraint.lower())
    scope = groups.get("scope") or ""
    return "memcg" if scope.startswith("Memory cgroup") else "none" if scope.startswith("Out of memory") else None


READER = Reader(kind="kernel-log", anchor=expression(r"oom-kill:constraint=|Kill(?:ed)? process \d+ \("), read=read)

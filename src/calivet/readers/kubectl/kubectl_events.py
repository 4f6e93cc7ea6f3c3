"""Events: in `kubectl describe`, in `kubectl get events`, with their header or without."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator

from msgspec import structs

from calivet.evidence.artifact import Artifact
from calivet.evidence.expressions import expression
from calivet.facts.kubernetes import Event
from calivet.facts.times import parse_age
from calivet.readers.kubectl.describe_blocks import Block, blocks
from calivet.readers.kubectl.describe_subject import Subject, subject
from calivet.readers.kubectl.event_shapes import event_row
from calivet.readers.kubectl.kubectl_command import Request, request
from calivet.readers.kubectl.kubectl_resources import singular
from calivet.readers.reader import Reader, Reading

_ANCHOR = expression(r"(?:^|[ \t])(?:Normal|Warning)[ \t]+[A-Za-z]\w*[ \t]", re.MULTILINE)
_HEADER = expression(
    r"^\s*(?:Events:|(?:NAMESPACE\s+)?(?:LAST|FIRST) ?SEEN\s|Type\s+Reason\s|First ?Seen\s+Last|-+(?:\s+-+)+\s*$)"
)

# A probe's output may have several lines; they stand at the margin, between two events or at the end.
_FARTHEST = 6
_PROBE_OUTPUT = expression(r"health\.go \d+:|^Threshold time for bird|^W\d{4} .*feature_gate|^\s{20,}\S")

_ASSIGNED = expression(r"^Successfully assigned (?:(?P<namespace>[\w-]+)/)?(?P<pod>[\w.-]+) to (?P<node>[\w.-]+)")
_NAMED_POD = expression(r"\bpod \"?(?P<pod>[a-z0-9][a-z0-9.-]*)_(?P<namespace>[a-z0-9-]+)\(")
_PROMPT = expression(r"^\s*(?:\[?[\w.-]+@[\w.-]+|[$#%>+] )")


def read(artifact: Artifact, anchors: list[int]) -> Reading:
    """Reads the events, and gives those of one object what any of them tells about it."""
    reading = Reading()
    asked = request(artifact)
    described = blocks(artifact.lines, [])
    groups: dict[str, list[Event]] = {}
    for index in anchors:
        if row := event_row(artifact.lines[index]):
            position, about = _about(described, index, asked)
            stop = _continued(artifact.lines, index)
            event = _event(artifact, index, row, about)
            if stop > index + 1:
                event = structs.replace(event, message="\n".join([event.message, *artifact.lines[index + 1 : stop]]))
            groups.setdefault(event.object or f"#{position}", []).append(event)
            reading.claim(index, stop)
    for events in groups.values():
        reading.facts += _settled(events)
    for index in sorted(reading.claimed):
        _claim_heads(artifact.lines, index, reading)
    return reading


def _event(artifact: Artifact, index: int, row: dict[str, str], about: Subject) -> Event:
    source, _, node = row.get("source", "").strip("{}").replace(" ", ",", 1).partition(",")
    kind = singular(row["kind"]) if "kind" in row else about.kind
    host = node.strip(" ,") or about.node
    return Event(
        at=artifact.at(index),
        host=host,
        reason=row["reason"],
        message=row["message"],
        type=row["type"],
        kind=kind,
        object=row.get("name", about.name if "kind" not in row else None),
        namespace=row.get("namespace", about.namespace),
        node=host,
        source=source or None,
        age=parse_age(row["age"]),
        over=parse_age(row.get("over", "")),
        count=int(row.get("count", 1)),
    )


def _about(described: list[Block], index: int, asked: Request) -> tuple[int, Subject]:
    """The page that the line stands on; the command knows where the page's head was cut off."""
    position = bisect_right(described, index, key=lambda block: block.start) - 1
    if position >= 0 and index - described[position].stop < 2 * _FARTHEST:
        page = subject(described[position].tree)
        if page.name:
            return position, page if page.kind else structs.replace(page, kind=asked.resource)
    if asked.verb in ("describe", None) and asked.resource:
        return position, Subject(asked.resource, asked.name, asked.namespace, asked.named("node"))
    return position, Subject(namespace=asked.namespace)


def _continued(lines: list[str], index: int) -> int:
    """Where the event's message ends: before the next event, or after lines that only a probe prints."""
    stop = index + 1
    ahead = lines[stop : stop + _FARTHEST]
    for offset, line in enumerate(ahead):
        if not line.strip() or _HEADER.match(line) or _PROMPT.match(line):
            break
        if event_row(line):
            return stop + offset
    while stop < len(lines) and _PROBE_OUTPUT.search(lines[stop]) and not event_row(lines[stop]):
        stop += 1
    return stop


def _settled(events: list[Event]) -> Iterator[Event]:
    """One event of an object may name its node or the object itself; that holds for the others too."""
    assigned = [found for event in events if (found := _ASSIGNED.match(event.message))]
    named = assigned + [found for event in events if (found := _NAMED_POD.search(event.message))]
    pod = _only(found["pod"] for found in named)
    namespace = _only(found["namespace"] for found in named)
    node = _only([*(event.node for event in events), *(found["node"] for found in assigned)])
    for event in events:
        known = event.object or pod
        yield structs.replace(
            event,
            host=event.host or node,
            node=event.node or (node if event.source == "kubelet" else None),
            object=known,
            kind=event.kind or ("pod" if pod and known == pod else None),
            namespace=event.namespace or namespace,
        )


def _only(values: Iterable[str | None]) -> str | None:
    """The value on which all agree; filtered events of several pods tell nothing about each other."""
    found = {value for value in values if value}
    return found.pop() if len(found) == 1 else None


def _claim_heads(lines: list[str], index: int, reading: Reading) -> None:
    while index and index - 1 not in reading.claimed and _HEADER.match(lines[index - 1]):
        index -= 1
        reading.claim(index, index + 1)


READER = Reader(kind="kubectl-events", anchor=_ANCHOR, read=read)

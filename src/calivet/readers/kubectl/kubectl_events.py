"""Events: in `kubectl describe`, in `kubectl get events`, with their header or without."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator

from msgspec import structs

from calivet.evidence.artifact import Artifact
from calivet.facts.kubernetes import Event
from calivet.facts.times import parse_age
from calivet.readers.kubectl.describe_blocks import Block, Subject, find_blocks, find_subject
from calivet.readers.kubectl.kubectl_command import AGE, NAME, Request, parse_request
from calivet.readers.kubectl.kubectl_resources import find_singular
from calivet.readers.reader import Reader, Reading
from calivet.search.expressions import expression

_GAP = r"[ \t]+"
_NAMESPACE = rf"(?:(?P<namespace>{NAME})[ \t]+)?"
_SEEN = rf"(?P<age>{AGE})(?:[ \t]+\(x(?P<count>\d+) over (?P<over>{AGE})\))?"
_TYPE = r"(?P<type>Normal|Warning)"
_REASON = r"(?P<reason>[A-Za-z]\w*)"
_SOURCE = r"(?P<source>[A-Za-z][\w.-]*(?:,[ \t]?[\w.-]+)?|\{[\w.-]+(?: [\w.-]+)?\})"
_PART = r"(?:(?P<part>[a-z][\w.]*\{[\w.-]+\})[ \t]+)?"
_MESSAGE = r"(?P<message>\S.*)"
_COUNT = r"(?P<count>\d+)"
_OBJECT = rf"(?P<kind>[A-Za-z]\w*)/(?P<name>{NAME})"
_BARE_KIND = "(?P<bare>Pod|Node|DaemonSet|Deployment|ReplicaSet|StatefulSet|Job|Endpoints|Service|ConfigMap|Lease)"


def _compile_shape(*columns: str) -> re.Pattern[str]:
    return expression(rf"^[ \t]*{_GAP.join(columns)}$")


_SHAPES = (
    # describe: Type Reason Age From Message
    _compile_shape(_TYPE, _REASON, _SEEN, _SOURCE, _PART + _MESSAGE),
    # describe up to 1.8: FirstSeen LastSeen Count From SubObjectPath Type Reason Message
    _compile_shape(rf"(?P<over>{AGE})", rf"(?P<age>{AGE})", _COUNT, _SOURCE, _PART + _TYPE, _REASON, _MESSAGE),
    # get events -o wide: LAST SEEN, TYPE, REASON, OBJECT, SUBOBJECT, SOURCE, MESSAGE, FIRST SEEN, COUNT, NAME
    _compile_shape(
        _NAMESPACE + _SEEN,
        _TYPE,
        _REASON,
        _OBJECT,
        _PART + _SOURCE,
        rf"{_MESSAGE}(?<=\S)[ \t]{{2,}}(?P<first>{AGE})",
        r"(?P<times>\d+)",
        r"[\w.-]+\.[0-9a-f]{8,}",
    ),
    # get events: LAST SEEN, TYPE, REASON, OBJECT (only its kind in 1.13), MESSAGE
    _compile_shape(_NAMESPACE + _SEEN, _TYPE, _REASON, f"(?:{_OBJECT}|{_BARE_KIND})", _MESSAGE),
    # get events up to 1.12: LAST SEEN, FIRST SEEN, COUNT, NAME, KIND, SUBOBJECT, TYPE, REASON, SOURCE, MESSAGE
    _compile_shape(
        rf"{_NAMESPACE}(?P<age>{AGE})",
        rf"(?P<over>{AGE})",
        _COUNT,
        rf"(?P<name>{NAME})",
        r"(?P<kind>[A-Z]\w+)",
        _PART + _TYPE,
        _REASON,
        _SOURCE,
        _MESSAGE,
    ),
)

# Event objects are named after what they are about, with a number behind it.
_EVENT_SUFFIX = expression(r"\.[0-9a-f]{12,}$")


def parse_event_row(line: str) -> dict[str, str] | None:
    """The parts of an event by name: age, over, count, type, reason, source, kind, name, namespace, message."""
    for shape in _SHAPES:
        if found := shape.match(line.rstrip()):
            parts = {key: value for key, value in found.groupdict().items() if value}
            renamed = {"first": "over", "times": "count", "bare": "kind"}
            parts = {renamed.get(key, key): value for key, value in parts.items()}
            if "name" in parts:
                parts["name"] = _EVENT_SUFFIX.sub("", parts["name"])
            return parts
    return None


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
    asked = parse_request(artifact)
    described = find_blocks(artifact.lines, [])
    groups: dict[str, list[Event]] = {}
    for index in anchors:
        if row := parse_event_row(artifact.lines[index]):
            position, about = _find_subject(described, index, asked)
            stop = _find_end_of_message(artifact.lines, index)
            event = _build_event(artifact, index, row, about)
            if stop > index + 1:
                event = structs.replace(event, message="\n".join([event.message, *artifact.lines[index + 1 : stop]]))
            groups.setdefault(event.object or f"#{position}", []).append(event)
            reading.claim(index, stop)
    for events in groups.values():
        reading.facts += _settle_events(events)
    for index in sorted(reading.claimed):
        _claim_heads(artifact.lines, index, reading)
    return reading


def _build_event(artifact: Artifact, index: int, row: dict[str, str], about: Subject) -> Event:
    source, _, node = row.get("source", "").strip("{}").replace(" ", ",", 1).partition(",")
    kind = find_singular(row["kind"]) if "kind" in row else about.kind
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


def _find_subject(described: list[Block], index: int, asked: Request) -> tuple[int, Subject]:
    """The page that the line stands on; the command knows where the page's head was cut off."""
    position = bisect_right(described, index, key=lambda block: block.start) - 1
    if position >= 0 and index - described[position].stop < 2 * _FARTHEST:
        page = find_subject(described[position].tree)
        if page.name:
            return position, page if page.kind else structs.replace(page, kind=asked.resource)
    if asked.verb in ("describe", None) and asked.resource:
        return position, Subject(asked.resource, asked.name, asked.namespace, asked.named("node"))
    return position, Subject(namespace=asked.namespace)


def _find_end_of_message(lines: list[str], index: int) -> int:
    """Where the event's message ends: before the next event, or after lines that only a probe prints."""
    stop = index + 1
    ahead = lines[stop : stop + _FARTHEST]
    for offset, line in enumerate(ahead):
        if not line.strip() or _HEADER.match(line) or _PROMPT.match(line):
            break
        if parse_event_row(line):
            return stop + offset
    while stop < len(lines) and _PROBE_OUTPUT.search(lines[stop]) and not parse_event_row(lines[stop]):
        stop += 1
    return stop


def _settle_events(events: list[Event]) -> Iterator[Event]:
    """One event of an object may name its node or the object itself; that holds for the others too."""
    assigned = [found for event in events if (found := _ASSIGNED.match(event.message))]
    named = assigned + [found for event in events if (found := _NAMED_POD.search(event.message))]
    pod = _find_only(found["pod"] for found in named)
    namespace = _find_only(found["namespace"] for found in named)
    node = _find_only([*(event.node for event in events), *(found["node"] for found in assigned)])
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


def _find_only(values: Iterable[str | None]) -> str | None:
    """The value on which all agree; filtered events of several pods tell nothing about each other."""
    found = {value for value in values if value}
    return found.pop() if len(found) == 1 else None


def _claim_heads(lines: list[str], index: int, reading: Reading) -> None:
    while index and index - 1 not in reading.claimed and _HEADER.match(lines[index - 1]):
        index -= 1
        reading.claim(index, index + 1)


READER = Reader(kind="kubectl-events", anchor=_ANCHOR, read=read)

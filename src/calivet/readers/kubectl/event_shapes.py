"""The shapes in which kubectl, over the years, has printed an event; each is known without its header."""

from __future__ import annotations

import re

from calivet.evidence.expressions import expression
from calivet.readers.kubectl.kubectl_shapes import AGE, NAME

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


def _shape(*columns: str) -> re.Pattern[str]:
    return expression(rf"^[ \t]*{_GAP.join(columns)}$")


_SHAPES = (
    # describe: Type Reason Age From Message
    _shape(_TYPE, _REASON, _SEEN, _SOURCE, _PART + _MESSAGE),
    # describe up to 1.8: FirstSeen LastSeen Count From SubObjectPath Type Reason Message
    _shape(rf"(?P<over>{AGE})", rf"(?P<age>{AGE})", _COUNT, _SOURCE, _PART + _TYPE, _REASON, _MESSAGE),
    # get events -o wide: LAST SEEN, TYPE, REASON, OBJECT, SUBOBJECT, SOURCE, MESSAGE, FIRST SEEN, COUNT, NAME
    _shape(
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
    _shape(_NAMESPACE + _SEEN, _TYPE, _REASON, f"(?:{_OBJECT}|{_BARE_KIND})", _MESSAGE),
    # get events up to 1.12: LAST SEEN, FIRST SEEN, COUNT, NAME, KIND, SUBOBJECT, TYPE, REASON, SOURCE, MESSAGE
    _shape(
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


def event_row(line: str) -> dict[str, str] | None:
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

"""The time that a line of a log carries at its head."""

from __future__ import annotations

from datetime import datetime

from calivet.evidence.expressions import expression
from calivet.facts.times import parse_time

# Further in a line stand other times: when a certificate ends, when a request was made.
_HEAD = expression(
    r"^\s*(?:\[pod/\S{1,300}\] )?(?:\{.{0,120}?\"(?:ts|time|@timestamp)\": ?\")?[\"'\[<]{0,2}(?:(?:time|ts)=\"?)?"
    r"(?=\d{4}-\d\d-\d\d[T _]\d|[IWEF]\d{4} \d\d:|(?:[A-Z][a-z]{2} )?[A-Z][a-z]{2} {1,2}\d{1,2} \d\d:)"
)
_ROOM = 40
_SYSLOG = expression(r"^\s*\[?(?:[A-Z][a-z]{2} )?[A-Z][a-z]{2} {1,2}\d{1,2} \d\d:")


def stamp(text: str) -> datetime | None:
    """The time, or None for a line without one of its own."""
    head = _HEAD.match(text)
    # What runs under runit, as BIRD does, has date and time joined by an underscore.
    return parse_time(text[head.end() : head.end() + _ROOM].replace("_", " ", 1)) if head else None


def is_machines_own(text: str) -> bool:
    """Whether a machine wrote the line by its own clock; containers are nearly always on UTC."""
    return _SYSLOG.match(text) is not None

"""A happening before it has its place on the axis: its times as they were told."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from msgspec import Struct

from calivet.catalogue.words import Words
from calivet.evidence.artifact import Line

Told = datetime | timedelta
"""A time, or how long before the evidence was taken."""

# Nothing in a cluster is older; and no number in the evidence may be too large to reckon with.
_LONGEST = 50 * 365 * 86_400.0
_TITLE_ROOM = 200


class Moment(Struct, frozen=True):
    """A time and the line that tells it."""

    told: Told
    line: Line


class Draft(Struct, frozen=True, kw_only=True):
    """Once, or again and again from the first of its times to the last."""

    lane: str
    kind: str
    title: Words
    times: Sequence[Moment]
    count: int = 1
    bad: bool = True
    cause: str = ""
    line: Line

    @property
    def by_age(self) -> bool:
        """Whether it is only known how long ago it was."""
        return any(isinstance(moment.told, timedelta) for moment in self.times)


def ago(seconds: float) -> timedelta:
    """How long ago."""
    return timedelta(seconds=min(seconds, _LONGEST))


def same_words(text: str) -> Words:
    """What a program printed is the same in every language; a title is one line of it."""
    first = next((line.strip() for line in text.splitlines() if line.strip()), "")
    cut = first if len(first) <= _TITLE_ROOM else f"{first[: _TITLE_ROOM - 1]}…"
    return Words(cut, cut)

"""Conditions of nodes, and of what the operator installs, as happenings."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from calivet.facts.kubernetes import Condition
from calivet.facts.picture import Picture
from calivet.scene.draft import Draft, Moment, same_words
from calivet.scene.scene import CONDITION

_GOOD_WHEN_TRUE = frozenset(("Ready", "Available"))
# A node that is lost is Unknown in all its conditions, and of those that are well few say anything: these do.
_TELLING = _GOOD_WHEN_TRUE | {"NetworkUnavailable"}


def conditions(picture: Picture) -> Iterator[Draft]:
    """From when they began to hold; they still did when they were looked at."""
    latest = {(one.kind, one.object, one.type): one for one in picture.all(Condition) if one.kind != "pod"}
    for one in latest.values():
        bad = one.status != ("True" if one.type in _GOOD_WHEN_TRUE else "False")
        if one.since is None or (one.type not in _TELLING and (not bad or one.status == "Unknown")):
            continue
        named = "" if one.kind == "node" else f"{one.object} "
        yield Draft(
            lane=(picture.names.node(one.object) or one.object) if one.kind == "node" else "",
            kind=CONDITION,
            title=same_words(f"{named}{one.type}={one.status} {one.reason or ''}"),
            times=[Moment(one.since, one.at), Moment(timedelta(), one.at)],
            bad=bad,
            line=one.at,
        )

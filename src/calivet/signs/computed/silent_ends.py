"""Signs of a Felix that ends again and again and is brought back inside its container."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from itertools import pairwise

from calivet.evidence.artifact import Artifact
from calivet.evidence.expressions import expression
from calivet.facts.kubernetes import Pod
from calivet.facts.picture import Picture
from calivet.facts.spans import log_spans
from calivet.facts.times import parse_time, seconds_between
from calivet.readers.command import output_start
from calivet.readers.inside import inside
from calivet.signs.sighting import Sighting

_STARTS = "Felix starting up"
_START = expression(r"\[INFO\]\[(?P<pid>\d+)(?:/\d+)?\] (?:felix/)?daemon\.go \d+: Felix starting up")
# The logs of many pods in one.
_OF_MANY = expression(r"\s(?:-l|--selector)\b|\bstern\b")
# Whatever Felix says when it ends by itself: it was told to, its configuration changed, or it broke.
_FAREWELL = expression(
    r"\[(?:FATAL|PANIC)\]|\bpanic: |^goroutine \d+|shutting down|[Ee]xiting|[Tt]erminating|restarting"
)
# A search that leaves last words out shows no end, be there one or not.
_SEARCH = expression(r"\|\s*(?:e|z|f)?grep\b")
_SEARCH_FOR_ENDS = expression(r"FATAL|fatal|panic|PANIC|grep (?:-\w+ )*-[ABC] ?\d")
TWICE = 2
# Of `sv status`, by which runit tells how long its programs have run.
_STATUS = expression(
    r"^\s*run: (?:\S*/)?(?P<program>felix|bird6?|confd|monitor-addresses): \(pid \d+\) (?P<seconds>\d+)s"
)
YOUNG, OLD = 5, 20
"""Seconds: Felix is young again while its neighbours grow old."""
OFTEN = 3
_TABLE, _ENOUGH = 60, 2000
"""Lines in which runit's table, or a Felix that ends at once, would have been seen."""
_LINE = expression(r"^(?P<time>\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+) \[[A-Z]+\]\[(?P<pid>\d+)(?:/\d+)?\] ")
# Lines that Felix writes when it begins, in the form with its name and in the older one without.
_BEGINNING = expression(r"\] (?:felix/)?(?:int_dataplane|daemon|driver)\.go \d+: ")


def felix_ends_unheard(picture: Picture) -> Iterator[Sighting]:
    """One container's log in which Felix starts again under another number, and never said why it ended."""
    for artifact in picture.artifacts:
        starts = _starts(artifact)
        if len(starts) < TWICE or not _would_show_ends(artifact):
            continue
        if any(_FAREWELL.search(text) for text in artifact.lines[output_start(artifact) :]):
            continue
        index = max(starts.values())
        if not _restarted(artifact, index, picture):
            node = _node(artifact, index, picture)
            yield Sighting(line=artifact.at(index), node=node, values={"times": str(len(starts))})


def _starts(artifact: Artifact) -> dict[str, int]:
    """Where each Felix, told by its number, began."""
    lines = ((index, text) for index, text in enumerate(artifact.lines) if _STARTS in text and "[pod/" not in text)
    return {found["pid"]: index for index, text in lines if (found := _START.search(text))}


def felix_ends_at_once(picture: Picture) -> Iterator[Sighting]:
    """Felix lives for seconds, time after time, while its container lives on."""
    for artifact in picture.artifacts:
        for index in (_young_again(artifact), _last_of_many(artifact)):
            if index is not None:
                yield Sighting(line=artifact.at(index), node=_node(artifact, index, picture))


def _young_again(artifact: Artifact) -> int | None:
    """The row of runit's table in which Felix is far younger than another program."""
    lines = enumerate(artifact.lines[:_TABLE])
    rows = [(index, found) for index, text in lines if (found := _STATUS.match(text))]
    ages = {found["program"]: (int(found["seconds"]), index) for index, found in rows}
    felix, index = ages.pop("felix", (OLD, 0))
    return index if felix <= YOUNG and any(age >= OLD for age, _ in ages.values()) else None


def _last_of_many(artifact: Artifact) -> int | None:
    """Where the last of several Felixes began that came one after the other within seconds."""
    begun: dict[str, tuple[datetime | None, int]] = {}
    for index, text in enumerate(artifact.lines[:_ENOUGH]):
        if _BEGINNING.search(text) and (found := _LINE.match(text)):
            begun.setdefault(found["pid"], (parse_time(found["time"]), index))
    times = list(begun.values())
    gaps = [seconds_between(one[0], other[0]) for one, other in pairwise(times)]
    quick = len(times) >= OFTEN and all(gap is not None and 0 <= gap <= YOUNG for gap in gaps)
    return times[-1][1] if quick else None


def _node(artifact: Artifact, index: int, picture: Picture) -> str | None:
    """Of the pod whose log or container this is."""
    return picture.node_of_pod(_pod(artifact, index, picture))


def _pod(artifact: Artifact, index: int, picture: Picture) -> str | None:
    span = next(log_spans(picture).around(artifact.at(index)), None)
    return (span.pod if span else None) or inside(artifact).pod


def _would_show_ends(artifact: Artifact) -> bool:
    """Not where lines were left out, by the operator or because the log was too long to keep."""
    command = artifact.command or ""
    if artifact.numbers or _OF_MANY.search(command):
        return False
    return not _SEARCH.search(command) or bool(_SEARCH_FOR_ENDS.search(command))


def _restarted(artifact: Artifact, index: int, picture: Picture) -> bool:
    """A container that was started as often explains the starts by itself."""
    pod = _pod(artifact, index, picture)
    return any((one.restarts or 0) >= TWICE for one in picture.all(Pod) if one.name == pod)


SIGNS = {"felix-ends-unheard": felix_ends_unheard, "felix-ends-at-once": felix_ends_at_once}

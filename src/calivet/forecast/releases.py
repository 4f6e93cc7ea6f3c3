"""Which release of Calico runs, as closely as the evidence tells: its choices changed over the releases."""

from __future__ import annotations

from msgspec import Struct

from calivet.facts.calico import LogSpan, NodeAddress
from calivet.facts.cluster_facts import ClusterFacts, once
from calivet.facts.fact import Version
from calivet.search.expressions import expression

Release = tuple[int, int, int]

_FIRST: Release = (0, 0, 0)
_LAST: Release = (99, 99, 99)
_WRITTEN = expression(r"v?(?P<major>\d+)\.(?P<minor>\d+)(?:\.(?P<patch>\d+))?")
_PROGRAMS = ("calico-node", "felix", "calico-cni", "calico")
# A log line names the file that wrote it, and those moved: the first that fits tells the most.
_SHAPES: tuple[tuple[str, Release, Release], ...] = (
    ("startup/autodetection_methods.go ", (3, 22, 0), _LAST),
    ("startup/startup.go ", (3, 14, 0), _LAST),
    ("] startup.go ", _FIRST, (3, 13, 99)),
)


class RunningRelease(Struct, frozen=True):
    """The release lies between these two, both included."""

    least: Release = _FIRST
    most: Release = _LAST

    @property
    def known(self) -> bool:
        """Whether anything at all was seen of it."""
        return (self.least, self.most) != (_FIRST, _LAST)

    def since(self, release: Release) -> bool | None:
        """Whether it has what came with that release; None where it cannot be told."""
        if self.least >= release:
            return True
        return False if self.most < release else None

    def may_be_between(self, since: str, until: str) -> bool:
        """Whether nothing known contradicts that it is between these two, as `3.22`; an empty one is no limit."""
        too_old = bool(since) and self.since(parse_release(since).least) is False
        return not too_old and (not until or self.least <= parse_release(until).most)

    def within(self, first: Release, last: Release) -> bool:
        """Whether it surely lies between these two."""
        return first <= self.least and self.most <= last


NOT_SEEN = RunningRelease()


def parse_release(written: str) -> RunningRelease:
    """What a version text says: v3.24.5, or 3.24 for any of its patch releases."""
    if not (found := _WRITTEN.search(written)):
        return NOT_SEEN
    major, minor = int(found["major"]), int(found["minor"])
    if found["patch"] is None:
        return RunningRelease((major, minor, 0), (major, minor, 99))
    exact = (major, minor, int(found["patch"]))
    return RunningRelease(exact, exact)


@once
def find_running_release(picture: ClusterFacts) -> RunningRelease:
    """The release of calico-node: by its image or log as last seen, else by the shape of its log lines."""
    seen = [fact for program in _PROGRAMS for fact in picture.all(Version) if fact.program == program]
    first = next((fact.program for fact in seen), None)
    told = [parse_release(fact.version) for fact in seen if fact.program == first]
    return next((one for one in reversed(told) if one.known), None) or _guess_by_shape(picture)


def _guess_by_shape(picture: ClusterFacts) -> RunningRelease:
    lines = [fact.at.text for fact in (*picture.all(NodeAddress), *picture.all(LogSpan))]
    for shape, least, most in _SHAPES:
        if any(shape in line for line in lines):
            return RunningRelease(least, most)
    return NOT_SEEN

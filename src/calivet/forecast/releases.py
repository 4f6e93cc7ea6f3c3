"""Which release of Calico runs, as closely as the evidence tells: its choices changed over the releases."""

from __future__ import annotations

from msgspec import Struct

from calivet.evidence.expressions import expression
from calivet.facts.calico import LogSpan, NodeAddress
from calivet.facts.fact import Version
from calivet.facts.picture import Picture, once

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


class Running(Struct, frozen=True):
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

    def within(self, first: Release, last: Release) -> bool:
        """Whether it surely lies between these two."""
        return first <= self.least and self.most <= last


NOT_SEEN = Running()


def release(written: str) -> Running:
    """What a version text says: v3.24.5, or 3.24 for any of its patch releases."""
    if not (found := _WRITTEN.search(written)):
        return NOT_SEEN
    major, minor = int(found["major"]), int(found["minor"])
    if found["patch"] is None:
        return Running((major, minor, 0), (major, minor, 99))
    exact = (major, minor, int(found["patch"]))
    return Running(exact, exact)


@once
def running(picture: Picture) -> Running:
    """The release of calico-node: by its image or log as last seen, else by the shape of its log lines."""
    seen = [fact for program in _PROGRAMS for fact in picture.all(Version) if fact.program == program]
    first = next((fact.program for fact in seen), None)
    told = [release(fact.version) for fact in seen if fact.program == first]
    return next((one for one in reversed(told) if one.known), None) or _by_shape(picture)


def _by_shape(picture: Picture) -> Running:
    lines = [fact.at.text for fact in (*picture.all(NodeAddress), *picture.all(LogSpan))]
    for shape, least, most in _SHAPES:
        if any(shape in line for line in lines):
            return Running(least, most)
    return NOT_SEEN

"""Requirements that a computed sign of the catalogue already knows how to find broken."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from calivet.evidence.artifact import Line
from calivet.facts.picture import Picture
from calivet.preflight.host import Host
from calivet.preflight.requirement import Outcome, Result, passes, unchecked
from calivet.preflight.unread import NO_CLUSTER, NOT_TOLD, not_read
from calivet.signs.computed.registry import COMPUTED
from calivet.signs.sighting import Sighting

Shown = Callable[[Host], Line | None]


def seen(name: str, picture: Picture, host: Host) -> Iterator[Sighting]:
    """Where a sign was seen on this node, or on none in particular."""
    for sighting in COMPUTED[name](picture):
        if sighting.node is None or sighting.node.lower() in (host.name.lower(), host.node.lower()):
            yield sighting


def fails_by(name: str, sighting: Sighting) -> Result:
    """In the words that the catalogue has for the sign."""
    return Result(outcome=Outcome.FAIL, sign=name, line=sighting.line, values=sighting.values)


def by_signs(*names: str, shown: Shown, asked: str) -> Callable[[Host], Result]:
    """Fails where the probe shows one of the signs; passes where a line shows that it would have."""

    def examine(host: Host) -> Result:
        for name in names:
            for sighting in seen(name, host.picture, host):
                return fails_by(name, sighting)
        line = shown(host)
        return passes(line) if line else not_read(host, asked)

    return examine


def by_cluster_signs(*names: str, shown: Shown) -> Callable[[Host], Result]:
    """The same for what only node and cluster together show."""

    def examine(host: Host) -> Result:
        if host.cluster is None:
            return unchecked(NO_CLUSTER)
        for name in names:
            for sighting in seen(name, host.together, host):
                return fails_by(name, sighting)
        line = shown(host)
        return passes(line) if line else unchecked(NOT_TOLD)

    return examine

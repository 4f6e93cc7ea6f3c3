"""A scenario: how to break a cluster, and what calivet should say of it."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from tests.e2e.scenarios.cluster import Cluster


class Scenario(Struct, frozen=True):
    """Expected is the best answer that can be had from the API alone."""

    name: str
    build: Callable[[], Cluster]
    cause: str | None
    """None: healthy."""
    also: tuple[str, ...] = ()
    """Other fair answers in its place."""
    together: tuple[str, ...] = ()
    """Found beside it: these must all be among the findings."""
    nodes: tuple[str, ...] = ()
    """Where the cause sits; none where it is the whole cluster's."""
    sufficient: bool = True
    """Whether the API shows enough to assert it; if not, it must be among the first three that are named."""
    undecided: bool = False
    """Nothing is to be asserted, and it is not healthy either: it is not over yet, or nothing more can be known."""
    never: tuple[str, ...] = ()
    """Causes that are ruled out by what answers, so they are not even offered."""

    def expected(self) -> str:
        """For people."""
        where = f" on {', '.join(self.nodes)}" if self.nodes else ""
        if self.undecided:
            return "left open"
        return f"{self.cause or 'healthy'}{where}{'' if self.sufficient else ' (among the first three)'}"


def scenario(
    cause: str | None,
    *nodes: str,
    also: tuple[str, ...] = (),
    together: tuple[str, ...] = (),
    sufficient: bool = True,
    undecided: bool = False,
    never: tuple[str, ...] = (),
) -> Callable[[Callable[[], Cluster]], Scenario]:
    """Makes a builder of clusters a scenario, named after it."""

    def described(build: Callable[[], Cluster]) -> Scenario:
        return Scenario(
            build.__name__.replace("_", "-"), build, cause, also, together, nodes, sufficient, undecided, never
        )

    return described

"""Programs of calico-node that runit looks after and that do not live: the list of processes in the container tells."""

from __future__ import annotations

import re
from collections.abc import Iterator

from calivet.evidence.artifact import Artifact
from calivet.evidence.expressions import expression
from calivet.facts.picture import Picture, once
from calivet.signs.computed.installing import calico_nodes_ready
from calivet.signs.sighting import Sighting

_LONGEST = 600
"""Lines of a list of processes."""
_SUPERVISOR = expression(r"\brunsv (?P<program>bird|confd)\s*$")
_FELIX = expression(r"(?:calico-node -felix|calico-felix)\b")
_ALIVE = {
    "bird": expression(r"(?:^|[\s/])bird(?: -| *$)"),
    "confd": expression(r"calico-node -confd\b|(?:^|[\s/])confd -"),
}


def bird_absent(picture: Picture) -> Iterator[Sighting]:
    """Its supervisor runs, Felix runs, BIRD does not."""
    yield from _absent(picture)["bird"]


def confd_absent(picture: Picture) -> Iterator[Sighting]:
    """The same for confd, without which BIRD gets no configuration."""
    yield from _absent(picture)["confd"]


def ready_with_bird(picture: Picture) -> Iterator[Sighting]:
    """Every calico-node is ready; where BIRD was seen to be absent, the probes do not ask for it."""
    if not _absent(picture)["bird"]:
        yield from calico_nodes_ready(picture)


@once
def _absent(picture: Picture) -> dict[str, list[Sighting]]:
    found: dict[str, list[Sighting]] = {program: [] for program in _ALIVE}
    for artifact in picture.artifacts:
        if artifact.prose or artifact.length > _LONGEST:
            continue
        for program, index in _supervised(artifact):
            # Felix among them shows that the list is whole, and not what a search for one name left of it.
            if _runs(artifact, _FELIX) and not _runs(artifact, _ALIVE[program]):
                node = picture.names.node(artifact.host)
                found[program].append(Sighting(line=artifact.at(index), node=node, order=artifact.order))
    return found


def _supervised(artifact: Artifact) -> Iterator[tuple[str, int]]:
    for index, text in enumerate(artifact.lines):
        if "runsv " in text and (row := _SUPERVISOR.search(text)):
            yield row["program"], index


def _runs(artifact: Artifact, wanted: re.Pattern[str]) -> bool:
    return any(wanted.search(text) for text in artifact.lines if "runsv " not in text and "grep" not in text)


SIGNS = {
    "bird-supervised-but-absent": bird_absent,
    "confd-supervised-but-absent": confd_absent,
    "calico-nodes-ready-with-bird": ready_with_bird,
}

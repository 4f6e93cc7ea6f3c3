"""The one way from evidence to answer, for every input."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from msgspec import Struct

from calivet.catalogue.model import Catalogue
from calivet.evidence.artifact import Artifact, Haul, Unreadable
from calivet.facts.fact import Fact
from calivet.facts.picture import Picture
from calivet.facts.times import parse_time
from calivet.readers.read import read
from calivet.reasoning.contrast import contrast
from calivet.reasoning.diagnosis import Diagnosis, Source
from calivet.reasoning.reason import reason
from calivet.redaction.redactor import Redactor
from calivet.signs.collect import Seen, Watch
from calivet.signs.membership import of_members
from calivet.signs.overcome import still_telling


class Examined(Struct, frozen=True):
    """A diagnosis beside what it was made of: the facts, and where each sign was seen."""

    diagnosis: Diagnosis
    picture: Picture
    seen: Seen
    taken: datetime | None = None
    """When the evidence was taken, where whoever brought it knows."""


def diagnose(haul: Haul, catalogue: Catalogue, watch: Watch, nodes: Collection[str] = ()) -> Diagnosis:
    """The answer alone."""
    return examine(haul, catalogue, watch, nodes).diagnosis


def examine(haul: Haul, catalogue: Catalogue, watch: Watch, nodes: Collection[str] = ()) -> Examined:
    """Take the secrets out, read every artifact, look for signs, reason; where nodes are named, about these alone."""
    picture, sources = understand(haul)
    seen = still_telling(of_members(watch.look(picture), picture), picture)
    unreadable = [*haul.unreadable, *_bugs(haul, watch)]
    if nodes:
        named = _named(nodes, picture)
        seen = {key: [one for one in found if one.node is None or one.node in named] for key, found in seen.items()}
        picture = picture.of(named)
    diagnosis = reason(catalogue, picture, seen, sources, unreadable)
    if nodes:
        diagnosis.contrast = contrast(picture.whole)
    diagnosis.replaced = haul.replaced
    return Examined(diagnosis, picture, seen, parse_time(haul.taken))


def understand(haul: Haul) -> tuple[Picture, list[Source]]:
    """Without its secrets: all that the readers make of it, and of what."""
    Redactor().haul(haul)
    facts: list[Fact] = []
    sources: list[Source] = []
    for artifact in haul.artifacts:
        found, unread = read(artifact)
        facts += found
        sources.append(_source(artifact, unread))
    return Picture(haul.artifacts, facts), sources


class UnknownNodeError(Exception):
    """A node that nothing in the evidence speaks of; `known` are those that it speaks of."""

    def __init__(self, name: str, known: list[str]) -> None:
        super().__init__(name)
        self.name, self.known = name, known


def _named(nodes: Collection[str], picture: Picture) -> set[str]:
    for name in nodes:
        if picture.names.node(name) is None:
            raise UnknownNodeError(name, sorted(picture.names.nodes))
    return {found for name in nodes if (found := picture.names.node(name))}


def _bugs(haul: Haul, watch: Watch) -> list[Unreadable]:
    """What broke on the way: said, and the answer given from the rest."""
    broken = [Unreadable(f"{one.name}:{one.first}", why) for one in haul.artifacts for why in one.failed]
    return broken + [Unreadable("calivet", why) for why in watch.failed]


def _source(artifact: Artifact, unread: int) -> Source:
    kind = "note" if artifact.prose else ", ".join(artifact.kinds) or "unrecognised"
    return Source(artifact.name, kind, artifact.length, artifact.first, artifact.host, unread)

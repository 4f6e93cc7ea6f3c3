"""The one way from evidence to answer, for every input."""

from __future__ import annotations

from calivet.catalogue.model import Catalogue
from calivet.evidence.artifact import Artifact, Haul, Unreadable
from calivet.facts.fact import Fact
from calivet.facts.picture import Picture
from calivet.readers.read import read
from calivet.reasoning.diagnosis import Diagnosis, Source
from calivet.reasoning.reason import reason
from calivet.redaction.redactor import Redactor
from calivet.signs.collect import Watch


def diagnose(haul: Haul, catalogue: Catalogue, watch: Watch) -> Diagnosis:
    """Take the secrets out, read every artifact, look for signs, reason."""
    Redactor().haul(haul)
    facts: list[Fact] = []
    sources: list[Source] = []
    for artifact in haul.artifacts:
        found, unread = read(artifact)
        facts += found
        sources.append(_source(artifact, unread))
    picture = Picture(haul.artifacts, facts)
    seen = watch.look(picture)
    diagnosis = reason(catalogue, picture, seen, sources, [*haul.unreadable, *_bugs(haul, watch)])
    diagnosis.replaced = haul.replaced
    return diagnosis


def _bugs(haul: Haul, watch: Watch) -> list[Unreadable]:
    """What broke on the way: said, and the answer given from the rest."""
    broken = [Unreadable(f"{one.name}:{one.first}", why) for one in haul.artifacts for why in one.failed]
    return broken + [Unreadable("calivet", why) for why in watch.failed]


def _source(artifact: Artifact, unread: int) -> Source:
    kind = "note" if artifact.prose else ", ".join(artifact.kinds) or "unrecognised"
    return Source(artifact.name, kind, len(artifact.lines), artifact.first, artifact.host, unread)

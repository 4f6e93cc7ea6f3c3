"""Signs and facts in, the Diagnosis out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set

from calivet.catalogue.model import Catalogue, Strength
from calivet.catalogue.words import Words
from calivet.evidence.artifact import Unreadable
from calivet.facts.picture import Picture
from calivet.reasoning.asking import next_evidence
from calivet.reasoning.choose import Chosen, choose
from calivet.reasoning.components import components
from calivet.reasoning.contrast import contrast
from calivet.reasoning.diagnosis import (
    FAULT,
    HEALTHY,
    INSUFFICIENT,
    Candidate,
    Diagnosis,
    Finding,
    Next,
    SetAside,
    Source,
)
from calivet.reasoning.effects import Observed, observed_effects
from calivet.reasoning.finding import evidence_of, finding
from calivet.reasoning.graph import Graph
from calivet.reasoning.health import contradicted, healthy_nodes, seen_healthy
from calivet.reasoning.missing import not_seen
from calivet.reasoning.weigh import WEIGHT, Judged, judge, place, shifted
from calivet.signs.patterns import Key
from calivet.signs.sighting import Sighting

# A candidate below this is not worth a tired reader's glance.
WORTH_NAMING = 0.08
MOST_CANDIDATES = 6
# Above this a candidate forbids the verdict "healthy".
DOUBT = 0.35
# Findings as sure as this need no more than a command or two that would confirm them.
SURE = 0.9
CONFIRMING = 2


def reason(
    catalogue: Catalogue,
    picture: Picture,
    seen: Mapping[Key, list[Sighting]],
    sources: list[Source],
    unreadable: Sequence[Unreadable] = (),
) -> Diagnosis:
    """Weigh, choose, explain."""
    graph = Graph(catalogue)
    observed = observed_effects(catalogue, seen)
    judged = judge(catalogue, seen)
    for found in judged:
        if contradicted(found, catalogue, picture, observed):
            found.confidence = shifted(found.confidence, -WEIGHT[Strength.STRONG])
    chosen = choose(sorted(judged, key=lambda found: -found.confidence), graph, set(observed))
    findings = [finding(found, chosen, catalogue, graph, observed, picture) for found in chosen.findings]
    findings.sort(key=_weight)
    candidates = [found for found in chosen.candidates if found.confidence >= WORTH_NAMING][:MOST_CANDIDATES]
    sure = bool(findings) and all(found.confidence >= SURE for found in chosen.findings)
    verdict = _verdict(chosen, picture, observed)
    open_causes = [*chosen.findings, *([] if sure else candidates)]
    return Diagnosis(
        verdict=verdict,
        components=components(picture, observed),
        findings=findings,
        candidates=[Candidate(found.cause, found.confidence, evidence_of(found)) for found in candidates],
        contrast=contrast(picture),
        next=_next(verdict, open_causes, catalogue, picture)[: CONFIRMING if sure else None],
        set_aside=_set_aside(catalogue, seen, {place(item.line) for one in findings for item in one.evidence}),
        not_seen=not_seen(picture),
        sources=sources,
        unreadable=list(unreadable),
        titles=_titles(catalogue),
        sick_nodes=sorted(picture.sick_nodes),
        healthy_nodes=healthy_nodes(picture),
    )


def _next(verdict: str, open_causes: list[Judged], catalogue: Catalogue, picture: Picture) -> list[Next]:
    """Nothing more need be asked of a healthy cluster."""
    return [] if verdict == HEALTHY else next_evidence(open_causes, catalogue, picture)


def _weight(found: Finding) -> tuple[bool, bool, int, float]:
    """What is still broken first, then, among the sure, what explains most of what was seen."""
    effects = len({item.effect for item in found.explains})
    return found.later_healthy, found.confidence < SURE, -effects, -found.confidence


def _verdict(chosen: Chosen, picture: Picture, observed: Observed) -> str:
    if chosen.findings:
        return FAULT
    doubt = any(found.confidence >= DOUBT for found in chosen.candidates)
    return HEALTHY if not doubt and seen_healthy(picture, observed) else INSUFFICIENT


def _set_aside(
    catalogue: Catalogue, seen: Mapping[Key, list[Sighting]], proving: Set[tuple[str, int]]
) -> list[SetAside]:
    """The harmless messages, but for lines that a finding rests on."""
    aside = []
    for harmless in catalogue.harmless.values():
        sightings = [one for one in seen.get(Key(harmless.id, "harmless"), []) if not one.note]
        if left := [one for one in sightings if place(one.line) not in proving]:
            aside.append(SetAside(left[0].line, harmless.why, sum(one.count for one in left), left[0].words))
    return aside


def _titles(catalogue: Catalogue) -> dict[str, Words]:
    titles = {effect.id: effect.title for effect in catalogue.effects.values()}
    return titles | {cause.id: cause.title for cause in catalogue.causes.values()}

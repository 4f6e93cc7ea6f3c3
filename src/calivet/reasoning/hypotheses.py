"""From symptoms to hypotheses: the causes that lead to what was seen, before any sign of them was.

How likely each is follows from experience (`causes/experience.json`, generated from the labelled cases): how often it
is met at all, and how often it shows this symptom. What the evidence speaks against becomes less likely, and so does a
cause whose telling command was run and showed nothing of it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence, Set

from msgspec import Struct

from calivet.catalogue.model import Catalogue, Cause, Strength
from calivet.facts.calico import HealthReport, LogSpan
from calivet.facts.cluster_facts import ClusterFacts
from calivet.facts.platform import find_platform
from calivet.reasoning.diagnosis import Citation
from calivet.reasoning.graph import Graph, Observed
from calivet.reasoning.health import is_contradicted
from calivet.reasoning.next_evidence import is_answered
from calivet.reasoning.unexplained import CauseExperience, load_experience
from calivet.reasoning.weigh import WEIGHT, WeighedCause, list_nodes_of
from calivet.signs.sighting import Key, Sighting

CASE_WEIGHT = 0.1
"""One of our own cases says so much less of how often a cause is met than a report from the field."""
KNOWN = 0.9
"""How likely it is a cause of the catalogue: with that the shares are as often right as they say."""
MOST = 4
LEAST = 0.015
_DRAWN = 4.0
"""So many cases is the graph worth where experience is thin."""
_BY_STEPS = (0.5, 0.15, 0.05)
_LEAK = 0.05
"""A symptom may also be somebody else's."""
_ANSWERED = (0.4, 0.6, 0.8)
"""What is left of a cause after its first, second or later question was answered and no sign of it came up."""
_PASSED = 0.3
"""What is left of a cause that would have kept calico-node from getting where it was seen."""
_OF_AGENT = ("startup", "felix", "confd", "bird", "monitor-addresses", "tunnel-ip-allocator", "mixed")


class Hypothesis(Struct, frozen=True):
    """A cause that would explain the symptoms, and how likely it is among all that would."""

    cause: Cause
    confidence: float


def find_first_symptoms(symptoms: Set[str], graph: Graph) -> list[str]:
    """Those that do not follow at once from another one that was seen: what follows would count the same twice."""
    follow = {after for one in symptoms for after in graph.next(one)}
    return sorted(symptoms - follow)


def rank_hypotheses(
    symptoms: Mapping[str, int],
    catalogue: Catalogue,
    graph: Graph,
    met: Mapping[str, CauseExperience],
    left: Mapping[str, float],
) -> list[Hypothesis]:
    """Every cause that leads to one of the first symptoms, likeliest first.

    `symptoms` tells how often each was seen, `left` what the evidence leaves of each cause.
    """
    first = {name: symptoms[name] for name in find_first_symptoms(symptoms.keys(), graph)}
    worth = {
        cause.id: _compute_worth(cause, first, graph, met) * left.get(cause.id, 1.0)
        for cause in catalogue.causes.values()
        if any(graph.leads(cause.id, symptom) for symptom in first)
    }
    total = sum(worth.values())
    ranked = sorted(worth, key=lambda name: (-worth[name], name)) if total else []
    return [Hypothesis(catalogue.causes[name], KNOWN * worth[name] / total) for name in ranked]


def _compute_worth(
    cause: Cause, symptoms: Mapping[str, int], graph: Graph, met: Mapping[str, CauseExperience]
) -> float:
    """How often the cause is met, times how often it shows each of the symptoms.

    One that was said once beside another that was said all the time may have been there for a moment only.
    """
    known = met.get(cause.id, CauseExperience())
    worth = 1.0 + known.cases * CASE_WEIGHT + known.reports
    most = max(symptoms.values())
    for name, count in symptoms.items():
        chance = _LEAK + (1 - _LEAK) * _expect(cause.id, name, known, graph)
        worth *= math.pow(chance, count / most)
    return worth


def _expect(cause: str, symptom: str, known: CauseExperience, graph: Graph) -> float:
    """In which part of its cases the cause shows the symptom."""
    drawn = _DRAWN * _expect_from_graph(cause, symptom, graph)
    return (known.effects.get(symptom, 0) + drawn) / (known.cases + _DRAWN)


def _expect_from_graph(cause: str, symptom: str, graph: Graph) -> float:
    """The nearer the symptom is to the cause, the likelier it shows."""
    row = graph.next(cause)
    for chance in _BY_STEPS:
        if symptom in row:
            return chance
        row = [after for name in row for after in graph.next(name)]
    return _BY_STEPS[-1] if graph.leads(cause, symptom) else 0.0


def measure_what_is_left(
    catalogue: Catalogue, picture: ClusterFacts, observed: Observed, seen: Mapping[Key, list[Sighting]]
) -> dict[str, float]:
    """For each cause the part of its likelihood that the evidence leaves it."""
    platform = find_platform(picture)
    answered = {name for name, question in catalogue.questions.items() if is_answered(question, picture)}
    passed = set(list_what_was_passed(picture)) - observed.keys()
    left: dict[str, float] = {}
    for cause in catalogue.causes.values():
        if not platform.fits(cause.when):
            left[cause.id] = 0.0
            continue
        share = math.prod(_list_shares(cause, answered, seen))
        share *= math.prod(_PASSED for name in (cause.id, *cause.leads_to) if name in passed)
        if is_contradicted(WeighedCause(cause, []), catalogue, picture, observed):
            share *= math.exp(-WEIGHT[Strength.STRONG])
        left[cause.id] = share
    return left


def list_what_was_passed(picture: ClusterFacts) -> Iterator[str]:
    """What did not happen, because calico-node was seen further on: it logs, has its datastore, Felix is ready."""
    spans = [span for span in picture.all(LogSpan) if span.program in _OF_AGENT]
    if spans:
        yield from ("calico-node-init-stuck", "calico-node-not-created")
    if any(span.program in ("felix", "confd") for span in spans):
        # Before any of them runs, the node has an address that no other record has.
        yield from ("api-unreachable", "no-ip-autodetected", "duplicate-node-ip")
    if any(report.component is None and report.ready for report in picture.all(HealthReport)):
        yield "felix-not-ready"


def _list_shares(cause: Cause, answered: Set[str], seen: Mapping[Key, list[Sighting]]) -> Iterator[float]:
    for sign in cause.against:
        if seen.get(Key(cause.id, sign.id)):
            yield math.exp(-WEIGHT[sign.strength])
    for rank, name in enumerate(cause.ask):
        if name in answered:
            yield _ANSWERED[min(rank, len(_ANSWERED) - 1)]


def build_hypotheses(
    catalogue: Catalogue,
    graph: Graph,
    picture: ClusterFacts,
    symptoms: Observed,
    observed: Observed,
    seen: Mapping[Key, list[Sighting]],
) -> list[WeighedCause]:
    """The likeliest few causes of the symptoms."""
    if not symptoms:
        return []
    left = measure_what_is_left(catalogue, picture, observed, seen)
    counts = {name: len(found) for name, found in symptoms.items()}
    ranked = rank_hypotheses(counts, catalogue, graph, load_experience().causes, left)
    nodes = list_nodes_of(sighting for found in symptoms.values() for sighting in found)
    return [
        WeighedCause(one.cause, [], one.confidence, nodes, is_hypothesis=True)
        for one in ranked[:MOST]
        if one.confidence >= LEAST
    ]


def cite_symptoms(cause: str, catalogue: Catalogue, graph: Graph, symptoms: Observed) -> list[Citation]:
    """The symptoms that the cause would explain, each with its first line."""
    first = [one for one in find_first_symptoms(symptoms.keys(), graph) if graph.leads(cause, one)]
    return [_cite(catalogue, name, symptoms[name]) for name in first]


def _cite(catalogue: Catalogue, effect: str, sightings: Sequence[Sighting]) -> Citation:
    one = sightings[0]
    count = sum(each.count for each in sightings)
    return Citation(one.line, catalogue.effects[effect].title, "weak", count, one.note, one.words)


def join_hypotheses(candidates: Sequence[WeighedCause], hypotheses: Sequence[WeighedCause]) -> list[WeighedCause]:
    """Causes with a sign of their own first; among equally likely ones the one that experience expects."""
    expected = {one.cause.id: one.confidence for one in hypotheses}
    named = sorted(candidates, key=lambda one: (-round(one.confidence, 1), -expected.get(one.cause.id, 0.0)))
    known = {one.cause.id for one in named}
    least = min((one.confidence for one in named), default=1.0)
    for one in [one for one in hypotheses if one.cause.id not in known][: max(MOST - len(named), 0)]:
        one.confidence = min(one.confidence, least)
        named.append(one)
    return named

"""The smallest set of causes that explains what was seen: roots are findings, what follows from them is not."""

from __future__ import annotations

from msgspec import Struct, field

from calivet.catalogue.model import Strength
from calivet.reasoning.graph import Graph
from calivet.reasoning.weigh import WEIGHT, Judged, confidence, shifted

STRONG = WEIGHT[Strength.STRONG]
ASSERTED = 0.6
"""From here on a cause is named as a finding."""


class Chosen(Struct):
    """Findings, the consequences under each, and the rest."""

    findings: list[Judged] = field(default_factory=list)
    consequences: dict[str, list[str]] = field(default_factory=dict)
    candidates: list[Judged] = field(default_factory=list)


def choose(judged: list[Judged], graph: Graph, observed: set[str]) -> Chosen:
    """Take the causes most likely first; each further one must bring something that the others do not explain."""
    _raise_upstream(judged, graph)
    roots, follows = _roots([found for found in judged if found.confidence >= ASSERTED], graph)
    chosen = Chosen(consequences=follows)
    followers = {name for names in follows.values() for name in names}
    for found in sorted(roots, key=lambda root: not root.proven):
        if _adds(found, chosen.findings, graph, observed):
            chosen.findings.append(found)
        else:
            chosen.candidates.append(found)
    named = {found.cause.id for found in (*chosen.findings, *chosen.candidates)}
    chosen.candidates += [found for found in judged if found.cause.id not in named | followers]
    # About equally likely ones: what explains more of what was seen goes first.
    chosen.candidates.sort(
        key=lambda found: (
            -round(found.confidence, 1),
            -len(graph.explained(found.cause.id, observed)),
            -found.confidence,
        )
    )
    return chosen


def _raise_upstream(judged: list[Judged], graph: Graph) -> None:
    """A fault with a strong sign of its own becomes likelier when what it leads to is established."""
    established = [found for found in judged if found.confidence >= ASSERTED]
    for found in judged:
        if found.confidence >= ASSERTED:
            continue
        strong = any(WEIGHT[seen.strength] >= STRONG for seen in found.speaking_for)
        if strong and any(graph.leads(found.cause.id, other.cause.id) and _meet(found, other) for other in established):
            found.confidence = shifted(found.confidence, WEIGHT[Strength.FAIR])
    judged.sort(key=lambda found: -found.confidence)


def _roots(established: list[Judged], graph: Graph) -> tuple[list[Judged], dict[str, list[str]]]:
    """Part the established causes into roots and what follows from a root on the same node."""
    roots: list[Judged] = []
    follows: dict[str, list[str]] = {}
    for found in established:
        upstream = [
            other for other in established if graph.leads(other.cause.id, found.cause.id) and _meet(other, found)
        ]
        top = [one for one in upstream if not any(graph.leads(other.cause.id, one.cause.id) for other in upstream)]
        if top:
            follows.setdefault(top[0].cause.id, []).append(found.cause.id)
        else:
            roots.append(found)
    return roots, follows


def _meet(cause: Judged, consequence: Judged) -> bool:
    """A fault of one node explains what is seen on that node, or what no node is named for."""
    return not cause.nodes or not consequence.nodes or bool(set(cause.nodes) & set(consequence.nodes))


def _adds(found: Judged, findings: list[Judged], graph: Graph, observed: set[str]) -> bool:
    """A second fault needs evidence of its own, and either proof or an effect nobody has explained yet."""
    if not findings:
        return True
    used = {line for other in findings for line in other.lines}
    alone = confidence(found.seen, without=used)
    if alone < ASSERTED:
        found.confidence = min(found.confidence, alone)
        return False
    if any(seen.strength is Strength.PROOF and not seen.lines <= used for seen in found.speaking_for):
        return True
    if any(_look_alike(found, other) and _meet(other, found) for other in findings):
        found.confidence = min(found.confidence, ASSERTED - 0.05)
        return False
    explained = {effect for other in findings for effect in graph.explained(other.cause.id, observed)}
    return bool(set(graph.explained(found.cause.id, observed)) - explained)


def _look_alike(one: Judged, other: Judged) -> bool:
    """Whether either file says that the two are mistaken for each other."""
    return any(mistaken.cause == other.cause.id for mistaken in one.cause.mistaken_for) or any(
        mistaken.cause == one.cause.id for mistaken in other.cause.mistaken_for
    )

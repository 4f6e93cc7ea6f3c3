"""The smallest set of causes that explains what was seen, and the one that is likely where nothing is established."""

from __future__ import annotations

import math

from msgspec import Struct, field

from calivet.catalogue.model import Strength
from calivet.reasoning.graph import Graph
from calivet.reasoning.weigh import WEIGHT, WeighedCause, compute_confidence, shift_confidence

STRONG = WEIGHT[Strength.STRONG]
ASSERTED = 0.6
"""From here on a cause is named as a finding."""
SURE = 0.95
"""So likely must a second cause be that explains nothing which anybody missed; two strong signs are not enough."""
SEVERAL = 2
HINTED = 0.5
"""No likelier do hints of middle strength make a cause, however many they are."""


class Selection(Struct):
    """Findings, the consequences under each, and the rest."""

    findings: list[WeighedCause] = field(default_factory=list)
    consequences: dict[str, list[str]] = field(default_factory=dict)
    candidates: list[WeighedCause] = field(default_factory=list)


def choose_causes(weighed: list[WeighedCause], graph: Graph, observed: set[str]) -> Selection:
    """Take the causes most likely first; each further one must bring something that the others do not explain."""
    for found in weighed:
        if not _is_more_than_hinted(found, graph, observed):
            found.confidence = min(found.confidence, HINTED)
    _raise_upstream(weighed, graph)
    roots, follows = _find_roots([found for found in weighed if found.confidence >= ASSERTED], graph)
    selection = Selection(consequences=follows)
    followers = {name for names in follows.values() for name in names}
    for found in sorted(roots, key=lambda root: not root.proven):
        if _is_independent(found, selection.findings, graph, observed):
            selection.findings.append(found)
        else:
            selection.candidates.append(found)
    named = {found.cause.id for found in (*selection.findings, *selection.candidates)}
    selection.candidates += [found for found in weighed if found.cause.id not in named | followers]
    # About equally likely ones: what explains more of what was seen goes first.
    selection.candidates.sort(
        key=lambda found: (
            -round(found.confidence, 1),
            -len(graph.list_explained_effects(found.cause.id, observed)),
            -found.confidence,
        )
    )
    return selection


def _is_more_than_hinted(found: WeighedCause, graph: Graph, observed: set[str]) -> bool:
    """Whether one strong sign speaks for it, the author's own words do, or something was seen that it would explain.

    However many hints there are, they show a feature in use where nothing suffers from it.
    """
    strongest = max((WEIGHT[seen.strength] for seen in found.speaking_for), default=0.0)
    return strongest >= STRONG or found.fits_words or bool(graph.list_explained_effects(found.cause.id, observed))


def _raise_upstream(weighed: list[WeighedCause], graph: Graph) -> None:
    """A fault with a strong sign of its own becomes likelier when what it leads to is established."""
    established = [found for found in weighed if found.confidence >= ASSERTED]
    for found in weighed:
        if found.confidence >= ASSERTED:
            continue
        strong = any(WEIGHT[seen.strength] >= STRONG for seen in found.speaking_for)
        if strong and any(
            graph.leads(found.cause.id, other.cause.id) and _do_meet(found, other) for other in established
        ):
            found.confidence = shift_confidence(found.confidence, WEIGHT[Strength.FAIR])
    weighed.sort(key=lambda found: -found.confidence)


def _find_roots(established: list[WeighedCause], graph: Graph) -> tuple[list[WeighedCause], dict[str, list[str]]]:
    """Part the established causes into roots and what follows from a root on the same node."""
    roots: list[WeighedCause] = []
    follows: dict[str, list[str]] = {}
    for found in established:
        upstream = [
            other for other in established if graph.leads(other.cause.id, found.cause.id) and _do_meet(other, found)
        ]
        top = [one for one in upstream if not any(graph.leads(other.cause.id, one.cause.id) for other in upstream)]
        if top:
            follows.setdefault(top[0].cause.id, []).append(found.cause.id)
        else:
            roots.append(found)
    return roots, follows


def _do_meet(cause: WeighedCause, consequence: WeighedCause) -> bool:
    """A fault of one node explains what is seen on that node, or what no node is named for."""
    return not cause.nodes or not consequence.nodes or bool(set(cause.nodes) & set(consequence.nodes))


def _is_independent(found: WeighedCause, findings: list[WeighedCause], graph: Graph, observed: set[str]) -> bool:
    """A second fault needs evidence of its own, and proof, several strong signs or an effect nobody explained yet."""
    if not findings:
        return True
    used = {line for other in findings for line in other.lines}
    alone = compute_confidence(found.seen, without=used)
    if alone < ASSERTED:
        found.confidence = min(found.confidence, alone)
        return False
    if any(seen.strength is Strength.PROOF and not seen.lines <= used for seen in found.speaking_for):
        return True
    if any(look_alike(found, other) and _do_meet(other, found) for other in findings):
        found.confidence = min(found.confidence, ASSERTED - 0.05)
        return False
    if alone >= SURE and _has_strong_signs(found, used):
        return True
    explained = {effect for other in findings for effect in graph.list_explained_effects(other.cause.id, observed)}
    return bool(set(graph.list_explained_effects(found.cause.id, observed)) - explained)


def _has_strong_signs(found: WeighedCause, used: set[tuple[str, int]]) -> bool:
    """Whether several strong signs were printed on lines of their own."""
    strong = [seen for seen in found.speaking_for if WEIGHT[seen.strength] >= STRONG and not seen.is_told]
    lines = {line for seen in strong for line in seen.lines - used}
    return sum(not seen.lines <= used for seen in strong) >= SEVERAL and len(lines) >= SEVERAL


def look_alike(one: WeighedCause, other: WeighedCause) -> bool:
    """Whether either file says that the two are mistaken for each other."""
    return any(mistaken.cause == other.cause.id for mistaken in one.cause.mistaken_for) or any(
        mistaken.cause == one.cause.id for mistaken in other.cause.mistaken_for
    )


ALONE = 1.2
"""What it adds, in log-odds, that no other cause accounts for the same evidence."""
SICK = 1.2
"""What it adds that something was seen to be wrong, which has to come from somewhere."""
NEAR = 1.5
"""So close, in log-odds, another cause is a rival; a look-alike also from further off."""
NEAR_LOOK_ALIKE = 2.0
AS_LIKELY = 0.05
TWO_HINTS = 0.25
BOTH_UNDERSTAND = 0.35
"""What it adds that his concepts and his words both lead to the same cause."""
SAYS_PLAINLY = 1.0
"""What it adds that his words are so plainly those of the cause that they name it alone."""
WORTH_A_THOUGHT = 0.1


def assert_likely(selection: Selection, graph: Graph, observed: set[str], *, sick: bool) -> None:
    """Make the first candidate a finding, if nothing is established and nothing rivals it.

    What was seen to be wrong makes it likelier only where it may come from there.
    """
    if selection.findings or not selection.candidates:
        return
    best = _find_best(selection.candidates, graph)
    others = [found for found in selection.candidates if found is not best]
    if best.is_off_topic or any(_is_rival(best, other, graph) for other in others):
        return
    is_its_own = not observed or bool(graph.list_explained_effects(best.cause.id, observed))
    raised = _raise_told(best) if best.is_told else _raise_confidence(best, sick=sick and is_its_own)
    if raised >= ASSERTED:
        best.confidence = raised
        selection.findings.append(best)
        selection.candidates = [found for found in selection.candidates if found is not best]


def _find_best(candidates: list[WeighedCause], graph: Graph) -> WeighedCause:
    """The most likely one; of two that are as likely and of which one follows from the other, the root."""
    best = max(candidates, key=lambda found: found.confidence)
    for found in candidates:
        if found.confidence > best.confidence - AS_LIKELY and graph.leads(found.cause.id, best.cause.id):
            best = found
    return best


def _raise_told(found: WeighedCause) -> float:
    """What an author says alone is weighed as such: that nobody else speaks makes it no surer.

    But two ways to understand him that know nothing of each other, by concepts and by his choice of words, seldom
    agree by chance: seven of seven that did were right at first look.
    """
    if found.worded and HINTED < found.confidence < ASSERTED:
        return shift_confidence(found.confidence, SAYS_PLAINLY)
    return shift_confidence(found.confidence, BOTH_UNDERSTAND if found.fits_words else 0)


def _raise_confidence(found: WeighedCause, *, sick: bool) -> float:
    """Hints of middle strength speak only where something is sick, a program gave one, and there are two of them.

    A single one was right in two of three cases from which a third of the lines had been taken: too few to assert.
    Beside what a program hints, the author's choice of words is a second one: sign and plain words agreed on the right
    cause in 21 of 21 fresh texts.
    """
    if found.confidence < WORTH_A_THOUGHT:
        return found.confidence
    strongest = max(WEIGHT[seen.strength] for seen in found.speaking_for)
    if strongest < WEIGHT[Strength.STRONG]:
        printed = any(seen.printed_lines and seen.strength is Strength.FAIR for seen in found.speaking_for)
        if not (sick and (printed or found.fits_words)) or found.confidence < TWO_HINTS:
            return found.confidence
    return shift_confidence(found.confidence, ALONE + (SICK if sick else 0))


def _is_rival(best: WeighedCause, other: WeighedCause, graph: Graph) -> bool:
    """Neither leads to the other, and the other is about as likely."""
    if other.confidence < WORTH_A_THOUGHT:
        return False
    if graph.leads(best.cause.id, other.cause.id) or graph.leads(other.cause.id, best.cause.id):
        return False
    near = NEAR_LOOK_ALIKE if look_alike(best, other) else NEAR
    return _compute_log_odds(best.confidence) - _compute_log_odds(other.confidence) < near


def _compute_log_odds(confidence: float) -> float:
    return math.log(max(confidence, 1e-9) / max(1 - confidence, 1e-9))

"""Two diagnoses in, what became of each cause out."""

from __future__ import annotations

from msgspec import Struct

from calivet.contract.comparison import Candidate, Cause, Remaining
from calivet.contract.diagnosis import Component, Document, Finding, Verdict


class Changed(Struct, frozen=True):
    """A part of the cluster that is seen in another state; None for one that was not looked at."""

    id: str
    before: Component | None
    after: Component | None


class Comparison(Struct, frozen=True, kw_only=True):
    """Two diagnoses side by side. Causes go by the titles that they came with."""

    before: Verdict
    after: Verdict
    unrelated: bool
    """Both name nodes, and none in common: it may not be the same cluster."""
    new: list[Cause]
    remaining: list[Remaining]
    fixed: list[Cause]
    unseen: list[Cause]
    """Not found any more, but nothing shows that it is repaired."""
    components: list[Changed]
    candidates: list[Candidate]


NOTABLE = 0.05
"""A candidate is weighed a little differently each time; less than this is no news."""


def compare(old: Document, new: Document) -> Comparison:
    """What is new, what remains, what is fixed, and what is merely not seen any more."""
    before, after = _index_findings(old), _index_findings(new)
    gone = _list_only_in(old, new)
    fixed = [item for item in gone if _was_seen_well(item, old, new)]
    return Comparison(
        before=old.verdict,
        after=new.verdict,
        unrelated=_are_unrelated(old, new),
        new=_list_only_in(new, old),
        remaining=[_compare_remaining(before[cause], finding) for cause, finding in after.items() if cause in before],
        fixed=fixed,
        unseen=[item for item in gone if item not in fixed],
        components=_list_changed(old, new),
        candidates=_list_shifted(old, new),
    )


def _index_findings(document: Document) -> dict[str, Finding]:
    """By their causes, best first."""
    return {finding.cause: finding for finding in document.findings}


def _index_components(document: Document) -> dict[str, Component]:
    """By a name that is the same in every language, where one was written."""
    return {part.id or part.name: part for part in document.components}


def _list_nodes(document: Document) -> set[str]:
    named = {node for finding in document.findings for node in finding.nodes}
    return named | {*document.nodes.sick, *document.nodes.healthy}


def _list_only_in(one: Document, other: Document) -> list[Cause]:
    there, possible = _index_findings(other), _list_possible(other)
    follows = {cause: finding.cause for finding in other.findings for cause in finding.consequences}
    return [
        Cause(cause, found.title, found.nodes, found.confidence, possible.get(cause), follows.get(cause))
        for cause, found in _index_findings(one).items()
        if cause not in there
    ]


def _list_possible(document: Document) -> dict[str, float]:
    return {candidate.cause: candidate.confidence for candidate in document.candidates}


def _was_seen_well(gone: Cause, old: Document, new: Document) -> bool:
    """Whether what the cause had broken was seen whole again; that other evidence shows no sign of it says nothing.

    Its nodes, where they were sick and are healthy now; for a cause of the cluster, every part that was ill.
    """
    if _are_unrelated(old, new):
        return False
    if new.verdict == "healthy":
        return True
    if gone.candidate is not None or gone.follows:
        return False
    if gone.nodes:
        return set(gone.nodes) <= set(old.nodes.sick) & set(new.nodes.healthy)
    ill = {part for part, component in _index_components(old).items() if component.good is False}
    return bool(ill) and ill <= {part for part, component in _index_components(new).items() if component.good}


def _are_unrelated(old: Document, new: Document) -> bool:
    before, after = _list_nodes(old), _list_nodes(new)
    return bool(before and after) and not before & after


def _list_shifted(old: Document, new: Document) -> list[Candidate]:
    """Causes that were never more than possible, and are more or less so now."""
    before, after = _list_possible(old), _list_possible(new)
    found = _index_findings(old).keys() | _index_findings(new).keys()
    return [
        Candidate(cause, before.get(cause), after.get(cause))
        for cause in {**after, **before}
        if cause not in found and _do_differ(before.get(cause), after.get(cause))
    ]


def _do_differ(one: float | None, other: float | None) -> bool:
    return one is not other if one is None or other is None else abs(one - other) >= NOTABLE


def _compare_remaining(before: Finding, after: Finding) -> Remaining:
    were, are = set(before.nodes), set(after.nodes)
    return Remaining(
        cause=after.cause,
        title=after.title,
        nodes=after.nodes,
        joined=[node for node in after.nodes if node not in were],
        left=[node for node in before.nodes if node not in are],
        before=before.confidence,
        after=after.confidence,
        later_healthy=after.later_healthy,
    )


def _list_changed(old: Document, new: Document) -> list[Changed]:
    """By whether they are well: how they are described differs with every pod that is named."""
    before, after = _index_components(old), _index_components(new)
    pairs = ((name, before.get(name), after.get(name)) for name in {**after, **before})
    return [
        Changed(name, one, other)
        for name, one, other in pairs
        if (one.good if one else None) is not (other.good if other else None)
    ]

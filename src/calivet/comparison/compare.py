"""Two diagnoses in, what became of each cause out."""

from __future__ import annotations

from calivet.comparison.comparison import Changed, Comparison, OneSided, Remaining, Shifted
from calivet.comparison.side import Found, Side

NOTABLE = 0.05
"""A candidate is weighed a little differently each time; less than this is no news."""


def compare(old: Side, new: Side) -> Comparison:
    """What is new, what remains, what is fixed, and what is merely not seen any more."""
    before, after = old.found(), new.found()
    gone = _only_in(old, new)
    fixed = [item for item in gone if _seen_well(item, old, new)]
    return Comparison(
        before=old.verdict,
        after=new.verdict,
        unrelated=_unrelated(old, new),
        new=_only_in(new, old),
        remaining=[_remaining(before[cause], finding) for cause, finding in after.items() if cause in before],
        fixed=fixed,
        unseen=[item for item in gone if item not in fixed],
        components=_changed(old, new),
        candidates=_shifted(old, new),
    )


def _only_in(one: Side, other: Side) -> list[OneSided]:
    there, possible = other.found(), _possible(other)
    follows = {cause: finding.cause for finding in other.findings for cause in finding.consequences}
    return [
        OneSided(finding, possible.get(cause), follows.get(cause))
        for cause, finding in one.found().items()
        if cause not in there
    ]


def _possible(side: Side) -> dict[str, float]:
    return {candidate.cause: candidate.confidence for candidate in side.candidates}


def _seen_well(gone: OneSided, old: Side, new: Side) -> bool:
    """Whether what the cause had broken was seen whole again; that other evidence shows no sign of it says nothing.

    Its nodes, where they were sick and are healthy now; for a cause of the cluster, every part that was ill.
    """
    if _unrelated(old, new):
        return False
    if new.verdict == "healthy":
        return True
    if gone.possible is not None or gone.follows:
        return False
    if nodes := gone.finding.nodes:
        return set(nodes) <= set(old.nodes.sick) & set(new.nodes.healthy)
    ill = {part for part, component in old.parts().items() if component.good is False}
    return bool(ill) and ill <= {part for part, component in new.parts().items() if component.good}


def _unrelated(old: Side, new: Side) -> bool:
    before, after = old.known_nodes(), new.known_nodes()
    return bool(before and after) and not before & after


def _shifted(old: Side, new: Side) -> list[Shifted]:
    before, after = _possible(old), _possible(new)
    found = old.found().keys() | new.found().keys()
    return [
        Shifted(cause, before.get(cause), after.get(cause))
        for cause in {**after, **before}
        if cause not in found and _differ(before.get(cause), after.get(cause))
    ]


def _differ(one: float | None, other: float | None) -> bool:
    return one is not other if one is None or other is None else abs(one - other) >= NOTABLE


def _remaining(before: Found, after: Found) -> Remaining:
    were, are = set(before.nodes), set(after.nodes)
    return Remaining(
        before,
        after,
        joined=[node for node in after.nodes if node not in were],
        left=[node for node in before.nodes if node not in are],
    )


def _changed(old: Side, new: Side) -> list[Changed]:
    """By whether they are well: how they are described differs with every pod that is named."""
    before, after = old.parts(), new.parts()
    pairs = ((name, before.get(name), after.get(name)) for name in {**after, **before})
    return [
        Changed(name, one, other)
        for name, one, other in pairs
        if (one.good if one else None) is not (other.good if other else None)
    ]

"""Many names in few words: how many there are, the first and the last, and which are missing."""

from __future__ import annotations

from collections.abc import Sequence

from calivet.reports.layout.wording import join_names, label

FEW = 6
MOST_MISSING = 3


def shorten_nodes(names: Sequence[str], everyone: Sequence[str], count: int, language: str) -> str:
    """All of a few names; of many how many of how many, the first and the last, and the others where they are few.

    `everyone` are all nodes, where they are known by name; `count` is how many there are.
    """
    if len(names) <= FEW:
        return join_names(names, language)
    ordered = sorted(names)
    ends = {"first": ordered[0], "last": ordered[-1]}
    others = [name for name in everyone if name not in set(names)]
    if len(names) >= count:
        return label("many.nodes", language, count=len(names), **ends)
    if everyone and len(others) <= MOST_MISSING:
        missing = join_names(others, language)
        return label("many.nodes.but", language, count=len(names), total=count, missing=missing, **ends)
    return label("many.nodes.of", language, count=len(names), total=count, **ends)

"""Long lists made short: nodes by what they have in common, and the first few of many."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

MOST_NAMES = 12


class Few(Struct, frozen=True):
    """The first names of a list, and how many follow."""

    names: Sequence[str]
    more: int


def few(names: Sequence[str], most: int = MOST_NAMES) -> Few:
    """As many as one takes in at a glance."""
    return Few(names[:most], max(0, len(names) - most))


def by_value(values: Mapping[str, str]) -> list[tuple[str, Few]]:
    """The nodes that share each value; the value of most nodes first."""
    nodes: dict[str, list[str]] = {}
    for node, value in values.items():
        nodes.setdefault(value, []).append(node)
    return [(value, few(names)) for value, names in sorted(nodes.items(), key=lambda pair: -len(pair[1]))]

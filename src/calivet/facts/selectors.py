"""Calico's label selectors, as far as they are written in plain terms."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import lru_cache

from msgspec import Struct

from calivet.evidence.expressions import expression

Labels = Mapping[str, str]

_TERM = expression(
    r"(?P<not>!\s*)?has\((?P<has>[\w./-]+)\)"
    r"|(?P<key>[\w./-]+)\s*(?P<operator>==|!=)\s*[\"'](?P<value>[^\"']*)[\"']"
)


class Term(Struct, frozen=True):
    """A label, the value that it is compared with (None for any), and whether it must be there or must not."""

    key: str
    value: str | None
    wanted: bool

    def fits(self, labels: Labels) -> bool:
        """Whether these labels are as it says."""
        there = self.key in labels if self.value is None else labels.get(self.key) == self.value
        return there == self.wanted


@lru_cache(1 << 12)
def terms(selector: str) -> tuple[Term, ...]:
    """The terms, all of which must fit; none where it selects everything or is not understood."""
    if "all()" in selector and "!" not in selector:
        return ()
    if "||" in selector or "(" in _TERM.sub("", selector) or " in " in selector:
        return ()
    return tuple(_term(found) for found in _TERM.finditer(selector))


def _term(found: re.Match[str]) -> Term:
    if found["has"]:
        return Term(found["has"], None, not found["not"])
    return Term(found["key"], found["value"], found["operator"] == "==")


def selects(selector: str, labels: Labels) -> bool:
    """Whether the selector fits these labels; one that is not understood is taken to fit."""
    return all(term.fits(labels) for term in terms(selector))


class Selection:
    """Finds the nodes that selectors fit: one that asks for a label's value need not look at all of them."""

    def __init__(self, nodes: Mapping[str, Labels]) -> None:
        """Take each node's labels."""
        self._nodes = nodes
        self._with: dict[tuple[str, str], list[str]] = defaultdict(list)
        for name, labels in nodes.items():
            for label in labels.items():
                self._with[label].append(name)

    def of(self, selector: str) -> Iterable[str]:
        """The nodes that it fits."""
        asked = [(term.key, term.value) for term in terms(selector) if term.wanted and term.value is not None]
        near = self._with.get(asked[0], ()) if asked else self._nodes
        return (name for name in near if selects(selector, self._nodes[name]))

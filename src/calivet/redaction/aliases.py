"""Other names for machines, domains, clusters and people; the same name gets the same other name everywhere."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import count

Branches = dict[str, "Branches"]
END = ""
STEM_LENGTHS = (12, 6, 4, 3, 2)
STEMS = 300


class Aliases:
    """The names of one kind, numbered in the order in which they are replaced."""

    def __init__(self, shape: str) -> None:
        self._fresh = (shape.format(number) for number in count(1))
        self._given: dict[str, str] = {}
        self._taken: set[str] = set()
        self.learnt: set[str] = set()
        """Names to look for wherever they stand; others get their alias only where they were found."""

    def learn(self, name: str) -> None:
        """Take in a name to look for, unless it is an alias that stands for one already."""
        if name.lower() not in self._taken:
            self.learnt.add(name.lower())

    def of(self, name: str) -> str:
        """The other name; what was written with capitals or underscores still is, for both can be a fault."""
        lowered = name.lower()
        if lowered in self._taken and lowered not in self.learnt:
            return name
        if lowered not in self._given:
            # Nobody's real name: what reads like an alias is one.
            alias = next(alias for alias in self._fresh if alias not in self.learnt)
            self._given[lowered] = alias
            self._taken.add(alias)
        alias = self._given[lowered]
        if "_" in name:
            alias = alias.replace("-", "_")
        return alias if name == lowered else alias.capitalize()


def stems(names: Iterable[str]) -> list[str]:
    """Beginnings of all these names, few enough for a scanner: machines are mostly named alike and numbered."""
    known = list(names)
    for length in STEM_LENGTHS:
        found = sorted({name[:length] for name in known})
        if len(found) <= STEMS:
            break
    return found


def any_of(names: Iterable[str]) -> str:
    """A pattern for all these names that takes the longest that fits, and looks at each letter once."""
    root: Branches = {}
    for name in names:
        branch = root
        for letter in name:
            branch = branch.setdefault(letter, {})
        branch[END] = {}
    return _pattern(root) if root else "(?!)"


def _pattern(branch: Branches) -> str:
    ways = [re.escape(letter) + _pattern(rest) for letter, rest in sorted(branch.items()) if letter != END]
    if not ways:
        return ""
    together = ways[0] if len(ways) == 1 and END not in branch else f"(?:{'|'.join(ways)})"
    return f"{together}?" if END in branch else together

"""The words that a pattern cannot match without: far cheaper to look for than the pattern itself."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

Words = frozenset[str]
"""One of these stands in every text that the pattern matches."""

ORDINARY = Path(__file__).parent / "ordinary.txt"
"""Lines that a healthy cluster logs all day: words that stand there would be found at every turn."""
_NEWLINE = ord("\n")
SHORTEST = 3
LONGEST_WEIGHED = 12
MOST = 60
"""More words than this are dearer than the pattern."""


def factors(pattern: str) -> Words | None:
    """Such words, the rarest there are, in lower case; None where there are none worth looking for.

    A pattern that looks around or back is refused: such a one may take more than linear time.
    """
    constants, parser = import_module("re._constants"), import_module("re._parser")
    found = _of_sequence(parser.parse(pattern), constants)
    return found if found and _worth(found) >= SHORTEST and len(found) <= MOST else None


def _of_sequence(items: Iterable[tuple[Any, Any]], constants: Any) -> Words | None:
    """Of things that follow each other, each must be there: take the one that is rarest."""
    choices: list[Words] = []
    run = ""
    for kind, what in items:
        if kind is constants.LITERAL and what != _NEWLINE:
            run += chr(what).lower()
            continue
        choices += _of_run(run)
        run = ""
        if found := _of_item(kind, what, constants):
            choices.append(found)
    choices += _of_run(run)
    return max(choices, key=_worth, default=None)


def _of_run(run: str) -> list[Words]:
    """Only ASCII: what else has two cases is not known to the automaton, and a part of the run is as good."""
    return [frozenset([run])] if run and (run.isascii() or run.upper() == run) else []


def _of_item(kind: Any, what: Any, constants: Any) -> Words | None:
    if kind is constants.SUBPATTERN:
        return _of_sequence(what[3], constants)
    if kind is constants.BRANCH:
        branches = [_of_sequence(branch, constants) for branch in what[1]]
        return frozenset(word for found in branches for word in found or ()) if all(branches) else None
    if kind in (constants.MAX_REPEAT, constants.MIN_REPEAT):
        found = _of_sequence(what[2], constants)
        return found if what[0] else None
    if kind in (constants.ASSERT, constants.ASSERT_NOT, constants.GROUPREF, constants.GROUPREF_EXISTS):
        raise ValueError("it looks around or back, which the scanner cannot")
    return None


@cache
def _worth(words: Words) -> float:
    """As much as its commonest word, and a little less for each further one."""
    return min(map(_rarity, words)) - len(words) / MOST


@cache
def _rarity(word: str) -> float:
    """Long words are rarer than short ones, and what ordinary logs are full of is worth nothing."""
    return 0.0 if word in _ordinary() else float(min(len(word), LONGEST_WEIGHED))


@cache
def _ordinary() -> str:
    return ORDINARY.read_text("utf-8").lower()

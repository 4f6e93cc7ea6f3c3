"""How seldom a word stands in logs where nothing is wrong."""

from __future__ import annotations

import math
from collections import Counter
from functools import cache
from pathlib import Path

ORDINARY = Path(__file__).parent / "ordinary.txt"
"""Lines that the programs of a healthy cluster log all day: words that stand there would be found at every turn."""
WINDOW = 8
"""Characters that the automaton compares at once; more of a word only costs it time."""
_GRAM = 3
_UNSEEN = 0.1
"""How often letters that never follow each other there are taken to do so."""


_DIGITS = str.maketrans("123456789", "0" * 9)


@cache
def rarity(word: str) -> float:
    """The surprise at meeting it in the log where it is likeliest; for what stands in none, more the odder it is."""
    word = word.translate(_DIGITS)
    if word in _pieces(len(word)):
        return -math.log(max(_share(word, program) for program in _programs() if word in program))
    return sum(_surprise(word[at : at + _GRAM]) for at in range(max(1, len(word) - _GRAM + 1)))


@cache
def rarest_part(word: str) -> str:
    """As much of it as is worth looking for."""
    return max(parts(word), key=rarity)


def parts(word: str) -> list[str]:
    """Whatever of it the automaton could look for instead."""
    if len(word) <= WINDOW or not word.isascii():
        return [word]
    return [word[at : at + WINDOW] for at in range(len(word) - WINDOW + 1)]


@cache
def _surprise(gram: str) -> float:
    return math.log(len(_ordinary()) / max(_grams()[gram], _UNSEEN))


@cache
def _grams() -> Counter[str]:
    text = _ordinary()
    return Counter(text[at : at + size] for size in range(1, _GRAM + 1) for at in range(len(text)))


@cache
def _pieces(size: int) -> frozenset[str]:
    """All that stands in ordinary lines, in pieces of this size: to look there is faster than to search the text."""
    text = _ordinary()
    return frozenset(text[at : at + size] for at in range(len(text) - size + 1))


def _share(word: str, program: str) -> float:
    """Of all lines of a program those with this word: what stands in each of them is not rare, however few log it."""
    lines = program.split("\n")
    return sum(word in line for line in lines) / len(lines)


@cache
def _programs() -> list[str]:
    return _ordinary().strip("\n").split("\n\n")


@cache
def _ordinary() -> str:
    """Numbers differ everywhere, so all of them count as the same."""
    return ORDINARY.read_text("utf-8").lower().translate(_DIGITS)

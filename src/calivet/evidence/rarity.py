"""How seldom a word stands in logs where nothing is wrong."""

from __future__ import annotations

import math
from collections import Counter
from functools import cache
from pathlib import Path

ORDINARY = Path(__file__).parent / "ordinary.txt"
"""Lines that a healthy cluster logs all day: words that stand there would be found at every turn."""
WINDOW = 8
"""Characters that the automaton compares at once; more of a word only costs it time."""
_GRAM = 3
_UNSEEN = 0.1
"""How often letters that never follow each other there are taken to do so."""


_DIGITS = str.maketrans("123456789", "0" * 9)


@cache
def rarity(word: str) -> float:
    """The surprise at meeting it: little for what stands in ordinary lines, else more the longer and odder it is."""
    word = word.translate(_DIGITS)
    if often := _ordinary().count(word):
        return max(0.0, math.log(_ordinary().count("\n") / often))
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
def _ordinary() -> str:
    """Numbers differ everywhere, so all of them count as the same."""
    return ORDINARY.read_text("utf-8").lower().translate(_DIGITS)

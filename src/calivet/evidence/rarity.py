"""How seldom a word stands in logs where nothing is wrong."""

from __future__ import annotations

import math
from collections import Counter
from functools import cache
from pathlib import Path

ORDINARY = Path(__file__).parent / "ordinary.txt"
"""Lines that the programs of a healthy cluster log all day: words that stand there would be found at every turn."""
SELDOM = Path(__file__).parent / "seldom.txt"
"""Lines of programs that log little."""
QUIET = 0.1
"""How much of a log is theirs, as against those that log all day."""
WINDOW = 8
"""Characters that the automaton compares at once; more of a word only costs it time."""
_GRAM = 3
_UNSEEN = 0.1
"""How often letters that never follow each other there are taken to do so."""


_DIGITS = str.maketrans("123456789", "0" * 9)
_ONE_DIGIT = math.log(3)
"""The surprise that a digit is this one: some are far likelier than others."""


@cache
def rarity(word: str) -> float:
    """The surprise at meeting it in the log where it is likeliest; for what stands in none, more the odder it is."""
    digits, word = sum(map(str.isdecimal, word)), word.translate(_DIGITS)
    if word in _pieces(len(word)):
        return digits * _ONE_DIGIT - math.log(max(_share(word, *program) for program in _programs()))
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


def _share(word: str, program: str, loudness: float) -> float:
    """Of all lines of a program those with this word: what stands in each of them is not rare, however few log it."""
    if word not in program:
        return 0.0
    lines = program.split("\n")
    return loudness * sum(word in line for line in lines) / len(lines)


@cache
def _programs() -> list[tuple[str, float]]:
    """What each of them logs, and how much of it."""
    files = ((ORDINARY, 1.0), (SELDOM, QUIET))
    return [(program, loudness) for path, loudness in files for program in _text(path).strip("\n").split("\n\n")]


@cache
def _ordinary() -> str:
    return "\n\n".join(program for program, _ in _programs())


def _text(path: Path) -> str:
    """Numbers differ everywhere, so all of them count as the same."""
    return path.read_text("utf-8").lower().translate(_DIGITS)

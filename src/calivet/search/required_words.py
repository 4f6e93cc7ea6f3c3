"""The words that a pattern cannot match without: far cheaper to look for than the pattern itself."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import cache
from importlib import import_module
from itertools import product
from pathlib import Path
from typing import Any

from msgspec import Struct

ORDINARY = Path(__file__).with_name("ordinary.txt")
"""Lines that the programs of a healthy machine log all day; an empty line stands between two programs."""
_ONE_DIGIT = 3
"""That a digit is this one is taken to be so many times rarer: some are far likelier than others."""
_DIGITS = str.maketrans("123456789", "0" * 9)


@cache
def estimate_share_of_lines(word: str) -> float:
    """Of the lines of the program that uses it most, those with this word in lower case.

    The share in all lines together would not do: what stands in every line of one program is met all day where that
    program runs.
    """
    digits, word = sum(map(str.isdecimal, word)), word.translate(_DIGITS)
    if word not in _read_ordinary_text():
        return 0.0
    return float(max(_count_share_in(word, program) for program in _list_programs()) / _ONE_DIGIT**digits)


def _count_share_in(word: str, program: str) -> float:
    if word not in program:
        return 0.0
    lines = program.split("\n")
    return sum(word in line for line in lines) / len(lines)


@cache
def _list_programs() -> list[str]:
    return _read_ordinary_text().strip("\n").split("\n\n")


@cache
def _read_ordinary_text() -> str:
    """Numbers differ everywhere, so all of them count as the same."""
    return ORDINARY.read_text("utf-8").lower().translate(_DIGITS)


Words = frozenset[str]
"""One of these stands in every text that the pattern matches."""

ANYTHING: Words = frozenset([""])
MOST = 64
"""Ways to go on from one place of a pattern that are followed; beyond, a new beginning is made."""
FEW = 10
"""Letters of a class that are tried one by one."""
SHORTEST = 3
"""Bytes of a word."""
EACH = 0.1
"""What it costs to look for one more word, as against deciding on one line in a hundred."""
EACH_SHORT = 0.5
"""The same for a short one: Hyperscan first takes much for it that is not."""
SHORT = 5
"""Bytes from which on a word is not short."""
DEAREST = 5
"""Words that cost more than this are dearer to look for than the pattern itself."""
COMMON = 35
"""To ask for words that cost more than this is dearer than what it spares."""
ENOUGH = 3
"""Sets of words that are asked for before the pattern itself is tried."""


class Look(Struct, frozen=True):
    """What is known of the texts that a part of a pattern matches."""

    starts: Words
    """They begin with one of these."""
    whole: bool = False
    """And there is nothing behind it."""
    inside: tuple[Words, ...] = ()
    """Of each of these, one is somewhere in them."""
    ends: Words = ANYTHING
    """They end with one of these, unless there is nothing behind the beginning."""


NOTHING_KNOWN = Look(ANYTHING)
NO_WIDTH = Look(ANYTHING, whole=True)


@cache
def find_required_words(pattern: str) -> tuple[Words, ...]:
    """Such words in lower case, the rarest first; none where all are too common to tell anything.

    A pattern that looks around or back is refused: such a one may take more than linear time.
    """
    found = _look_at_sequence(import_module("re._parser").parse(pattern), import_module("re._constants"))
    best = _select_telling(_select_usable([found.starts, *found.inside]))
    return tuple(_keep_shortest(words) for words in best[:ENOUGH] if _estimate_cost(words) <= COMMON)


def are_rare(words: Words) -> bool:
    """To decide on every line with one of them costs less than to look for the pattern itself."""
    return _estimate_cost(words) <= DEAREST


def _look_at_sequence(items: Iterable[tuple[Any, Any]], constants: Any) -> Look:
    """Of things that follow each other, each must be there: take those that are rarest."""
    run, choices, starts = ANYTHING, list[Words](), None
    for kind, what in items:
        look = _look_at_item(kind, what, constants)
        longer = _join_words(run, look.starts)
        if longer is None or len(longer) > len(run):
            choices.append(run)  # fewer words may be cheaper than longer ones
        if longer is None:
            starts = run if starts is None else starts
            longer = look.starts
        run = longer
        if not look.whole:
            choices += [run, *look.inside]
            starts = run if starts is None else starts
            run = look.ends
    return Look(run, whole=True) if starts is None else Look(starts, inside=_select_usable([*choices, run]), ends=run)


def _look_at_item(kind: Any, what: Any, constants: Any) -> Look:
    if kind is constants.LITERAL:
        return _look_at_characters([what])
    if kind is constants.IN:
        return _look_at_class(what, constants)
    if kind is constants.AT:
        return NO_WIDTH
    if kind is constants.SUBPATTERN:
        return _look_at_sequence(what[3], constants)
    if kind is constants.BRANCH:
        return _look_at_branches([_look_at_sequence(branch, constants) for branch in what[1]])
    if kind in (constants.MAX_REPEAT, constants.MIN_REPEAT):
        return _look_at_repeat(what[0], what[1], _look_at_sequence(what[2], constants))
    if kind in (constants.ASSERT, constants.ASSERT_NOT, constants.GROUPREF, constants.GROUPREF_EXISTS):
        raise ValueError("it looks around or back, which the scanner cannot")
    return NOTHING_KNOWN


def _look_at_class(members: Iterable[tuple[Any, Any]], constants: Any) -> Look:
    """A class that is spelt out, such as [ab] or [0-9]."""
    codes: list[int] = []
    for kind, what in members:
        if kind is constants.LITERAL:
            codes.append(what)
        elif kind is constants.RANGE and what[1] - what[0] < FEW:
            codes += range(what[0], what[1] + 1)
        else:
            return NOTHING_KNOWN
    return _look_at_characters(codes) if len(codes) <= FEW else NOTHING_KNOWN


def _look_at_characters(codes: Iterable[int]) -> Look:
    """Only ASCII, or what has one case: what else has two is not known to the automaton."""
    letters = [chr(code) for code in codes]
    if any(letter == "\n" or not (letter.isascii() or letter.upper() == letter) for letter in letters):
        return NOTHING_KNOWN
    return Look(frozenset(letter.lower() for letter in letters), whole=True)


def _look_at_branches(looks: list[Look]) -> Look:
    starts = frozenset[str]().union(*(look.starts for look in looks))
    if len(starts) > MOST:
        starts = ANYTHING
    elif all(look.whole for look in looks):
        return Look(starts, whole=True)
    insides = [min(_select_usable([look.starts, *look.inside]), key=_estimate_cost, default=None) for look in looks]
    known = [found for found in insides if found]
    return Look(starts, inside=(frozenset[str]().union(*known),) if len(known) == len(looks) else ())


def _look_at_repeat(least: int, most: Any, look: Look) -> Look:
    if (least, most) == (1, 1):
        return look
    if least and look.whole and len(look.starts) == 1:
        shortest = frozenset(word * min(least, MOST) for word in look.starts)
        return Look(shortest, whole=least == most <= MOST, ends=shortest)
    if least:
        return Look(look.starts, inside=look.inside)
    return Look(look.starts | ANYTHING, whole=True) if look.whole and most == 1 else NOTHING_KNOWN


def _join_words(before: Words, behind: Words) -> Words | None:
    """Each of the one followed by each of the other, while they are few."""
    if len(before) * len(behind) > MOST:
        return None
    return frozenset(map("".join, product(before, behind)))


def _select_usable(choices: Iterable[Words]) -> tuple[Words, ...]:
    return tuple(dict.fromkeys(words for words in choices if words and "" not in words))


def _select_telling(choices: Iterable[Words]) -> list[Words]:
    """The cheapest first, without those that are there anyway where a cheaper one is."""
    found: list[Words] = []
    for words in sorted(choices, key=_estimate_cost):
        if not any(_is_implied_by(cheaper, words) for cheaper in found):
            found.append(words)
    return found


def _is_implied_by(words: Words, others: Words) -> bool:
    return all(any(other in word for other in others) for word in words)


def _keep_shortest(words: Words) -> Words:
    """Without those in which another one is found anyway."""
    return frozenset(word for word in words if not any(other in word for other in words if other != word))


@cache
def _estimate_cost(words: Words) -> float:
    """Lines of a hundred healthy ones in which one of them is met, and a little for each word to look for."""
    if min(len(word.encode()) for word in words) < SHORTEST:
        return math.inf
    return sum(100 * estimate_share_of_lines(word) + _estimate_effort(word) for word in words)


def _estimate_effort(word: str) -> float:
    """The longer a word, the rarer it is where nothing else is known of it."""
    size = len(word.encode())
    return (EACH if size >= SHORT else EACH_SHORT) + EACH / (10 * size)

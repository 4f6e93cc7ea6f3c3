"""The words that a pattern cannot match without: far cheaper to look for than the pattern itself."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import cache
from importlib import import_module
from itertools import product
from typing import Any

from msgspec import Struct

from calivet.evidence.rarity import rarest_part, rarity

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
"""What the automaton has to do for one more word, as against being called for one line in a hundred."""
EACH_SHORT = 0.5
"""The same for a short one: the automaton takes much for it that is not."""
SHORT = 5
"""Bytes from which on a word is not short."""
DEAREST = 3.5
"""Words that cost more than this are dearer than the pattern itself."""
COMMON = 35
"""To note that words are there which cost more than this is dearer than what it spares."""
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
def factors(pattern: str) -> tuple[Words, ...]:
    """Such words in lower case, the rarest first; none where all are too common to tell anything.

    A pattern that looks around or back is refused: such a one may take more than linear time.
    """
    found = _sequence(import_module("re._parser").parse(pattern), import_module("re._constants"))
    best = _telling(_usable([found.starts, *found.inside]))
    return tuple(_shortest(words) for words in best[:ENOUGH] if _cost(words) <= COMMON)


def is_rare(words: Words) -> bool:
    """To look at every line with one of them costs less than to look for the pattern itself."""
    return _cost(words) <= DEAREST


def _sequence(items: Iterable[tuple[Any, Any]], constants: Any) -> Look:
    """Of things that follow each other, each must be there: take those that are rarest."""
    run, choices, starts = ANYTHING, list[Words](), None
    for kind, what in items:
        look = _item(kind, what, constants)
        longer = _joined(run, look.starts)
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
    return Look(run, whole=True) if starts is None else Look(starts, inside=_usable([*choices, run]), ends=run)


def _item(kind: Any, what: Any, constants: Any) -> Look:
    if kind is constants.LITERAL:
        return _one_of([what])
    if kind is constants.IN:
        return _one_of_class(what, constants)
    if kind is constants.AT:
        return NO_WIDTH
    if kind is constants.SUBPATTERN:
        return _sequence(what[3], constants)
    if kind is constants.BRANCH:
        return _branches([_sequence(branch, constants) for branch in what[1]])
    if kind in (constants.MAX_REPEAT, constants.MIN_REPEAT):
        return _repeated(what[0], what[1], _sequence(what[2], constants))
    if kind in (constants.ASSERT, constants.ASSERT_NOT, constants.GROUPREF, constants.GROUPREF_EXISTS):
        raise ValueError("it looks around or back, which the scanner cannot")
    return NOTHING_KNOWN


def _one_of_class(members: Iterable[tuple[Any, Any]], constants: Any) -> Look:
    """A class that is spelt out, such as [ab] or [0-9]."""
    codes: list[int] = []
    for kind, what in members:
        if kind is constants.LITERAL:
            codes.append(what)
        elif kind is constants.RANGE and what[1] - what[0] < FEW:
            codes += range(what[0], what[1] + 1)
        else:
            return NOTHING_KNOWN
    return _one_of(codes) if len(codes) <= FEW else NOTHING_KNOWN


def _one_of(codes: Iterable[int]) -> Look:
    """Only ASCII, or what has one case: what else has two is not known to the automaton."""
    letters = [chr(code) for code in codes]
    if any(letter == "\n" or not (letter.isascii() or letter.upper() == letter) for letter in letters):
        return NOTHING_KNOWN
    return Look(frozenset(letter.lower() for letter in letters), whole=True)


def _branches(looks: list[Look]) -> Look:
    starts = frozenset[str]().union(*(look.starts for look in looks))
    if len(starts) > MOST:
        starts = ANYTHING
    elif all(look.whole for look in looks):
        return Look(starts, whole=True)
    insides = [min(_usable([look.starts, *look.inside]), key=_cost, default=None) for look in looks]
    known = [found for found in insides if found]
    return Look(starts, inside=(frozenset[str]().union(*known),) if len(known) == len(looks) else ())


def _repeated(least: int, most: Any, look: Look) -> Look:
    if (least, most) == (1, 1):
        return look
    if least and look.whole and len(look.starts) == 1:
        shortest = frozenset(word * min(least, MOST) for word in look.starts)
        return Look(shortest, whole=least == most <= MOST, ends=shortest)
    if least:
        return Look(look.starts, inside=look.inside)
    return Look(look.starts | ANYTHING, whole=True) if look.whole and most == 1 else NOTHING_KNOWN


def _joined(before: Words, behind: Words) -> Words | None:
    """Each of the one followed by each of the other, while they are few."""
    if len(before) * len(behind) > MOST:
        return None
    return frozenset(map("".join, product(before, behind)))


def _usable(choices: Iterable[Words]) -> tuple[Words, ...]:
    return tuple(dict.fromkeys(words for words in choices if words and "" not in words))


def _telling(choices: Iterable[Words]) -> list[Words]:
    """The cheapest first, without those that are there anyway where a cheaper one is."""
    found: list[Words] = []
    for words in sorted(choices, key=_cost):
        if not any(_implies(cheaper, words) for cheaper in found):
            found.append(words)
    return found


def _implies(words: Words, others: Words) -> bool:
    return all(any(other in word for other in others) for word in words)


def _shortest(words: Words) -> Words:
    """Without those in which another one is found anyway."""
    return frozenset(word for word in words if not any(other in word for other in words if other != word))


@cache
def _cost(words: Words) -> float:
    """Lines of a hundred healthy ones in which one of them is met, and a little for each word to look for."""
    if min(len(word.encode()) for word in words) < SHORTEST:
        return math.inf
    return sum(100 * math.exp(-rarity(rarest_part(word))) + _effort(word) for word in words)


def _effort(word: str) -> float:
    return EACH if len(word.encode()) >= SHORT else EACH_SHORT

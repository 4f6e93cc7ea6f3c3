"""Whether a pattern may be used: short, small when written out, one that the engine takes and that `re` can finish.

A pattern of twenty characters, such as `(.{999}){999}`, can ask for a machine of a million states. It is measured
before anything is compiled from it.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from functools import cache, reduce
from itertools import combinations, product
from operator import or_
from re import _constants as names  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from typing import Any

from msgspec import Struct, field

from calivet.catalogue.parsing import Step
from calivet.search.automaton import PatternError, compile_aside, compile_patterns

Places = Counter[int]
Letters = int
"""A set of characters: a bit for each of ASCII, and of the others one for digits, letters, blanks and the rest."""
_ASCII = 128
_OTHERS = "\u0663\u00e9\u00a0\u2026"
_ALPHABET = [*map(chr, range(_ASCII)), *_OTHERS]
_ALL: Letters = (1 << len(_ALPHABET)) - 1
_ALL_OTHERS: Letters = _ALL >> _ASCII << _ASCII
_CATEGORIES = {
    names.CATEGORY_DIGIT: r"\d",
    names.CATEGORY_NOT_DIGIT: r"\D",
    names.CATEGORY_SPACE: r"\s",
    names.CATEGORY_NOT_SPACE: r"\S",
    names.CATEGORY_WORD: r"\w",
    names.CATEGORY_NOT_WORD: r"\W",
}
MANY = 2
"""Nobody needs to know how many more ways there are than one."""
_REPEATS = (names.MAX_REPEAT, names.MIN_REPEAT, names.POSSESSIVE_REPEAT)


class Part(Struct, frozen=True):
    """A part of the pattern: the places where a match of it can begin and end, and by how many ways."""

    first: Places = field(default_factory=Counter)
    last: Places = field(default_factory=Counter)
    empty: int = 1
    """By how many ways it can match nothing at all."""


class Machine(Struct):
    """The places of a pattern."""

    letters: list[Letters] = field(default_factory=list)
    """What can stand at each."""
    ways: defaultdict[int, Counter[int]] = field(default_factory=lambda: defaultdict(Counter))
    """Which can follow each, and by how many ways."""
    loops: dict[int, int] = field(default_factory=dict)
    """The outermost loop that each lies in; from any place of a loop one can come to any other."""

    def add_sequence(self, items: Iterable[tuple[Any, Any]]) -> Part:
        """Things that follow each other."""
        whole = Part()
        for kind, what in items:
            part = self._add_item(kind, what)
            self._join(whole.last, part.first)
            whole = Part(
                whole.first + _multiply_places(whole.empty, part.first),
                part.last + _multiply_places(part.empty, whole.last),
                min(MANY, whole.empty * part.empty),
            )
        return whole

    def _add_item(self, kind: Any, what: Any) -> Part:
        if kind in _REPEATS:
            return self._add_repeat(*what)
        if kind is names.BRANCH:
            return self._add_branches(what[1])
        if kind is names.GROUPREF_EXISTS:
            return self._add_branches([what[1], what[2] or []])
        if kind in (names.SUBPATTERN, names.ATOMIC_GROUP):
            return self.add_sequence(what[3] if kind is names.SUBPATTERN else what)
        if kind in (names.ASSERT, names.ASSERT_NOT):
            self.add_sequence(what[1])  # a pattern of its own, which takes nothing
            return Part()
        return Part() if kind is names.AT else self._place(_list_letters(kind, what))

    def _add_repeat(self, least: int, most: int, items: Iterable[tuple[Any, Any]]) -> Part:
        """However often: a bound that is not one is high enough to be in the way."""
        start = len(self.letters)
        part = self.add_sequence(items)
        if most > 1:
            self._join(part.last, part.first)
            self.loops |= dict.fromkeys(range(start, len(self.letters)), start)
        return Part(part.first, part.last, min(MANY, part.empty + (least == 0)))

    def _add_branches(self, branches: Iterable[Iterable[tuple[Any, Any]]]) -> Part:
        parts = [self.add_sequence(branch) for branch in branches]
        return Part(
            sum((part.first for part in parts), Counter()),
            sum((part.last for part in parts), Counter()),
            min(MANY, sum(part.empty for part in parts)),
        )

    def _place(self, letters: Letters) -> Part:
        self.letters.append(letters)
        place = Counter([len(self.letters) - 1])
        return Part(place, place, empty=0)

    def _join(self, before: Places, behind: Places) -> None:
        for place, ways in before.items():
            self.ways[place].update(_multiply_places(ways, behind))


def _multiply_places(ways: int, places: Places) -> Places:
    return Counter({place: min(MANY, ways * others) for place, others in places.items() if ways})


def build_machine(pattern: str) -> Machine:
    """Of a pattern that `re` has accepted."""
    made = Machine()
    made.add_sequence(_parser.parse(pattern))
    return made


def _list_letters(kind: Any, what: Any) -> Letters:
    """Upper and lower case are one, as for the scanner; where it is not known, all."""
    if kind is names.LITERAL:
        return _list_letters_between(what, what)
    if kind is names.RANGE:
        return _list_letters_between(*what)
    if kind is names.NOT_LITERAL:
        return _ALL & ~_list_letters_between(what, what) | _ALL_OTHERS
    if kind is names.CATEGORY:
        return _list_letters_of_category(_CATEGORIES[what])
    if kind is names.IN:
        return _list_letters_of_set(what)
    return _ALL


def _list_letters_of_set(items: list[tuple[Any, Any]]) -> Letters:
    if items[0][0] is not names.NEGATE:
        return reduce(or_, (_list_letters(*item) for item in items))
    categories = (_list_letters(*item) for item in items[1:] if item[0] is names.CATEGORY)
    found = reduce(or_, (_list_letters(*item) for item in items[1:]), 0)
    return _ALL & ~found | _ALL_OTHERS & ~reduce(or_, categories, 0)


@cache
def _list_letters_of_category(category: str) -> Letters:
    holds = re.compile(category).match
    return sum(1 << bit for bit, letter in enumerate(_ALPHABET) if holds(letter))


@cache
def _list_letters_between(low: int, high: int) -> Letters:
    span = range(low, high + 1)
    found = sum(1 << bit for bit in range(_ASCII) if ord(chr(bit).lower()) in span or ord(chr(bit).upper()) in span)
    return found | (_ALL_OTHERS if high >= _ASCII else 0)


Pair = tuple[int, int]
MOST_STEPS = 1_000_000
"""A pattern in which the markers can walk further is taken for one of those."""


def is_explosive(pattern: str) -> bool:
    """Whether there is such a loop."""
    made = build_machine(pattern)
    inside = {
        place: [following for following in made.ways[place] if made.loops.get(following) == loop]
        for place, loop in made.loops.items()
    }
    twice = any(made.ways[place][following] > 1 for place, ways in inside.items() for following in ways)
    return twice or _do_meet_again(made, inside)


def _do_meet_again(made: Machine, inside: dict[int, list[int]]) -> bool:
    """Whether two markers that part can come to one place."""
    waiting = [pair for ways in {tuple(ways) for ways in inside.values()} for pair in combinations(ways, 2)]
    seen: set[Pair] = set()
    steps = 0
    while waiting:
        one, other = pair = waiting.pop()
        if pair in seen or not made.letters[one] & made.letters[other]:
            continue
        seen.add(pair)
        for following in product(inside[one], inside[other]):
            steps += 1
            if following[0] == following[1] or steps > MOST_STEPS:
                return True
            waiting.append((min(following), max(following)))
    return False


LENGTH = 2_000
STATES = 3_000
COMPILED_BYTES = 1_000_000

# The keys of a file that hold patterns; those of questions are never given to the engine.
FOR_THE_ENGINE, FOR_COMMANDS, FOR_CONCEPTS = "pattern", "command", "words"


class Pattern(Struct, frozen=True):
    """A pattern as it stands in a file, and the way to it."""

    text: str
    owner: str
    steps: tuple[Step, ...]

    def find_problem(self) -> str | None:
        """Why it may not be used. Looking takes a while: what is shipped has been looked at by the tests."""
        if found := find_pattern_problem(self.text):
            return found
        if is_explosive(self.text):
            return "the pattern has repeats inside a repeat that can cut one text in many ways, and may never end"
        return None if self.steps[-1] == FOR_COMMANDS else find_engine_problem(self.text)


def list_patterns(data: Any, owner: str = "", steps: tuple[Step, ...] = ()) -> Iterator[Pattern]:
    """Every pattern of a parsed file."""
    if isinstance(data, list):
        for number, inner in enumerate(data):
            yield from list_patterns(inner, owner, (*steps, number))
    elif isinstance(data, dict):
        if "id" in data:
            owner = f"{owner}: sign {data['id']}" if owner else data["id"]
        for key, inner in data.items():
            if key in (FOR_THE_ENGINE, FOR_COMMANDS):
                yield Pattern(inner, owner, (*steps, key))
            elif key == FOR_CONCEPTS:
                yield from (Pattern(word, owner, (*steps, key, number)) for number, word in enumerate(inner))
            else:
                yield from list_patterns(inner, owner, (*steps, key))


def find_pattern_problem(pattern: str) -> str | None:
    """Why this is no regular expression, or one that is too large."""
    if len(pattern) > LENGTH:
        return f"the pattern is longer than {LENGTH:,} characters"
    try:
        re.compile(pattern)
        too_large = count_states(pattern) > STATES
    except (re.error, OverflowError) as error:
        return f"the pattern is not valid: {error}"
    except RecursionError:
        return "the pattern is nested too deep"
    return f"the pattern has more than {STATES:,} states when its repeats are written out" if too_large else None


def find_engine_problem(pattern: str) -> str | None:
    """Why the engine does not take it, or only at too high a price."""
    try:
        compiled = compile_patterns([pattern], caseless=True)
        databases = [compiled.database, *map(compile_aside, compiled.asides)]
    except PatternError as error:
        return f"the pattern is not usable: {error}"
    if sum(map(len, databases)) > COMPILED_BYTES:
        return f"the pattern takes more than {COMPILED_BYTES:,} bytes when compiled"
    return None


def count_states(pattern: str) -> int:
    """About how many states a machine for the pattern has: one for each character, as often as it is repeated."""
    from re import _parser  # type: ignore[attr-defined]

    return _count_written_out(_parser.parse(pattern))


def _count_written_out(part: Any) -> int:
    """The states of any part of a parsed pattern: what it holds, and once more for each repeat."""
    from re import _constants, _parser  # type: ignore[attr-defined]

    if isinstance(part, _parser.SubPattern):
        return sum(map(_count_written_out, part))
    if not isinstance(part, tuple | list):
        return 0
    if part and part[0] is _constants.IN:
        return 1
    if part and part[0] in (_constants.MAX_REPEAT, _constants.MIN_REPEAT, _constants.POSSESSIVE_REPEAT):
        least, most, repeated = part[1]
        return _count_written_out(repeated) * (least + 1 if most is _constants.MAXREPEAT else int(most))
    return max(1, sum(map(_count_written_out, part)))

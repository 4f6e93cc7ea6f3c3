"""What an automaton looks for instead of patterns: rare words that announce them, or common ones that allow them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from calivet.evidence.expressions import expression

if TYPE_CHECKING:
    from calivet.evidence.factors import Words

_BLANK = expression(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]")
_BLANKS = r" \t\r\f\v"
_BOUNDED = expression(r"(?<!\\)\{(\d+),\d*\}")


class PatternError(Exception):
    """A pattern that the engine does not take."""

    def __init__(self, number: int, reason: str) -> None:
        """Keep which one it was."""
        super().__init__(reason)
        self.number = number


Alternative = tuple[int, int]
"""The number of a pattern, and which of its alternatives it is."""


class Claim(Struct, array_like=True, frozen=True):
    """What may be in a line, if of each of these words one is."""

    alternative: Alternative
    words: list[list[bytes]]
    """Their outlines."""
    tells_digits_apart: bool


class Announced(Struct, array_like=True, frozen=True):
    """What may be in a line if this word is; no word where the automaton looks for the pattern itself."""

    word: bytes
    claims: list[Claim]


class Sought(Struct, array_like=True, frozen=True):
    """One of the automaton's expressions: a part that words share, and what it may announce."""

    part: str
    announced: list[Announced]

    def end(self, word: bytes) -> int:
        """Where in the word the part ends."""
        return word.find(self.part.encode()) + len(self.part.encode())


class Dull(Struct, frozen=True):
    """Words, and parts of words, that announced nothing too often to be worth looking for."""

    words: frozenset[str] = frozenset()
    parts: frozenset[str] = frozenset()


class Unannounced(Struct):
    """A pattern that no rare word announces: it is looked for itself, wherever its common words are."""

    expression: bytes
    clues: tuple[Words, ...]
    """Of each of these, one is in every text with the pattern."""
    claims: list[Claim]

    @property
    def sought(self) -> Sought:
        """The same as any other."""
        return Sought("", [Announced(b"", self.claims)])


def sorted_out(patterns: Sequence[str], dull: Dull) -> tuple[list[Sought], list[Unannounced]]:
    """Words to look for, and patterns that no word announces."""
    # Most runs find the automaton kept and need none of these.
    from calivet.evidence.alternatives import alternatives
    from calivet.evidence.cover import cover
    from calivet.evidence.factors import factors, is_rare
    from calivet.evidence.outline import outline, tells_digits_apart

    words: dict[str, list[Claim]] = {}
    others: dict[bytes, Unannounced] = {}
    for number, pattern in enumerate(patterns):
        for place, alternative in enumerate(alternatives(pattern)):
            try:
                found = factors(alternative)
            except ValueError as error:
                raise PatternError(number, str(error)) from None
            which, by_digits = (number, place), tells_digits_apart(alternative)
            if found and is_rare(found[0]) and dull.words.isdisjoint(found[0]):
                also = [sorted({outline(word.encode()) for word in one_of}) for one_of in found[1:]]
                for word in found[0]:
                    words.setdefault(word, []).append(Claim(which, also, by_digits))
            else:
                whole = loosened(alternative)
                other = others.setdefault(whole, Unannounced(whole, found, []))
                other.claims.append(Claim(which, [], by_digits))
    parts = cover(words, dull.parts)
    sought = [Sought(part, [Announced(word.encode(), words[word]) for word in held]) for part, held in parts.items()]
    return sought, list(others.values())


def loosened(pattern: str) -> bytes:
    """Bounded gaps (`.{0,40}`) as unbounded: that makes the automaton many times cheaper to build.

    And blanks that do not reach into the next line: where they do, the engine overlooks matches of other patterns.
    """
    unbounded = _BOUNDED.sub(lambda bounds: "*" if bounds[1] == "0" else "+", pattern)
    return _BLANK.sub(lambda piece: _within_line(piece[0]), unbounded).encode()


def _within_line(piece: str) -> str:
    if piece == r"\s":
        return f"[{_BLANKS}]"
    return piece.replace(r"\s", _BLANKS) if piece[0] == "[" and piece[1] != "^" else piece

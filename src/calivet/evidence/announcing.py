"""What the places that an automaton points to in a line announce."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from calivet.evidence.outline import outline
from calivet.evidence.sought import Announced, Claim, Sought

BYTES = 256

Place = tuple[int, int]
"""Where something ends, and its number."""
Aligned = tuple[int, bytes, Announced]
"""Where in a word the part ends, the word's outline, and the word itself with what it announces."""


class _Words(dict[int, list[Aligned]]):
    """The words that share a part, by its number."""

    def __init__(self, sought: Mapping[int, Sought]) -> None:
        self._sought = sought

    def __missing__(self, number: int) -> list[Aligned]:
        sought = self._sought[number]
        self[number] = found = [(sought.end(one.word), outline(one.word), one) for one in sought.announced]
        return found


class _Alignments(dict[int, list[Aligned]]):
    """The words that may be at a place, by its number and the byte behind it: a few of all that share a part."""

    def __init__(self, words: _Words) -> None:
        self._words = words

    def __missing__(self, key: int) -> list[Aligned]:
        number, behind = divmod(key, BYTES)
        self[key] = found = [one for one in self._words[number] if len(one[1]) == one[0] or one[1][one[0]] == behind]
        return found


class _Unsettled(dict[int, bool]):
    """Whether digits decide both if what has this number is in a line and if what it announces is."""

    def __init__(self, sought: Mapping[int, Sought]) -> None:
        self._sought = sought

    def __missing__(self, number: int) -> bool:
        part, announced = self._sought[number].part, self._sought[number].announced
        by_digits = any(claim.tells_digits_apart for one in announced for claim in one.claims)
        self[number] = found = by_digits and (not part or any(letter.isdigit() for letter in part))
        return found


class Announcer:
    """Knows what each number stands for."""

    def __init__(self, sought: Mapping[int, Sought]) -> None:
        """What is sought, by its number."""
        self._sought = sought
        self._words = _Words(sought)
        self._aligned = _Alignments(self._words)
        self.is_unsettled = _Unsettled(sought)

    def claims(self, line: bytes, start: int, places: Iterable[Place]) -> Iterator[Claim]:
        """What may be in a line of this outline that begins here; some of it more than once."""
        for end, number in places:
            at = end - start
            for reach, word, one in self._aligned[number * BYTES + (line[at] if at < len(line) else 0)]:
                if at >= reach and line.startswith(word, at - reach):
                    for claim in one.claims:
                        if _has(line, claim.words):
                            yield claim

    def unused(self, line: bytes, start: int, places: Iterable[Place]) -> Iterator[tuple[str, str]]:
        """The part at each of these places, and the word that it belongs to if that is there too."""
        for end, number in places:
            if part := self._sought[number].part:
                begun = ((one, word, end - start - reach) for reach, word, one in self._words[number])
                there = [one.word for one, word, at in begun if at >= 0 and line.startswith(word, at)]
                yield part, there[-1].decode() if there else ""


def _has(line: bytes, words: Sequence[Sequence[bytes]]) -> bool:
    """Of each of these, one."""
    for one_of in words:
        for word in one_of:
            if word in line:
                break
        else:
            return False
    return True

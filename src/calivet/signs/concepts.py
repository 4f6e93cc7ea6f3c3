"""Finds what authors say by the concepts in a sentence, in any order, rather than by its words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from msgspec import Struct

from calivet.catalogue.load import CatalogueError
from calivet.catalogue.model import CURE, WITHOUT, Catalogue, Concept
from calivet.evidence.artifact import Artifact
from calivet.messages.message import make_verbatim
from calivet.search.automaton import PatternError
from calivet.search.scanner import Scanner
from calivet.signs.sections import Conclusion, Part, find_conclusion, is_cure, is_remark
from calivet.signs.sentences import Span, Statement, is_torn, judge_standing, split_statements
from calivet.signs.sighting import Key, Observation

Group = frozenset[int]
"""Concepts of which one is wanted."""
WIDEST = 160
"""Characters from the first concept of a combination to the last; further apart they speak of different things."""
WIDEST_CHINESE = 70
"""A Chinese sentence says as much in half of them."""
PAIR = 2
"""Two concepts have to stand in one clause; of three, one may be told on the way."""
MOST_PLACES = 6
"""Places of one concept in a statement that are looked at."""


class Combination(Struct, frozen=True):
    """Concepts that together speak for a cause."""

    key: Key
    groups: tuple[Group, ...]
    without: Group
    """Concepts with which the sentence speaks of something else."""
    is_cure: bool
    """Counts only where the author tells the cure: anybody who sets up a machine turns the firewall off."""


class Told(Struct, frozen=True):
    """A combination in an author's statement."""

    key: Key
    line: int
    words: str
    conclusion: Conclusion


class ConceptFinder:
    """The combinations of a catalogue, made ready for looking."""

    def __init__(self, catalogue: Catalogue, items: Iterable[Observation]) -> None:
        """Number the concepts; a combination waits for those of its smallest group."""
        self._concepts = list(catalogue.concepts.values())
        numbers = {concept.id: number for number, concept in enumerate(self._concepts)}
        self._waiting: dict[int, list[Combination]] = {}
        for item in items:
            for entry in getattr(item.what, "told", ()):
                names = entry.split()
                wanted = [one.split("|") for one in names if one != CURE and one[0] != WITHOUT]
                groups = tuple(frozenset(numbers[name] for name in one) for one in wanted)
                without = frozenset(numbers[one[1:]] for one in names if one[0] == WITHOUT)
                combination = Combination(item.key, groups, without, CURE in names)
                for number in min(groups, key=len):
                    self._waiting.setdefault(number, []).append(combination)

    @cached_property
    def scanner(self) -> Scanner:
        """Made where there is prose."""
        try:
            patterns = [concept.pattern for concept in self._concepts]
            return Scanner.load_or_compile("concepts", patterns, are_words_ascii=True)
        except PatternError as error:
            culprit: Concept = self._concepts[error.number]
            raise CatalogueError(make_verbatim(f"concepts.yaml: {culprit.id}: {error}")) from None

    def find(self, artifact: Artifact, parts: Sequence[Part]) -> Iterator[Told]:
        """All combinations that the author states."""
        if not self._waiting:
            return
        written = artifact.lines
        if not artifact.prose:
            written = [line if not line.isascii() and is_remark(line) else "" for line in artifact.lines]
        statements = list(split_statements(written))
        present: dict[int, set[int]] = {}
        for hit in self.scanner.scan([one.text for one in statements]):
            present.setdefault(hit.line, set()).add(hit.pattern)
        for index, concepts in present.items():
            yield from self._find_in(statements[index], concepts, parts)

    def _find_in(self, statement: Statement, concepts: set[int], parts: Sequence[Part]) -> Iterator[Told]:
        places: dict[int, list[Span]] = {}
        for combination in self._list_possible(concepts):
            spans = self._find_nearest(statement.text, combination.groups, places)
            if not spans:
                continue
            first, last = min(span[0] for span in spans), max(span[1] for span in spans)
            part = parts[statement.line]
            conclusion = find_conclusion(statement.text, part, first, last)
            if combination.is_cure:
                if not is_cure(statement.text, part):
                    continue
                conclusion = Conclusion.CURE
            standing = judge_standing(statement, spans)
            if standing.stated or (standing.tentative and part is Part.CAUSE):
                sure = Conclusion.NONE if standing.tentative else conclusion
                yield Told(combination.key, statement.line, statement.text[first:last], sure)

    def _list_possible(self, concepts: set[int]) -> Iterator[Combination]:
        for number in sorted(concepts):
            for combination in self._waiting.get(number, ()):
                is_whole = all(not concepts.isdisjoint(group) for group in combination.groups)
                if is_whole and concepts.isdisjoint(combination.without):
                    yield combination

    def _find_nearest(self, text: str, groups: Sequence[Group], known: dict[int, list[Span]]) -> list[Span]:
        """One place of each group, all as near to each other as can be; none where they are too far apart."""
        for number in {number for group in groups for number in group} - known.keys():
            found = [match.span() for match in self.scanner.find_matches(number, text)]
            known[number] = found[:MOST_PLACES]
        options = [[span for number in group for span in known[number]] for group in groups]
        best: list[Span] = []
        for anchor in options[0]:
            chosen = [min(option, key=lambda span: abs(span[0] - anchor[0])) for option in options]
            if not best or _measure(chosen) < _measure(best):
                best = chosen
        widest = WIDEST if text.isascii() else WIDEST_CHINESE
        is_near = bool(best) and _measure(best) <= widest
        return best if is_near and (len(groups) > PAIR or not is_torn(text, best)) else []


def _measure(spans: Sequence[Span]) -> int:
    return max(end for _, end in spans) - min(start for start, _ in spans)

"""Looks for everything the catalogue names, in one pass, and says where it was seen."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from msgspec.structs import replace

from calivet.catalogue.load import CatalogueError, load_ready_catalogue
from calivet.catalogue.model import Catalogue, Scope, Sign, Trace
from calivet.evidence.artifact import Artifact, Found
from calivet.evidence.cutting.quotations import MOST_LINES, fill_masks, is_referred
from calivet.facts.cluster_facts import ClusterFacts
from calivet.facts.node_of_line import NodeOfLine
from calivet.messages.message import Message, make_verbatim, message
from calivet.redaction.redactor import BEFORE_CHOOSING
from calivet.search.automaton import PatternError
from calivet.search.scanner import Hit, Scanner
from calivet.signs.authors import ArtifactAuthors, is_asserted, is_verbatim
from calivet.signs.computed import collect_computed_signs
from calivet.signs.concepts import ConceptFinder
from calivet.signs.sections import Conclusion, find_conclusion, has_remarks, list_cure_lines, list_parts
from calivet.signs.sentences import find_sentence
from calivet.signs.sighting import Key, Observation, Sighting, is_in_scope, list_observations


class PatternScanner:
    """The catalogue's patterns as they may be seen in programs' output, or in prose."""

    def __init__(self, name: str, items: Sequence[Observation], beside: Sequence[str] = ()) -> None:
        """Take the patterns as compiled in an earlier run, or compile them; those beside are hints for a sieve."""
        self.items = items
        self.hints = len(items) if beside else None
        try:
            self._scanner = Scanner.load_or_compile(name, [*(str(item.what.pattern) for item in items), *beside])
        except PatternError as error:
            culprit = items[error.number].key
            what = f"{culprit.owner}: sign {culprit.part}: the pattern is not usable"
            raise CatalogueError(make_verbatim(f"{what}: {error}")) from None

    def scan(self, lines: Sequence[str]) -> list[Hit]:
        """Where patterns are."""
        return [hit for hit in self._scanner.scan(lines) if hit.pattern < len(self.items)]

    def matches(self, number: int, text: str) -> Iterator[re.Match[str]]:
        """Where in a line the pattern with this number is."""
        return self._scanner.find_matches(number, text)

    def find(self, text: bytes) -> Iterator[Found]:
        """The same for a sieve."""
        return self._scanner.find(text)


MOST_KEPT = 50
"""Places of one pattern, and one for each further node."""


class SightingCollection:
    """All sightings of a run: of a message seen thousands of times some places are kept, the others counted."""

    def __init__(self) -> None:
        """Nothing is seen yet."""
        self.seen: dict[Key, list[Sighting]] = {}
        self._last: dict[tuple[Key, str | None], int] = {}

    def add(self, key: Key, sighting: Sighting) -> None:
        """Keep it, or let it stand for the last one on its node: that one tells whether a fault came back."""
        kept = self.seen.setdefault(key, [])
        place = self._last.get((key, sighting.node))
        if len(kept) < MOST_KEPT or place is None:
            self._last[key, sighting.node] = len(kept)
            kept.append(sighting)
        else:
            kept[place] = replace(sighting, count=kept[place].count + 1)

    def count(self, key: Key, more: int) -> None:
        """So many more were counted where the last one was seen."""
        if kept := self.seen.get(key):
            kept[-1] = replace(kept[-1], count=kept[-1].count + more)


Sightings = Mapping[Key, list[Sighting]]


class _Origin:
    """Where a line comes from: which node it is about, and who wrote it."""

    def __init__(self, cluster: ClusterFacts) -> None:
        self.nodes = NodeOfLine(cluster)
        self.authors = ArtifactAuthors(cluster)
        self.parts = list_parts(cluster.artifacts)

    def conclude(self, artifact: Artifact, index: int, found: re.Match[str]) -> Conclusion:
        """How the author concludes what was found in this line of his."""
        start, end = find_sentence(found.string, found.start())
        part = self.parts[artifact.order][index]
        return find_conclusion(found.string[start:end], part, found.start() - start, found.end() - start)


class SignDetector:
    """A catalogue made ready for looking."""

    def __init__(self, catalogue: Catalogue) -> None:
        """Find out what is to be looked for where."""
        wanted = list(list_observations(catalogue))
        self._computed = [item for item in wanted if item.what.computed]
        self._patterns = [item for item in wanted if item.what.pattern]
        known = collect_computed_signs()
        for item in self._computed:
            if item.what.computed not in known:
                raise CatalogueError(message("catalogue.sign", owner=item.key.owner, name=item.what.computed))
        self._concepts = ConceptFinder(catalogue, wanted)
        self.output = self._lookout("output", prose=False, beside=BEFORE_CHOOSING)
        self.failed: list[Message] = []

    def look(self, cluster: ClusterFacts) -> dict[Key, list[Sighting]]:
        """Everything seen, in order of the evidence."""
        sightings, origin = SightingCollection(), _Origin(cluster)
        for artifact in cluster.artifacts:
            self._look_at(artifact, sightings, origin)
            for restored in (artifact.restored, fill_masks(artifact)):
                if restored:
                    self._look_at(restored, sightings, origin, artifact)
        self.failed = []
        for item in self._computed:
            name = str(item.what.computed)
            try:
                found = list(collect_computed_signs()[name](cluster))
            except Exception as error:  # noqa: BLE001 - a bug in one sign must not cost the others
                bug = f"{type(error).__name__}: {error}"
                self.failed.append(message("evidence.sign.bug", name=name, error=bug))
                continue
            if found:
                sightings.seen[item.key] = found
        return sightings.seen

    def make_ready(self) -> tuple[PatternScanner | Scanner, ...]:
        """All that is otherwise made where it is needed."""
        return self.output, self.prose, self._cures, self._concepts.scanner

    @cached_property
    def prose(self) -> PatternScanner:
        """Made where there is prose: most evidence is output alone, and a scanner costs time and memory."""
        return self._lookout("prose", prose=True)

    @cached_property
    def _cures(self) -> PatternScanner:
        return PatternScanner("cures", [item for item in self._patterns if item.what.scope is Scope.CURE])

    def _lookout(self, name: str, *, prose: bool, beside: Sequence[str] = ()) -> PatternScanner:
        items = [item for item in self._patterns if is_in_scope(item.what.scope, prose=prose)]
        return PatternScanner(name, items, beside)

    def _look_at(
        self, artifact: Artifact, sightings: SightingCollection, origin: _Origin, broken: Artifact | None = None
    ) -> None:
        """Where the artifact was restored from a broken one, only what no single line of that one holds is new."""
        scanner = self.prose if artifact.prose else self.output
        counts = Counter[int]()
        for hit in scanner.scan(artifact.lines):
            text = artifact.lines[hit.line]
            places = scanner.matches(hit.pattern, text)
            if artifact.prose:
                places = (place for place in places if _is_reported(text, place))
            if broken and not broken.prose:
                around = broken.lines[(start := broken.index(artifact.number(hit.line))) : start + MOST_LINES]
                places = (place for place in places if not any(place[0] in line for line in around))
            if found := next(places, None):
                counts[hit.pattern] += 1
                item = scanner.items[hit.pattern]
                sighting = _build_sighting(artifact, hit.line, found, item.what, origin, is_whole=broken is None)
                sightings.add(item.key, _cite_original(sighting, broken) if broken else sighting)
        for number, count in (Counter(artifact.counts) - counts).items() if artifact.counts else ():
            sightings.count(scanner.items[number].key, count)
        if broken:
            return
        if artifact.prose or has_remarks(artifact):
            self._look_for_concepts(artifact, sightings, origin)
        self._look_for_cures(artifact, sightings, origin)

    def _look_for_concepts(self, artifact: Artifact, sightings: SightingCollection, origin: _Origin) -> None:
        for told in self._concepts.find(artifact, origin.parts[artifact.order]):
            line, node = artifact.at(told.line), origin.nodes.node(artifact, told.line)
            seen = Sighting(line=line, node=node, note=True, words=told.words, conclusion=told.conclusion)
            sightings.add(told.key, seen)

    def _look_for_cures(self, artifact: Artifact, sightings: SightingCollection, origin: _Origin) -> None:
        """Commands and settings that the author gives as the cure are his word, though he shows them as code."""
        indexes = list(list_cure_lines(artifact, origin.parts[artifact.order]))
        lines = [artifact.lines[index] for index in indexes]
        for hit in self._cures.scan(lines) if indexes else ():
            found = next(self._cures.matches(hit.pattern, lines[hit.line]), None)
            if found and (not artifact.prose or is_asserted(found.string, found.start(), found.end())):
                item = self._cures.items[hit.pattern]
                seen = _build_sighting(artifact, indexes[hit.line], found, item.what, origin)
                sightings.add(item.key, replace(seen, note=True, conclusion=Conclusion.CURE))


def _build_sighting(
    artifact: Artifact,
    index: int,
    found: re.Match[str],
    what: Sign | Trace,
    origin: _Origin,
    *,
    is_whole: bool = True,
) -> Sighting:
    """Of what was restored from broken lines it is not known in which part of the text they stand."""
    values = {name: value for name, value in found.groupdict().items() if value}
    return Sighting(
        line=artifact.at(index),
        node=origin.nodes.node(artifact, index),
        note=artifact.prose,
        verbatim=artifact.prose and is_verbatim(found[0]),
        conclusion=origin.conclude(artifact, index, found) if artifact.prose and is_whole else Conclusion.NONE,
        foreign=origin.authors.is_stranger(artifact, index, getattr(what, "by", "machinery")),
        values=values,
        words=found[0],
    )


def _is_reported(text: str, place: re.Match[str]) -> bool:
    return is_asserted(text, place.start(), place.end()) and not is_referred(text, place.start())


def _cite_original(sighting: Sighting, broken: Artifact) -> Sighting:
    """The line as it stands in the evidence, and of the values those that it holds: a filled-in mask is no value."""
    line = broken.at(broken.index(sighting.line.number))
    values = {name: value for name, value in sighting.values.items() if value in line.text}
    return replace(sighting, line=line, values=values)


def prepare_detector(own: Mapping[str, bytes] | None = None) -> tuple[Catalogue, SignDetector]:
    """The shipped catalogue, with the user's own cause files where given."""
    catalogue = load_ready_catalogue(own)
    return catalogue, SignDetector(catalogue)

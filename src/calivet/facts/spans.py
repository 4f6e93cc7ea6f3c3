"""The stretches of Calico's logs that a line stands in: those of several pods may be mixed into each other."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import accumulate

from calivet.evidence.artifact import Line
from calivet.facts.calico import LogSpan
from calivet.facts.picture import Picture, once


class Spans:
    """All spans, by document and in the order of their first lines."""

    def __init__(self, spans: Iterable[LogSpan]) -> None:
        """Note for each how far it and those before it reach, so that nobody need look at what ended long ago."""
        self._documents: dict[str, list[LogSpan]] = defaultdict(list)
        for span in spans:
            self._documents[span.at.artifact].append(span)
        self._reach = {
            name: list(accumulate((span.end for span in found), max)) for name, found in self._documents.items()
        }

    def around(self, line: Line) -> Iterator[LogSpan]:
        """The spans with this line, the one that begins first first."""
        found = self._documents.get(line.artifact, [])
        for place in range(bisect_left(self._reach.get(line.artifact, []), line.number), len(found)):
            if found[place].at.number > line.number:
                return
            if line.number <= found[place].end:
                yield found[place]


@once
def log_spans(picture: Picture) -> Spans:
    """Those of a picture."""
    return Spans(picture.all(LogSpan))

"""Puts marks in place of what was found on a line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from calivet.redaction.finding import Span
from calivet.redaction.marks import MARK, Marks


def hide(line: str, found: Iterable[Span], marks: Marks) -> tuple[str, list[Span]]:
    """The line with marks in it, and what they stand for. A mark that stands there already is as good as hidden."""
    spans = [span for span in _apart(line, found) if MARK.sub("", line[span.start : span.stop]).strip()]
    pieces: list[str] = []
    at = 0
    for span in spans:
        pieces += [line[at : span.start], span.quote, marks.mark(span.kind, span.secret), span.quote]
        at = span.stop
    return "".join([*pieces, line[at:]]), spans


def _apart(line: str, found: Iterable[Span]) -> Sequence[Span]:
    """What overlaps is one; the wider span says what it is, and among equals the first."""
    apart: list[Span] = []
    for span in sorted(found, key=lambda span: (span.start, -span.stop)):
        if not apart or span.start >= apart[-1].stop:
            apart.append(span)
        elif span.stop > apart[-1].stop:
            whole = line[apart[-1].start : span.stop]
            apart[-1] = replace(apart[-1], stop=span.stop, secret=whole)
    return apart

"""A line of the evidence in a few rows of a terminal: what tells least gives way first, the decisive words never."""

from __future__ import annotations

from collections.abc import Callable

from calivet.reports.layout.wrapping import HEAD, break_text, clean_line, cut_line, measure_width
from calivet.search.expressions import expression

WANTED, MOST = 2, 3
"""Rows for a line; the third only where shortening alone would lose words."""
_CUT_BY = 4
"""Columns by which a line is cut further while its rows, broken at blanks, are still too many."""
_BEGINNING = 8
"""Letters by which the beginning of words that go on below is found in a line."""
_WIDE_GAP = expression(r"\s{3,}")
_LONG_ID = expression(r"(?<![0-9a-f])(?:[0-9a-f]{24,128}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?![0-9a-f])")
_KEPT = 8
_STAMPED = 100
"""Letters at the head of a line, in which all who hand it on may have written when."""
_DATE_TIME = expression(r"\b\d{4}[-/](\d\d[-/]\d\d)[ T](\d\d:\d\d:\d\d)(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?(?!\d)")
_KLOG_HEAD = expression(r"\b([IWEF]\d{4} \d\d:\d\d:\d\d)\.\d{1,9} +\d{1,10} ")
_PATH = expression(r"(?<![\w.~…/-])((?:[a-z]{2,8}://[^\s/]+|/?[\w.@~-]+)/)(?:[\w.:@%~+…-]+/){2,}(?=[\w.:@%~+…-])")
_EMPTY_FIELD = expression(r""",? ?"[\w.]+":""(?=[,}])| \w+=(?:<nil>|""(?!\S))""")


def shape_quote(text: str, words: str, room: int) -> tuple[str, str]:
    """What is shown of a line, and its decisive words as they stand there."""
    shown, decisive = clean_line(text), clean_line(words).strip()
    shown = continue_line(shown, decisive)
    if measure_width(shown) > room:
        shown, decisive = squeeze_columns(shown), squeeze_columns(decisive)
    if not _fits(shown, room, WANTED):
        shown, decisive = shorten_ids(shown), shorten_ids(decisive)
    if not _fits(shown, room, WANTED):
        shown = _shorten_head(shown, decisive)
    for shorten in (drop_empty_fields, shorten_paths):
        if not _fits(shown, room, WANTED):
            shown = _shorten_around(shown, decisive, shorten)
    return _cut_to_rows(shown, decisive, room), decisive


def _fits(text: str, room: int, rows: int) -> bool:
    return measure_width(text) <= room * rows and len(break_text(text, room)) <= rows


def _shorten_head(text: str, words: str) -> str:
    """Times that a message itself names stay whole: it may be about them, as that of a certificate is."""
    end = min(_STAMPED, text.find(words)) if words in text else _STAMPED
    return shorten_times(text[:end]) + text[end:]


def _shorten_around(text: str, words: str, shorten: Callable[[str], str]) -> str:
    before, found, behind = text.partition(words) if words else (text, "", "")
    return shorten(before) + found + shorten(behind)


def _cut_to_rows(text: str, words: str, room: int) -> str:
    least = measure_cut(words)
    for width in range(room * MOST, max(least, room * WANTED), -_CUT_BY):
        shown = cut_line(text, width, words)
        if _fits(shown, room, MOST):
            return shown
    return cut_line(text, max(least, room * WANTED), words)


def measure_cut(words: str) -> int:
    """The width to which a line may be cut so that all of its decisive words are kept, and some before them."""
    return HEAD + measure_width(words) * 4 // 3 + 4


def continue_line(text: str, words: str) -> str:
    """With the decisive words that stand on the lines below it: a screen, or an author, broke the line."""
    if words in text:
        return text
    start = text.find(words[:_BEGINNING])
    if start >= 0 and "".join(words.split()).startswith("".join(text[start:].split())):
        return text[:start] + words
    return f"{text} … {words}"


def squeeze_columns(text: str) -> str:
    """The columns of a table moved together: their blanks take the room that the words need."""
    return _WIDE_GAP.sub("  ", text)


def shorten_ids(text: str) -> str:
    """Digests, UUIDs and ids of containers by their first letters, as programs themselves abbreviate them."""
    return _LONG_ID.sub(lambda found: f"{found[0][:_KEPT]}…", text)


def shorten_times(text: str) -> str:
    """A time without its year, fractions and zone; klog's without fractions and the number of the process."""
    return _KLOG_HEAD.sub(r"\1 ", _DATE_TIME.sub(r"\1 \2", text))


def drop_empty_fields(text: str) -> str:
    """Without the fields of a structured message that hold nothing."""
    return _EMPTY_FIELD.sub("", text)


def shorten_paths(text: str) -> str:
    """Of a long path or address its beginning and its last name."""
    return _PATH.sub(r"\1…/", text)

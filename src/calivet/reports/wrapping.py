"""Text to the width of a terminal, where Chinese characters take two columns."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator

from calivet.evidence.expressions import expression
from calivet.evidence.names import printable

_ASCII_PIECES = expression(r" +|[^ ]+")
_BLANKS = expression(r"\s")
_WIDE_GAP = expression(r"\s{3,}")
# Where Chinese text may not be broken: after what opens, before what closes.
_HEAD = 24
"""Columns that hold the time of a log line, or the name at the head of a table's row."""
_OPENING = "（【《「『“‘(["
_CLOSING = "，。；：、！？）】》」』”’…,.;:!?)]%"


def shown(text: str) -> str:
    """What may reach a terminal: every blank a space, and nothing in it that would act on the terminal."""
    return text if text.isprintable() else printable(_BLANKS.sub(" ", text))


def width_of(text: str) -> int:
    """Columns on a terminal."""
    if text.isascii():
        return len(text)
    return sum(map(_character_width, text))


def wrapped(text: str, width: int) -> list[str]:
    """Lines no wider than width, broken at blanks and between Chinese characters; never empty."""
    lines, line = [], ""
    for piece in _broken(_pieces(shown(text)), width):
        if width_of(line + piece.rstrip()) > width and line.strip():
            lines.append(line.rstrip())
            line = ""
        line += piece if line or not piece.isspace() else ""
    return [*lines, line.rstrip()] if line.strip() or not lines else lines


def flowed(items: Iterable[str], joint: str, width: int) -> list[str]:
    """Items in a row, the joint before each but the first; a line is broken before a joint where that will do."""
    lines = [""]
    for number, item in enumerate(items):
        text = f"{joint} {item}" if number else item
        joined = f"{lines[-1]} {text}" if number else text
        if width_of(shown(joined)) <= width:
            lines[-1] = shown(joined)
        else:
            lines += wrapped(text, width)
    return lines if lines[0] else lines[1:]


def cut(text: str, width: int, words: str = "") -> str:
    """One line no wider than width, with … where it was cut; its head and the decisive words are kept."""
    if width_of(text) <= width:
        return text
    start = text.find(words) if words else 0
    if start > 0 and width_of(text[: start + len(words)]) >= width:
        head = _head(text[:start], _HEAD if width >= 3 * _HEAD else 0)
        rest = text[len(head) :]
        return head + _around(rest, rest.find(words), width - width_of(head), len(words))
    return _head(text, width - 1) + "…"


def _around(text: str, start: int, width: int, length: int) -> str:
    """The stretch of a text in which the words that begin there are seen, and a little before them."""
    front = max(0, min(start - width // 4, start + min(length, width) - width // 2))
    # Near the end of the line the window ends with it, so that no room is wasted.
    while front and width_of(text[front - 1 :]) < width:
        front -= 1
    return "…" + cut(text[front:], width - 1) if front else cut(text, width)


def _head(text: str, width: int) -> str:
    used = 0
    for index, character in enumerate(text):
        used += _character_width(character)
        if used > width:
            return text[:index]
    return text


def squeezed(text: str) -> str:
    """The columns of a table moved together: their blanks take the room that the words need."""
    return _WIDE_GAP.sub("  ", text)


def padded(text: str, width: int) -> str:
    """The text filled with blanks up to a width."""
    return text + " " * max(0, width - width_of(text))


def _pieces(text: str) -> list[str]:
    """What may not be broken: a run of blanks, a run of narrow letters, a wide character with its punctuation."""
    if text.isascii():
        return _ASCII_PIECES.findall(text)
    pieces: list[str] = []
    last, last_kind = "", ""
    for letter, following in zip(text, text[1:] + " ", strict=True):
        kind = _kind(letter)
        if kind == "blank" and last.isdigit() and _kind(following) == "wide":
            kind = "glue"  # a number and the word for what it counts
        same_run = kind == last_kind != "wide"
        punctuated = "blank" not in (kind, last_kind) and (last in _OPENING or letter in _CLOSING)
        if pieces and (same_run or punctuated or "glue" in (kind, last_kind)):
            pieces[-1] += letter
        else:
            pieces.append(letter)
        last, last_kind = letter, kind
    return pieces


def _kind(letter: str) -> str:
    return "blank" if letter == " " else "wide" if _character_width(letter) == 2 else "narrow"


def _broken(pieces: Iterable[str], width: int) -> Iterator[str]:
    """A piece longer than a whole line is cut, so that no line overflows."""
    room = max(width, 8)
    for piece in pieces:
        start = used = 0
        for index, character in enumerate(piece if len(piece) * 2 > room else ""):
            used += _character_width(character)
            if used > room:
                yield piece[start:index]
                start, used = index, _character_width(character)
        yield piece[start:]


def _character_width(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1

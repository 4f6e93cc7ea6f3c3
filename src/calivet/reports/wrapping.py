"""Text to the width of a terminal, where Chinese characters take two columns."""

from __future__ import annotations

import unicodedata

from calivet.evidence.expressions import expression

_ASCII_PIECES = expression(r" +|[^ ]+")
_NOT_FIRST = "，。；：、！？）】》」』”’%"


def width_of(text: str) -> int:
    """Columns on a terminal."""
    if text.isascii():
        return len(text)
    return sum(_character_width(character) for character in text)


def wrapped(text: str, width: int) -> list[str]:
    """Lines no wider than width, broken at blanks and between Chinese characters; never empty."""
    lines, line = [], ""
    for piece in _broken(_pieces(text), width):
        if width_of(line + piece) > width and line.strip() and piece not in _NOT_FIRST:
            lines.append(line.rstrip())
            line = ""
        line += piece if line or not piece.isspace() else ""
    return [*lines, line.rstrip()] if line.strip() or not lines else lines


def cut(text: str, width: int, words: str = "") -> str:
    """One line no wider than width, with … where it was cut; where need be the front, so that the words show."""
    if width_of(text) <= width:
        return text
    start = text.find(words) if words else 0
    if start > 0 and width_of(text[: start + len(words)]) >= width:
        front = max(0, min(start - width // 4, start + min(len(words), width) - width // 2))
        # Near the end of the line the window ends with it, so that no room is wasted.
        while front and width_of(text[front - 1 :]) < width:
            front -= 1
        return "…" + cut(text[front:], width - 1) if front else cut(text, width)
    kept, used = [], 1
    for character in text:
        used += _character_width(character)
        if used > width:
            break
        kept.append(character)
    return "".join(kept) + "…"


def padded(text: str, width: int) -> str:
    """The text filled with blanks up to a width."""
    return text + " " * max(0, width - width_of(text))


def _pieces(text: str) -> list[str]:
    """What may not be broken: a run of blanks, a run of narrow letters, or one wide character."""
    if text.isascii():
        return _ASCII_PIECES.findall(text)
    pieces: list[str] = []
    last = ""
    for letter in text:
        kind = "wide" if _character_width(letter) == 2 else "blank" if letter == " " else "narrow"
        if kind == last != "wide":
            pieces[-1] += letter
        else:
            pieces.append(letter)
        last = kind
    return pieces


def _broken(pieces: list[str], width: int) -> list[str]:
    """Words longer than a whole line are cut, so that no line overflows."""
    room = max(width, 8)
    return [piece[i : i + room] for piece in pieces for i in range(0, len(piece), room)]


def _character_width(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1

"""Text to the width of a terminal, where Chinese characters take two columns."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator

from calivet.evidence.archives.member_names import make_printable
from calivet.search.expressions import expression

_ASCII_PIECES = expression(r" +|[^ ]+")
_BLANKS = expression(r"\s")
_COLOUR = expression(r"\033\[[\d;]*m")
# Where Chinese text may not be broken: after what opens, before what closes.
HEAD = 24
"""Columns that hold the time of a log line, or the name at the head of a table's row."""
_TORN = 16
"""Letters of a torn word that are left out, rather than shown without the rest."""
_ITEM_END = expression(r", (?!but: )|、")
_LEAD = expression(r"[^@>]{1,80}?(?:: |：)")
"""What stands before the first item of a list: 2 of 5 not ready."""
_BEGINNING = 8
"""Letters that are kept of a line, even if they end in a torn word."""
_JOINTS = "/,;&?"
"""Behind which a word that is too long for a line is broken, as addresses and paths are."""
_OPENING = "（【《「『“‘(["
_CLOSING = "，。；：、！？）】》」』”’…,.;:!?)]%"


def clean_line(text: str) -> str:
    """What may reach a terminal: every blank a space, and nothing in it that would act on the terminal."""
    return text if text.isprintable() else make_printable(_BLANKS.sub(" ", text))


def measure_width(text: str) -> int:
    """Columns on a terminal."""
    if text.isascii():
        return len(text)
    return sum(map(_measure_character, text))


def measure_painted(text: str) -> int:
    """The same of text with colours in it, which take no room."""
    return measure_width(_COLOUR.sub("", text))


def wrap_text(text: str, width: int) -> list[str]:
    """Lines no wider than width, broken at blanks and between Chinese characters; never empty."""
    lines, line = [], ""
    for piece in _break_pieces(_split_pieces(clean_line(text)), width):
        if measure_width(line + piece.rstrip()) > width and line.strip():
            lines.append(line.rstrip())
            line = ""
        line += piece if line or not piece.isspace() else ""
    return [*lines, line.rstrip()] if line.strip() or not lines else lines


def break_text(text: str, width: int) -> list[str]:
    """All of it in lines no wider than width, at blanks where there are some: joined again it is the same text."""
    lines, line = [], ""
    for piece in _break_pieces(_split_pieces(text), width):
        if line and measure_width((line + piece).rstrip()) > width:
            lines.append(line)
            line = ""
        line += piece
    return [*lines, line] if line else lines


def join_items(items: Iterable[str], joint: str, width: int) -> list[str]:
    """Items in a row, the joint before each but the first; a line is broken before a joint where that will do."""
    lines = [""]
    for number, item in enumerate(items):
        text = f"{joint} {item}" if number else item
        joined = f"{lines[-1]} {text}" if number else text
        if measure_width(clean_line(joined)) <= width:
            lines[-1] = clean_line(joined)
        else:
            lines += wrap_text(text, width)
    return lines if lines[0] else lines[1:]


def cut_line(text: str, width: int, words: str = "") -> str:
    """One line no wider than width, with … where it was cut; its head and the decisive words are kept."""
    if measure_width(text) <= width:
        return text
    start = text.find(words) if words else 0
    if start > 0 and measure_width(text[: start + len(words)]) >= width:
        head = _cut_at_blank(text[:start], HEAD if width >= 3 * HEAD else 0)
        rest = text[len(head) :]
        return head + _cut_around(rest, rest.find(words), width - measure_width(head), len(words))
    return _cut_at_blank(text, width - 1, max(start, 0) + len(words)) + "…"


def cut_items(text: str, width: int) -> str:
    """A list on one line: of one that is too long the first items, each whole; of the only one its name is cut."""
    if measure_width(text) <= width:
        return text
    ends = [found.end() for found in _ITEM_END.finditer(text)]
    fitting = [end for end in ends if measure_width(text[:end]) < width]
    if fitting:
        return f"{text[: fitting[-1]]}…"
    first, more = (text[: ends[0]], "…") if ends else (text, "")
    lead = found[0] if (found := _LEAD.match(first)) else ""
    name, colon, state = first[len(lead) :].partition(": ")
    room = width - measure_width(lead + colon + state + more)
    if not colon or room < -measure_width(colon):
        return cut_line(f"{lead}{state.rstrip(', 、')}" if colon else text, width)
    shown = _shorten_name(name, room)
    return f"{lead}{shown}{colon if shown else ''}{state}{more}"


def _shorten_name(name: str, room: int) -> str:
    """Of a pod what tells it from its like, and its node whole: somebody goes there; of a session the other end."""
    pod, at, node = name.partition(" @ ")
    number = pod[pod.rfind("-") :] if at else ""
    spare = room - measure_width(f"…{number}{at}{node}")
    if at and spare >= 0:
        return f"{_cut_head(pod, spare).rstrip('-')}…{number}{at}{node}"
    place = node or name.rpartition(" -> ")[2]
    if measure_width(place) <= room:
        return place
    return f"{_cut_head(place, room - 1)}…" if room >= _BEGINNING else ""


def _cut_around(text: str, start: int, width: int, length: int) -> str:
    """The stretch of a text in which the words that begin there are seen, and a little before them."""
    before, words, behind = text[:start], text[start : start + length], text[start + length :]
    spare = width - measure_width(words) - 2
    if spare < 0:
        return "…" + cut_line(words, width - 1)
    # Near an end of the line the window ends with it, so that no room is wasted.
    room = max(spare * 3 // 4, spare - measure_width(before))
    tail = behind if measure_width(behind) <= room + 1 else _cut_at_blank(behind, room) + "…"
    head = _cut_at_blank(before[::-1], max(0, width - 1 - measure_width(words + tail)))[::-1]
    return f"{'…' if len(head) < len(before) else ''}{head}{words}{tail}"


def _cut_at_blank(text: str, width: int, least: int = 0) -> str:
    """What fits, without the beginning of a word at its end if the word is short; never less than so many letters."""
    head = _cut_head(text, width)
    last = head.rfind(" ") + 1
    is_torn = len(head) < len(text) and text[len(head)] != " "
    return head[:last] if is_torn and len(head) - last < _TORN and last >= max(least, _BEGINNING) else head


def _cut_head(text: str, width: int) -> str:
    used = 0
    for index, character in enumerate(text):
        used += _measure_character(character)
        if used > width:
            return text[:index]
    return text


def pad_text(text: str, width: int) -> str:
    """The text filled with blanks up to a width."""
    return text + " " * max(0, width - measure_width(text))


def _split_pieces(text: str) -> list[str]:
    """What may not be broken: a run of blanks, a run of narrow letters, a wide character with its punctuation."""
    if text.isascii():
        return _ASCII_PIECES.findall(text)
    pieces: list[str] = []
    last, last_kind = "", ""
    for letter, following in zip(text, text[1:] + " ", strict=True):
        kind = _classify(letter)
        if kind == "blank" and last.isdigit() and _classify(following) == "wide":
            kind = "glue"  # a number and the word for what it counts
        same_run = kind == last_kind != "wide"
        punctuated = "blank" not in (kind, last_kind) and (last in _OPENING or letter in _CLOSING)
        if pieces and (same_run or punctuated or "glue" in (kind, last_kind)):
            pieces[-1] += letter
        else:
            pieces.append(letter)
        last, last_kind = letter, kind
    return pieces


def _classify(letter: str) -> str:
    return "blank" if letter == " " else "wide" if _measure_character(letter) == 2 else "narrow"


def _break_pieces(pieces: Iterable[str], width: int) -> Iterator[str]:
    """A piece longer than a whole line is cut, so that no line overflows: behind a slash or the like, where one is."""
    room = max(width, 8)
    for piece in pieces:
        rest = piece
        while len(rest) * 2 > room and measure_width(rest) > room:
            head = _cut_head(rest, room)
            behind = max(map(head.rfind, _JOINTS)) + 1
            end = behind if behind * 2 > len(head) else len(head)
            yield rest[:end]
            rest = rest[end:]
        yield rest


def _measure_character(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1

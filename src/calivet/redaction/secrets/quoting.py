"""How values are written: in quotes of any depth, as words of a shell, as the rest of a line.

Nothing here looks at a place twice, however the line is made: a hostile line costs as much as it is long.
"""

from __future__ import annotations

from typing import NamedTuple

from calivet.search.expressions import expression

OPENING = expression(r"\\{0,15}[\"'`]")
# Behind a backslash it is no beginning of a run of them, so that a long run is gone through once.
ANY_QUOTE = expression(r"(?<!\\)\\{0,15}[\"'`]")
# No password is written in these: what begins with them is what a sentence goes on with.
CHINESE = expression(r"[\u2014\u2018-\u201d\u2026\u3000-\u30ff\u3400-\u9fff\uff00-\uffef]")
BLANK_OR_CHINESE = expression(r"[\s\u2014\u2018-\u201d\u2026\u3000-\u30ff\u3400-\u9fff\uff00-\uffef]")
APOSTROPHE = r"'\''"
# Behind a closing quote these tell that it was none: the value is a word that holds quotes.
GOES_ON = expression(r"[\"'`][A-Za-z0-9@$%^*+=~_/?!{\[(<-]")
CLOSERS = {")": "(", "]": "[", "}": "{", ">": "<"}
ENDS_A_SENTENCE = ".,;:"


class Value(NamedTuple):
    """Where a value stands."""

    start: int
    stop: int
    quoted: bool = False
    closed: bool = True
    """A quoted one ends on this line."""


def find_close(line: str, start: int, opening: str) -> int:
    """Where the string ends that `opening` began: a quote with as many backslashes; -1 where it does not.

    In JSON within JSON a quote has 1, 3, 7 backslashes, and one that belongs to the value twice as many and one more.
    """
    quote, depth = opening[-1], len(opening) - 1
    at = line.find(quote, start)
    while at >= 0:
        run = _count_backslashes(line, start, at)
        if not depth and quote == "'" and line.startswith("''", at):  # YAML writes an apostrophe so
            at += 1
        elif run % (2 * depth + 2) == depth:
            return at - depth
        at = line.find(quote, at + 1)
    return -1


def _count_backslashes(line: str, start: int, at: int) -> int:
    run = 0
    while at - run > start and line[at - run - 1] == "\\":
        run += 1
    return run


def read_quoted(line: str, start: int) -> Value | None:
    """What stands in the quotes that begin here, or to the end of a line that was cut."""
    opening = OPENING.match(line, start)
    if not opening:
        return None
    begin = opening.end()
    stop = find_close(line, begin, opening[0])
    if stop < 0 and opening[0] == "'":
        stop = line.find("'", begin)  # a shell's: there a backslash is a character like others
    while stop >= 0 and line.startswith(APOSTROPHE, stop):  # and an apostrophe is written between two strings
        stop = line.find("'", stop + len(APOSTROPHE))
    return Value(begin, stop if stop >= 0 else len(line), quoted=True, closed=stop >= 0)


def read_word(line: str, start: int, limit: int | None = None, *, ends: str = "") -> Value:
    """A quoted value, or all up to a blank, to one of `ends`, or to where a Chinese sentence goes on."""
    limit = len(line) if limit is None else limit
    if quoted := read_quoted(line, start):
        if GOES_ON.match(line, quoted.stop):
            return Value(start, _find_word_end(line, quoted.stop, limit))
        return Value(quoted.start, min(quoted.stop, limit), quoted=True, closed=quoted.closed)
    stop = _find_word_end(line, start, limit)
    if ends:
        stop = next((at for at in range(start, stop) if line[at] in ends), stop)
    return Value(start, trim(line, start, stop))


def _find_word_end(line: str, start: int, limit: int) -> int:
    end = BLANK_OR_CHINESE.search(line, start, limit)
    return end.start() if end else limit


def trim(line: str, start: int, stop: int) -> int:
    """Without what closes a bracket that was opened before the value, or ends the sentence."""
    text = line[start:stop]
    while stop > start and ((last := line[stop - 1]) in CLOSERS or last in ENDS_A_SENTENCE):
        if CLOSERS.get(last, " ") in text:
            break
        stop -= 1
    return stop


class OpenQuotes:
    """Tells in which string a place stands. Asked from left to right, it goes through the line once."""

    def __init__(self, line: str) -> None:
        self._line = line
        self._tokens = ANY_QUOTE.finditer(line)
        self._next = next(self._tokens, None)
        self._open: list[str] = []
        self._stop = -1

    def limit(self, place: int) -> int:
        """Where the string that holds this place ends; the line's end where there is none."""
        while self._next and self._next.end() <= place:
            self._take(self._next[0], self._next.start())
            self._next = next(self._tokens, None)
        if not self._open:
            return len(self._line)
        if self._stop < place:
            stop = find_close(self._line, place, self._open[-1])
            self._stop = stop if stop >= 0 else len(self._line)
        return self._stop

    def _take(self, token: str, at: int) -> None:
        self._stop = -1
        if token in self._open:
            del self._open[self._open.index(token) :]
        elif token[-1] == '"' or not at or not (self._line[at - 1].isalnum() or self._line[at - 1] == token):
            self._open.append(token)
            del self._open[:-4]


def find_newline(line: str, start: int, limit: int) -> int:
    """Where, in a string that ends at `limit`, the text's own line ends: at a newline that is written out."""
    depth = 0
    while line.startswith("\\", limit + depth):
        depth += 1
    at = line.find("\\", start, limit)
    while at >= 0:
        run = 1
        while line[at + run : at + run + 1] == "\\":
            run += 1
        if line[at + run : at + run + 1] in ("n", "r") and run % (2 * depth + 2) == depth + 1:
            return at
        at = line.find("\\", at + run, limit)
    return limit

"""Secrets in lists and tables, where the name is one entry and the value another: environments, arguments, columns."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from calivet.redaction.secrets.below import BLOCK, find_below, find_margin, strip_margin
from calivet.redaction.secrets.quoting import Value, read_quoted, read_word
from calivet.redaction.secrets.values import (
    CHINESE_NAMES,
    ENDINGS,
    LONG_SECRET_WORDS,
    OWNERS,
    SECRET_WORDS,
    WIDE_HINT,
    find_kind,
    is_innocent,
    is_object_name,
    is_plain,
    looks_random,
)
from calivet.redaction.spans import Finder, Span
from calivet.search.expressions import expression

# One pod in seven hundred has a made-up name that ends in `pw`: two letters count as they do in `find_kind`.
NAME_HINT = (
    r"(?i)(?:name|key)(?:\\{0,9}[\"'])?\s{0,9}:\s{0,40}(?:\\{0,9}[\"'])?"
    rf"(?:[\w.-]{{0,80}}(?:{LONG_SECRET_WORDS})|(?:[\w.-]{{0,80}}(?:[-_.]|{OWNERS}))?pw)(?:{ENDINGS})?"
    r"(?:\\{0,9}[\"'])?\s{0,9}(?:[,}#]|$)"
)
# In JSON of any depth of quoting, in YAML's short form, and as Go prints its structures; the value follows.
NAME_THEN_VALUE = expression(
    r"\b(?:name|key)(?P<quote>\\{0,9}[\"'])?\s{0,9}:\s{0,9}(?(quote)(?P=quote))(?P<name>[\w.-]{1,120})"
    r"(?(quote)(?P=quote))\s{0,9},\s{0,40}(?(quote)(?P=quote))value(?(quote)(?P=quote))\s{0,9}:\s{0,9}",
    re.IGNORECASE | re.ASCII,
)
VALUE = expression(r"\bvalue(?P<quote>\\{0,9}[\"'])\s{0,9}:\s{0,9}", re.IGNORECASE | re.ASCII)
THEN_NAME = expression(
    r"(?P<quote>\\{0,9}[\"'])\s{0,9},\s{0,40}(?P=quote)(?:name|key)(?P=quote)\s{0,9}:\s{0,9}(?P=quote)"
    r"(?P<name>[\w.-]{1,120})(?P=quote)",
    re.IGNORECASE | re.ASCII,
)
NAME_LINE = expression(
    r"\s*(?:-\s+)?[\"']?(?:name|key)[\"']?:\s*[\"']?(?P<name>[\w.-]+)[\"']?,?\s*(?:#.*)?$", re.IGNORECASE | re.ASCII
)
VALUE_LINE = expression(r"\s*(?:-\s+)?[\"']?value[\"']?:\s*", re.IGNORECASE | re.ASCII)
# An option and its value as two elements of a list.
OPTION = expression(r"(?P<quote>\\{0,9}[\"'])--?(?P<name>[\w.-]{1,120})(?P=quote)\s{0,9},\s{0,40}")
OPTION_LINE = expression(r"\s*(?:-\s+)?[\"']?--?(?P<name>[\w.-]{1,120})[\"']?,?\s*$")
OF_A_LIST = expression(r"\s*(?:-\s|[\"'])")
ELEMENT_LINE = expression(r"\s*(?:-\s+)?(?=[^\s-])")


def find_arguments(lines: Sequence[str], hits: Sequence[int]) -> Iterator[Span]:
    """The values whose options stand on these lines and say secret."""
    for index in hits:
        line = lines[index]
        for pair in OPTION.finditer(line):
            yield from _build_span(line, index, pair["name"], read_quoted(line, pair.end()))
        yield from _find_beside(lines, index, index + 1, OPTION_LINE, ELEMENT_LINE)


def find_entries(lines: Sequence[str], hits: Sequence[int]) -> Iterator[Span]:
    """The values whose names stand on these lines and say secret."""
    for index in hits:
        line = lines[index]
        for pair in NAME_THEN_VALUE.finditer(line):
            value = read_quoted(line, pair.end()) or read_word(line, pair.end(), ends=",")
            yield from _build_span(line, index, pair["name"], value, '"' if pair["quote"] else "")
        yield from _find_value_before_name(line, index)
        yield from _find_beside(lines, index, index + 1, NAME_LINE, VALUE_LINE) or _find_beside(
            lines, index, index - 1, NAME_LINE, VALUE_LINE
        )


def _find_value_before_name(line: str, index: int) -> Iterator[Span]:
    """`"value": x, "name": y`."""
    for head in VALUE.finditer(line):
        value = read_quoted(line, head.end())
        if value and (named := THEN_NAME.match(line, value.stop)):
            yield from _build_span(line, index, named["name"], value)


def _find_beside(
    lines: Sequence[str], index: int, beside: int, naming: re.Pattern[str], holding: re.Pattern[str]
) -> list[Span]:
    """The value on the line beside, where this one holds nothing but the name."""
    margin = find_margin(lines, index, beside)
    found = dict(strip_margin(lines, [number for number in (index, beside) if 0 <= number < len(lines)], margin))
    named, held = naming.match(found.get(index, "")), holding.match(found.get(beside, ""))
    kind = find_kind(named["name"]) if named else None
    if not named or not held or not kind:
        return []
    line, start = lines[beside], len(margin) + held.end()
    if BLOCK.match(line, start):
        return list(find_below(lines, beside, kind))
    value = read_quoted(line, start) or Value(start, len(line.rstrip().removesuffix(",")))
    if naming is OPTION_LINE and " " in line[value.start : value.stop] and not OF_A_LIST.match(found[index]):
        return []  # a page of help, in which an option's description stands below it
    return list(_build_span(line, beside, named["name"], value, '"' if '"value"' in held[0] else ""))


def _build_span(line: str, index: int, name: str, value: Value | None, quote: str = "") -> Iterator[Span]:
    kind = find_kind(name)
    if not kind or value is None or value.stop <= value.start:
        return
    text = line[value.start : value.stop]
    if not is_innocent(text, name, kind, quoted=value.quoted):
        bare_number = text.isdigit() and not value.quoted
        yield Span(index, value.start, value.stop, kind, text, quote if bare_number else "")


# Tables: a column's head says secret.
_WORD = "[\\w\u3400-\u9fff.-]"
_COLUMN = rf"(?:{_WORD}| ){{0,40}}(?:password|passwd|passphrase|token|secret|pwd|{'|'.join(CHINESE_NAMES)})"
TABLE_HINT = (
    rf"(?i)\|\s{{0,40}}[*`]{{0,2}}{_COLUMN}[*`]{{0,2}}\s{{0,40}}(?:\||$)|^\s{{0,40}}{_COLUMN}\s{{0,40}}\|"
    rf"|^\s{{0,40}}\"?(?:(?:{_WORD}| ){{1,40}}\"?[,;\t]\"?){{1,20}}{_COLUMN}\"?\s*(?:[,;\t]|$)"
    rf"|^\s{{0,40}}\"?{_COLUMN}\"?[,;\t]\"?(?:{_WORD}| ){{1,40}}\"?\s*(?:[,;\t]|$)"
    rf"|^\s{{0,40}}(?:{_WORD}{{1,40}}\s{{2,40}}){{1,20}}{_COLUMN}(?:\s{{2,40}}{_WORD}|\s*$)"
    rf"|^\s{{0,40}}{_COLUMN}\s{{2,40}}{_WORD}{{1,40}}(?:\s\s|\s*$)"
)
HEAD_CELL = expression(r"[\w .\"*`-]{1,60}", re.UNICODE)
RULER = expression(r"[\s|:+-]+")
ROWS = 400
BLANKS = "  "
CHINESE_WORD = expression(r"[\u3400-\u9fff]+")
CELL_AMONG_BLANKS = expression(r"\S+(?: \S+)*")


def find_columns(lines: Sequence[str], hits: Sequence[int]) -> Iterator[Span]:
    """The cells below a head that says secret, in Markdown and in separated values."""
    done, asked, is_row = -1, -1, False
    for index in hits:
        if index <= done:
            continue
        head = lines[index]
        is_row = _is_below_ruler(lines, index, asked, is_row)
        asked = index
        if is_row:
            yield from _find_beside_name(head, index)
            continue
        separator = next((sign for sign in ("|", ",", ";", "\t", BLANKS) if sign in head), "")
        cells = list(_split_cells(head, separator)) if separator else []
        columns = list(_find_secret_columns(head, cells))
        for number in range(index + 1, min(len(lines), index + ROWS) if columns else 0):
            row = list(_split_cells(lines[number], separator))
            if len(row) < len(cells):
                if separator == "|" and RULER.fullmatch(lines[number]):
                    continue
                break
            done = number
            for column in columns:
                yield from _find_in_cell(lines[number], number, row, column, len(cells), separator)


def _is_below_ruler(lines: Sequence[str], index: int, asked: int, answer: bool) -> bool:
    """Whether this is a row of a Markdown table, below its head. A row above was asked for: none is seen twice."""
    for number in range(index, asked, -1):
        if "|" not in lines[number]:
            return False
        if "--" in lines[number] and RULER.fullmatch(lines[number]):
            return number < index
    return answer


def _find_beside_name(row: str, index: int) -> Iterator[Span]:
    """In a table of names and values, the value of a secret; a word alone may be its type, a number its length."""
    cells = [cell for cell in _split_cells(row, "|") if row[cell[0] : cell[1]].strip()]
    if len(cells) != 2 or not list(_find_secret_columns(row, cells[:1])):
        return
    start, stop = cells[1]
    text = row[start:stop].strip(' "`*')
    is_telling = not text.isalpha() and not text.replace(".", "").isdecimal()
    if is_telling and " " not in text and not is_plain(text) and not is_object_name(text):
        start = row.index(text, start)
        yield Span(index, start, start + len(text), "password", text)


def _find_secret_columns(head: str, cells: Sequence[tuple[int, int]]) -> Iterator[int]:
    names = [head[start:stop].strip(' "*`') for start, stop in cells]
    if all(HEAD_CELL.fullmatch(name) for name in names if name):
        for column, name in enumerate(names):
            if find_kind(name.split(" ")[-1]) or name.startswith(tuple(CHINESE_NAMES)):
                yield column


def _find_in_cell(
    line: str, number: int, row: Sequence[tuple[int, int]], column: int, count: int, separator: str
) -> Iterator[Span]:
    """One cell; the last may hold what would part others."""
    is_last = column == count - 1 and separator not in ("|", BLANKS)
    if RULER.fullmatch(line) or (len(row) != count and not is_last):
        return
    start, stop = row[column][0], row[-1 if is_last else column][1]
    text = line[start:stop].strip(' "`*')
    if (separator == BLANKS and not looks_random(text)) or CHINESE_WORD.fullmatch(text):
        return
    if text and not is_plain(text) and not is_object_name(text) and (separator != "|" or " " not in text):
        start = line.index(text, start)
        yield Span(number, start, start + len(text), "password", text)


def _split_cells(line: str, separator: str) -> Iterator[tuple[int, int]]:
    """Start and stop of each cell; a separator within quotes, or behind a backslash in Markdown, is a part of it."""
    if separator == BLANKS:
        yield from (cell.span() for cell in CELL_AMONG_BLANKS.finditer(line))
        return
    at = 0
    while at <= len(line):
        stop = line.find(separator, at)
        if separator != "|" and line.startswith('"', at):
            closing = line.find(f'"{separator}', at + 1)
            stop = closing + 1 if closing >= 0 else -1
        while separator == "|" and stop > at and line[stop - 1] == "\\":
            stop = line.find(separator, stop + 1)
        stop = stop if stop >= 0 else len(line)
        yield at, stop
        at = stop + 1


ENTRIES = Finder(NAME_HINT, find_entries, WIDE_HINT)
ARGUMENTS = Finder(
    rf"(?i)(?:^\s{{2,40}}|-\s{{1,9}}|[\"'])--?[\w.-]{{0,80}}(?:{SECRET_WORDS})(?:{ENDINGS})?(?:\s*$|\\{{0,9}}[\"']\s{{0,9}}(?:,|$))",
    find_arguments,
    WIDE_HINT,
)
COLUMNS = Finder(TABLE_HINT, find_columns, WIDE_HINT)

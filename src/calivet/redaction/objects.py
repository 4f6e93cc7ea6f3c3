"""The values of Secret objects, in YAML and JSON, spread over lines or on one, in whatever list they stand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from calivet.evidence.expressions import expression
from calivet.redaction.blocks import indent_of
from calivet.redaction.finding import Finder, Span
from calivet.redaction.margins import behind, margin_of

KIND = "secret-data"
HINT = r"kind(?:\\*[\"'])?\s*:\s*(?:\\*[\"'])?Secret(?:\\*[\"'])?\s*(?:[,}#]|$)"
ON_A_LINE = expression(r"\s*(?:- +)?[\"']?kind[\"']?:\s*[\"']?Secret[\"']?,?\s*(?:#.*)?$")
ANY_KIND = expression(r"\s*(?:- +)?[\"']?kind[\"']?:")
BRACKETS = ("}", "},", "]", "],")
FIELD = expression(r"\s*(?:- +)*(?:[\"'][^\"']+[\"']|[\w./-]+)\s*:(?:\s|$)")
DATA = expression(r"\s*(?:- +)?[\"']?(?:data|stringData)[\"']?:\s*\{?\s*$")
ENTRY = expression(
    r"\s*(?:\"[^\"]+\"|'[^']+'|[\w.-]+)\s*:\s*(?P<quote>[\"'])?(?P<value>.*?)(?(quote)(?P=quote)|)\s*,?\s*$"
)
COMPACT = expression(
    r"\\{0,9}[\"'](?:data|stringData)\\{0,9}[\"']\s*:\s*\{(?P<body>[^{}]*)\}"
    r"|\b(?:data|stringData): ?\{(?P<flow>[^{}]*)\}"
)
VALUE = expression(r":\s*(?P<quote>\\{0,9}[\"'])?(?P<value>.*?)(?(quote)(?P=quote)|(?=,|$))")
# Certificates are public, and their dates matter. A block begins on the next line.
CERTIFICATE = expression(r"LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0[\w+/]*=*$|-----BEGIN CERTIFICATE")
BLOCK = expression(r"[|>][-+\d]*$")
CERTIFICATE_ENDS = "-----END CERTIFICATE"
LONGEST = 2000


def find(lines: Sequence[str], index: int) -> Iterator[Span]:
    """The values of the object whose kind stands on this line."""
    margins = {margin_of(lines, index, index - 1), margin_of(lines, index, index + 1)}
    for margin in margins:
        if ON_A_LINE.match(lines[index][len(margin) :]):
            for first, column in _data(lines, index, margin):
                yield from _entries(lines, first, column, margin)
    for data in COMPACT.finditer(lines[index]):
        group = "body" if data["body"] is not None else "flow"
        for value in VALUE.finditer(data[group]):
            yield from _span(index, value["value"], data.start(group) + value.start("value"))


def _data(lines: Sequence[str], index: int, margin: str) -> Iterator[tuple[int, int]]:
    """Where the object's data begin; kubectl prints them before the kind, people write them after it."""
    column = indent_of(lines[index][len(margin) :])
    for numbers in (range(index, max(-1, index - LONGEST), -1), range(index + 1, min(len(lines), index + LONGEST))):
        for number, line in behind(lines, numbers, margin):
            if not line.strip():
                continue
            here = indent_of(line)
            opens = line.lstrip().startswith("- ") and here == column
            if here < column or (opens and number > index) or (here == column and _is_foreign(line, number != index)):
                break
            if here == column and DATA.match(line):
                yield number, column
            if opens:
                break


def _is_foreign(line: str, elsewhere: bool) -> bool:
    """No field of the object: its kind is named once."""
    return not (FIELD.match(line) or line.strip() in BRACKETS) or (elsewhere and bool(ANY_KIND.match(line)))


def _entries(lines: Sequence[str], first: int, column: int, margin: str) -> Iterator[Span]:
    public = False
    for number, line in behind(lines, range(first + 1, min(len(lines), first + LONGEST)), margin):
        if line.strip() and len(line) - len(line.lstrip()) <= column:
            return
        public = (public or bool(CERTIFICATE.match(line.strip()))) and CERTIFICATE_ENDS not in line
        if public or CERTIFICATE_ENDS in line:
            continue
        if entry := ENTRY.match(line):
            yield from _span(number, entry["value"], len(margin) + entry.start("value"))
        elif text := line.strip():
            yield from _span(number, text, len(margin) + line.index(text))


def _span(number: int, value: str, start: int) -> Iterator[Span]:
    if value.strip("{}[] ") and not CERTIFICATE.match(value) and not BLOCK.match(value):
        yield Span(number, start, start + len(value), KIND, value)


FINDER = Finder(HINT, find)

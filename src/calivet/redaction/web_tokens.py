"""JSON web tokens, and other JSON packed in base64: Docker's logins, service accounts; also wrapped by a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from calivet.evidence.expressions import expression
from calivet.redaction.finding import Finder, Span, spans_of

KIND = "token"
# `eyJ` and `ewo` are how an opening brace begins in base64.
# A letter before it belongs to a written-out newline, or it is the middle of something else.
TOKEN = expression(
    r"(?:(?<![A-Za-z0-9+/])|(?<=\\[nrt])|(?<=%[23][0-9A-F]))(?:eyJ|ewog|ewoJ)[\w+/-]{13,}={0,2}(?:\.[\w+/=-]*){0,4}"
)
REST = expression(r"\s*(?P<rest>[\w+/=-]+(?:\.[\w+/=-]*)*)\s*$")
CAPITAL = expression(r"[A-Z]")
# Narrower than this nobody's terminal is.
WIDTH = 60
LINES = 60


def find(lines: Sequence[str], index: int) -> Iterator[Span]:
    """Every token that begins on this line."""
    for token in TOKEN.finditer(lines[index]):
        pieces = [(index, *token.span())]
        if token.end() == len(lines[index]) and len(lines[index]) >= WIDTH:
            pieces += _wrapped(lines, index + 1)
        yield from spans_of(KIND, pieces, lines)


def _wrapped(lines: Sequence[str], first: int) -> Iterator[tuple[int, int, int]]:
    """The lines that go on with it; names in Kubernetes have no capitals, so none is taken for a part."""
    for number in range(first, min(len(lines), first + LINES)):
        rest = REST.match(lines[number])
        if not rest or not CAPITAL.search(rest["rest"]):
            return
        yield (number, *rest.span("rest"))
        if len(lines[number]) < WIDTH:
            return


FINDER = Finder(r"(?:eyJ|ewog|ewoJ)[\w+/-]{13,}", find)

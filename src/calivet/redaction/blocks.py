"""Values that stand on the lines below their name: YAML's block scalars, and what `kubectl describe` prints."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from calivet.evidence.expressions import expression
from calivet.redaction.finding import Finder, Span, spans_of
from calivet.redaction.margins import behind, margin_of
from calivet.redaction.values import is_plain

# A bound on what a misread line can cost.
LONGEST = 200
BLOCK = expression(r"[|>][-+\d]*\s*$")
ACCOUNTS = expression(r"\s*list:\s*[|>][-+\d]*\s*$")
ACCOUNT = expression(r"\s*[\w.-]+:(?P<secret>\S+)\s*$")
RULE = expression(r"\s*-{4,}\s*$")

Body = tuple[int, str]
"""A line's number, and the line without its margin."""


def indent_of(line: str) -> int:
    """The column of the first character; a list's dash belongs to the indentation."""
    bare = line.lstrip(" ")
    while bare.startswith("- "):
        bare = bare[2:].lstrip(" ")
    return len(line) - len(bare)


def below(lines: Sequence[str], index: int, kind: str) -> Iterator[Span]:
    """The value of the name that ends this line."""
    margin = margin_of(lines, index, index + 1)
    bodies = list(behind(lines, range(index, min(len(lines), index + LONGEST)), margin))
    if BLOCK.search(lines[index]):
        yield from _spans(lines, _deeper(bodies), len(margin), kind)
    elif len(bodies) > 1 and RULE.match(bodies[1][1]):
        yield from _spans(lines, _until_blank(bodies[2:]), len(margin), kind)


def find_accounts(lines: Sequence[str], index: int) -> Iterator[Span]:
    """The passwords in cloud-init's list of accounts."""
    margin = margin_of(lines, index, index + 1)
    bodies = list(behind(lines, range(index + 1, min(len(lines), index + LONGEST)), margin))
    if not bodies or not ACCOUNTS.match(bodies[0][1]):
        return
    for number, body in _deeper(bodies):
        if account := ACCOUNT.match(body):
            start, stop = account.span("secret")
            yield Span(number, start + len(margin), stop + len(margin), "password", account["secret"])


def _deeper(bodies: Sequence[Body]) -> Iterator[Body]:
    """The lines after the first that are indented more than it."""
    column = indent_of(bodies[0][1])
    for number, body in bodies[1:]:
        if body.strip() and len(body) - len(body.lstrip(" ")) <= column:
            return
        yield number, body


def _until_blank(bodies: Sequence[Body]) -> Iterator[Body]:
    for number, body in bodies:
        if not body.strip():
            return
        yield number, body


def _spans(lines: Sequence[str], bodies: Iterator[Body], margin: int, kind: str) -> list[Span]:
    pieces = []
    for number, body in bodies:
        text = body.strip()
        if text and not is_plain(text):
            start = margin + body.index(text)
            pieces.append((number, start, start + len(text)))
    return spans_of(kind, pieces, lines)


CHPASSWD = Finder(r"chpasswd:\s*$", find_accounts)

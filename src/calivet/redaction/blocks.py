"""Values that stand on the lines below their name: YAML's block scalars, and what `kubectl describe` prints."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from calivet.evidence.expressions import expression
from calivet.redaction.finding import Finder, Span, spans_of
from calivet.redaction.values import is_plain

# Deeper indentation than anyone's secret goes on for; a bound on what a misread line can cost.
LONGEST = 200
BLOCK = expression(r"[|>][-+\d]*\s*$")
ACCOUNTS = expression(r"\s*list:\s*[|>][-+\d]*\s*$")
ACCOUNT = expression(r"\s*[\w.-]+:(?P<secret>\S+)\s*$")
RULE = expression(r"\s*-{4,}\s*$")


def indent_of(line: str) -> int:
    """The column of the first character; a list's dash belongs to the indentation."""
    bare = line.lstrip(" ")
    while bare.startswith("- "):
        bare = bare[2:].lstrip(" ")
    return len(line) - len(bare)


def below(lines: Sequence[str], index: int, column: int, kind: str) -> Iterator[Span]:
    """The value of the name at this column, where its own line holds none."""
    if BLOCK.search(lines[index]):
        yield from _spans(lines, _deeper(lines, index, min(column, indent_of(lines[index]))), kind)
    elif index + 1 < len(lines) and RULE.match(lines[index + 1]):
        yield from _spans(lines, _until_blank(lines, index + 2), kind)


def find_accounts(lines: Sequence[str], index: int) -> Iterator[Span]:
    """The passwords in cloud-init's list of accounts."""
    if not ACCOUNTS.match(lines[min(index + 1, len(lines) - 1)]):
        return
    for number in _deeper(lines, index + 1, indent_of(lines[index + 1])):
        if account := ACCOUNT.match(lines[number]):
            yield Span(number, *account.span("secret"), "password", account["secret"])


def _deeper(lines: Sequence[str], index: int, column: int) -> Iterator[int]:
    for number in range(index + 1, min(len(lines), index + LONGEST)):
        line = lines[number]
        if line.strip() and len(line) - len(line.lstrip(" ")) <= column:
            return
        yield number


def _until_blank(lines: Sequence[str], first: int) -> Iterator[int]:
    for number in range(first, min(len(lines), first + LONGEST)):
        if not lines[number].strip():
            return
        yield number


def _spans(lines: Sequence[str], numbers: Iterator[int], kind: str) -> list[Span]:
    pieces = []
    for number in numbers:
        text = lines[number].strip()
        if text and not is_plain(text):
            start = lines[number].index(text)
            pieces.append((number, start, start + len(text)))
    return spans_of(kind, pieces, lines)


CHPASSWD = Finder(r"chpasswd:\s*$", find_accounts)

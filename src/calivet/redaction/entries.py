"""Secrets in lists, where the name is one entry and the value another: environments and arguments of containers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from calivet.evidence.expressions import expression
from calivet.redaction.blocks import BLOCK, below
from calivet.redaction.finding import Finder, Span
from calivet.redaction.margins import behind, margin_of
from calivet.redaction.secret_names import ENDINGS, WORDS, kind_of
from calivet.redaction.values import is_innocent

HINT = rf"(?i)(?:name|key)(?:\\*[\"'])?\s*:\s*(?:\\*[\"'])?[\w.-]*(?:{WORDS})(?:{ENDINGS})?(?:\\*[\"'])?\s*(?:[,}}#]|$)"
# In JSON of any depth of quoting, in YAML's short form, and as Go prints its structures.
TOGETHER = expression(
    r"\b(?:name|key)(?P<quote>\\{0,9}[\"'])?\s*:\s*(?(quote)(?P=quote))(?P<name>[\w.-]+)(?(quote)(?P=quote))\s*,\s*"
    r"(?(quote)(?P=quote))value(?(quote)(?P=quote))\s*:\s*"
    r"(?(quote)(?P=quote)(?P<quoted>.*?)(?:(?<!\\)(?P=quote)|$)|[\"']?(?P<bare>[^,}\"']*))",
    re.IGNORECASE | re.ASCII,
)
TURNED = expression(
    r"\bvalue(?P<quote>\\{0,9}[\"'])\s*:\s*(?P=quote)(?P<quoted>[^\"\\]*)(?P=quote)\s*,\s*"
    r"(?P=quote)(?:name|key)(?P=quote)\s*:\s*(?P=quote)(?P<name>[\w.-]+)(?P=quote)",
    re.IGNORECASE | re.ASCII,
)
NAME_LINE = expression(
    r"\s*(?:-\s+)?[\"']?(?:name|key)[\"']?:\s*[\"']?(?P<name>[\w.-]+)[\"']?,?\s*(?:#.*)?$", re.IGNORECASE | re.ASCII
)
VALUE_LINE = expression(
    r"\s*(?:-\s+)?[\"']?value[\"']?:\s*(?P<quote>[\"'])?(?P<value>.*?)(?(quote)(?P=quote)|\s*)(?:,?\s*)$",
    re.IGNORECASE | re.ASCII,
)
# An option and its value as two elements of a list.
ARGUMENTS = expression(
    r"(?P<quote>\\{0,9}[\"'])--?(?P<name>[\w.-]+)(?P=quote)\s*,\s*(?P=quote)(?P<quoted>.*?)(?:(?<!\\)(?P=quote)|$)"
)
OPTION_LINE = expression(r"\s*(?:-\s+)?[\"']?--?(?P<name>[\w.-]+)[\"']?,?\s*$")
ELEMENT_LINE = expression(r"\s*(?:-\s+)?(?P<quote>[\"'])?(?P<value>[^\s-].*?)(?(quote)(?P=quote)|),?\s*$")


def find_arguments(lines: Sequence[str], index: int) -> Iterator[Span]:
    """The values whose options stand on this line and say secret."""
    for pair in ARGUMENTS.finditer(lines[index]):
        yield from _span(index, pair, "quoted", pair["name"])
    yield from _beside(lines, index, index + 1, OPTION_LINE, ELEMENT_LINE)


def find(lines: Sequence[str], index: int) -> Iterator[Span]:
    """The values whose names stand on this line and say secret."""
    line = lines[index]
    for pair in (*TOGETHER.finditer(line), *TURNED.finditer(line)):
        yield from _span(index, pair, "quoted" if pair["quote"] else "bare", pair["name"])
    yield from _beside(lines, index, index + 1, NAME_LINE, VALUE_LINE) or _beside(
        lines, index, index - 1, NAME_LINE, VALUE_LINE
    )


def _beside(
    lines: Sequence[str], index: int, beside: int, naming: re.Pattern[str], holding: re.Pattern[str]
) -> list[Span]:
    """The value on the line beside, where this one holds nothing but the name."""
    margin = margin_of(lines, index, beside)
    found = dict(behind(lines, [number for number in (index, beside) if 0 <= number < len(lines)], margin))
    named, held = naming.match(found.get(index, "")), holding.match(found.get(beside, ""))
    kind = kind_of(named["name"]) if named else None
    if not named or not held or not kind:
        return []
    if not held["quote"] and BLOCK.match(held["value"]):
        return list(below(lines, beside, kind))
    return list(_span(beside, held, "value", named["name"], len(margin)))


def _span(index: int, found: re.Match[str], group: str, name: str, margin: int = 0) -> Iterator[Span]:
    kind = kind_of(name)
    text = found[group] or ""
    if kind and not is_innocent(text, name, kind):
        quote = '"' if text.isdigit() and '"value"' in found[0] else ""
        start, stop = found.span(group)
        yield Span(index, start + margin, stop + margin, kind, text, quote)


FINDER = Finder(HINT, find)
ARGUMENTS_FINDER = Finder(
    rf"(?i)(?:-\s+|[\"'])--?[\w.-]*(?:{WORDS})(?:{ENDINGS})?(?:\s*$|\\*[\"']\s*(?:,|$))", find_arguments
)

"""Secrets in lists, where the name is one entry and the value another: environments and arguments of containers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from calivet.evidence.expressions import expression
from calivet.redaction.blocks import below
from calivet.redaction.finding import Finder, Span
from calivet.redaction.secret_names import ENDINGS, WORDS, kind_of
from calivet.redaction.values import is_innocent

HINT = rf"(?i)(?:name|key)(?:\\*[\"'])?\s*:\s*(?:\\*[\"'])?[\w.-]*(?:{WORDS})(?:{ENDINGS})?(?:\\*[\"'])?\s*(?:[,}}#]|$)"
# In JSON of any depth of quoting, in YAML's short form, and as Go prints its structures.
TOGETHER = expression(
    r"\b(?:name|key)(?P<quote>\\{0,9}[\"'])?\s*:\s*(?(quote)(?P=quote))(?P<name>[\w.-]+)(?(quote)(?P=quote))\s*,\s*"
    r"(?(quote)(?P=quote))value(?(quote)(?P=quote))\s*:\s*"
    r"(?(quote)(?P=quote)(?P<quoted>.*?)(?:(?<!\\)(?P=quote)|$)|[\"']?(?P<bare>[^,}\"']*))",
    re.IGNORECASE,
)
TURNED = expression(
    r"\bvalue(?P<quote>\\{0,9}[\"'])\s*:\s*(?P=quote)(?P<quoted>[^\"\\]*)(?P=quote)\s*,\s*"
    r"(?P=quote)(?:name|key)(?P=quote)\s*:\s*(?P=quote)(?P<name>[\w.-]+)(?P=quote)",
    re.IGNORECASE,
)
NAME_LINE = expression(
    r"\s*(?:-\s+)?[\"']?(?:name|key)[\"']?:\s*[\"']?(?P<name>[\w.-]+)[\"']?,?\s*(?:#.*)?$", re.IGNORECASE
)
VALUE_LINE = expression(
    r"\s*(?:-\s+)?[\"']?value[\"']?:\s*(?P<quote>[\"'])?(?P<value>.*?)(?(quote)(?P=quote)|\s*)(?:,?\s*)$", re.IGNORECASE
)
# An option and its value as two elements of a list.
ARGUMENTS = expression(
    r"(?P<quote>\\{0,9}[\"'])--?(?P<name>[\w.-]+)(?P=quote)\s*,\s*(?P=quote)(?P<quoted>.*?)(?:(?<!\\)(?P=quote)|$)"
)
OPTION_LINE = expression(r"\s*(?:-\s+)?[\"']?--?(?P<name>[\w.-]+)[\"']?,?\s*$")
ELEMENT_LINE = expression(r"\s*(?:-\s+)?(?P<quote>[\"'])?(?P<value>[^\s-].*?)(?(quote)(?P=quote)|),?\s*$")


def find_arguments(lines: Sequence[str], index: int) -> Iterator[Span]:
    """The values whose options stand on this line and say secret."""
    line = lines[index]
    for pair in ARGUMENTS.finditer(line):
        yield from _span(line, index, pair, "quoted", pair["name"])
    option = OPTION_LINE.match(line)
    if option and index + 1 < len(lines) and (element := ELEMENT_LINE.match(lines[index + 1])):
        yield from _span(lines[index + 1], index + 1, element, "value", option["name"])


def find(lines: Sequence[str], index: int) -> Iterator[Span]:
    """The values whose names stand on this line and say secret."""
    line = lines[index]
    for pair in (*TOGETHER.finditer(line), *TURNED.finditer(line)):
        group = "quoted" if pair["quote"] else "bare"
        yield from _span(line, index, pair, group, pair["name"])
    if named := NAME_LINE.match(line):
        for beside in (index + 1, index - 1):
            if 0 <= beside < len(lines) and (valued := VALUE_LINE.match(lines[beside])):
                yield from _value(lines, beside, valued, named["name"])
                return


def _value(lines: Sequence[str], index: int, valued: re.Match[str], name: str) -> Iterator[Span]:
    kind = kind_of(name)
    if kind and not valued["quote"] and valued["value"][:1] in ("|", ">"):
        yield from below(lines, index, len(lines[index]) - len(lines[index].lstrip()), kind)
    else:
        yield from _span(lines[index], index, valued, "value", name)


def _span(line: str, index: int, found: re.Match[str], group: str, name: str) -> Iterator[Span]:
    kind = kind_of(name)
    text = found[group] or ""
    if not kind or is_innocent(text, name, kind):
        return
    quote = '"' if text.isdigit() and '"value"' in line else ""
    start, stop = found.span(group)
    yield Span(index, start, stop, kind, text, quote)


FINDER = Finder(HINT, find)
ARGUMENTS_FINDER = Finder(
    rf"(?i)(?:-\s+|[\"'])--?[\w.-]*(?:{WORDS})(?:{ENDINGS})?(?:\s*$|\\*[\"']\s*(?:,|$))", find_arguments
)

"""Bytes to a document of clean lines, numbered as in the original."""

from __future__ import annotations

import msgspec

from calivet.evidence.archives.member_names import make_printable
from calivet.evidence.artifact import Document
from calivet.evidence.decoding.charset import is_binary, to_text
from calivet.evidence.decoding.line_prefixes import open_envelopes
from calivet.evidence.decoding.long_lines import KEPT, LONGEST_NUMBER, cut_long_numbers, is_json, shorten
from calivet.evidence.decoding.terminal import replace_blanks, strip_controls, strip_escapes, to_lines
from calivet.evidence.sources.budget import ReadingBudget
from calivet.messages.message import message

# So much on one line no one has laid out for reading.
LONG = 2_000
# With blank ones around it.
FEW = 3


def unfold_json(lines: list[str]) -> list[str]:
    """The lines as `jq .` prints them, so that their numbers can be looked up; other documents stay as they are."""
    filled = [line for line in lines[:FEW] if line and not line.isspace()]
    if len(lines) > FEW or len(filled) != 1 or len(filled[0]) < LONG or filled[0].lstrip()[0] not in "{[":
        return lines
    if open_envelopes(filled):
        return lines
    try:
        return msgspec.json.format(filled[0], indent=2).split("\n")
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
        return lines


EMPTY = b" \t\r\n\v\f\0\xef\xbb\xbf"


def to_document(name: str, data: bytes, budget: ReadingBudget) -> Document | None:
    """The document, or nothing and a word in the budget."""
    if not data.strip(EMPTY):
        budget.refuse(name, message("evidence.empty"))
        return None
    if is_binary(data):
        budget.refuse(name, message("evidence.not_text"))
        return None
    lines = decode(data)
    if not any(line and not line.isspace() for line in lines):
        budget.refuse(name, message("evidence.empty"))
        return None
    lines = unfold_json(lines)
    _cut_long_lines(name, lines, budget)
    if cut := cut_long_numbers(lines):
        budget.refuse(name, message("evidence.number.cut", line=cut[0] + 1, digits=LONGEST_NUMBER, kept=KEPT))
    return Document(make_printable(name), lines)


def decode(data: bytes) -> list[str]:
    """The lines as a person would see them."""
    return clean_text(to_text(data))


def clean_text(text: str) -> list[str]:
    """The same for text that is decoded already."""
    return to_lines(replace_blanks(strip_escapes(strip_controls(text))))


def _cut_long_lines(name: str, lines: list[str], budget: ReadingBudget) -> None:
    limit = budget.limits.line
    if max(map(len, lines)) <= limit:
        return
    long = [index for index, line in enumerate(lines) if len(line) > limit]
    cut = [index for index in long if len(lines[index]) > budget.limits.json_line or not is_json(lines[index])]
    if not cut:
        return
    for index in cut:
        lines[index] = shorten(lines[index], limit)
    if len(cut) > 1:
        why = message("evidence.lines.cut", line=cut[0] + 1, more=len(cut) - 1, limit=limit)
    else:
        why = message("evidence.line.cut", line=cut[0] + 1, limit=limit)
    budget.refuse(name, why)

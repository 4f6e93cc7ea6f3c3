"""Bytes to a document of clean lines, numbered as in the original."""

from __future__ import annotations

from calivet.evidence.artifact import Document
from calivet.evidence.charset import is_binary, to_text
from calivet.evidence.ledger import Ledger
from calivet.evidence.names import printable
from calivet.evidence.terminal import plain_blanks, strip_controls, strip_escapes, to_lines
from calivet.evidence.unfolding import unfolded

EMPTY = b" \t\r\n\v\f\0\xef\xbb\xbf"


def to_document(name: str, data: bytes, ledger: Ledger) -> Document | None:
    """The document, or nothing and a word in the ledger."""
    if not data.strip(EMPTY):
        ledger.refuse(name, "is empty")
        return None
    if is_binary(data):
        ledger.refuse(name, "is not text")
        return None
    lines = decode(data)
    if not any(line and not line.isspace() for line in lines):
        ledger.refuse(name, "is empty")
        return None
    lines = unfolded(lines)
    _cut_long_lines(name, lines, ledger)
    return Document(printable(name), lines)


def decode(data: bytes) -> list[str]:
    """The lines as a person would see them."""
    return clean(to_text(data))


def clean(text: str) -> list[str]:
    """The same for text that is decoded already."""
    return to_lines(plain_blanks(strip_escapes(strip_controls(text))))


def _cut_long_lines(name: str, lines: list[str], ledger: Ledger) -> None:
    limit = ledger.limits.line
    if max(map(len, lines)) <= limit:
        return
    cut = [index for index, line in enumerate(lines) if len(line) > limit]
    for index in cut:
        lines[index] = lines[index][:limit]
    more = f", and {len(cut) - 1:,} more" if len(cut) > 1 else ""
    ledger.refuse(name, f"line {cut[0] + 1:,}{more} cut to {limit:,} characters")

"""The marks between words, which each language has of its own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from calivet.catalogue.words import Words
from calivet.evidence.expressions import expression

COLON = Words(": ", "：")
COMMA = Words(", ", "，")
PAUSE = Words(", ", "、")
"""Between the names of a list, where Chinese has a mark of its own."""
SEMICOLON = Words("; ", "；")
_AFTER_A_MARK = expression(r"(?<=[，。；：、！？）”]) +")
BRACKETS = (Words(" (", "（"), Words(")", "）"))


def told(what: str, detail: str, language: str) -> str:
    """Something and, after a colon, what there is to tell of it."""
    return what + COLON.read(language) + detail


def remarked(what: str, remarks: Sequence[str], language: str) -> str:
    """Something and, where there are any, remarks in brackets."""
    opening, closing = (bracket.read(language) for bracket in BRACKETS)
    return f"{what}{opening}{joined(remarks, language)}{closing}" if remarks else what


def joined(remarks: Iterable[str], language: str) -> str:
    """This, that."""
    return COMMA.read(language).join(remarks)


def listed(names: Iterable[str], language: str) -> str:
    """One, two, three."""
    return PAUSE.read(language).join(names)


def clauses(items: Iterable[str], language: str) -> str:
    """The same where the items hold lists of their own."""
    return SEMICOLON.read(language).join(items)


def unfolded(text: str) -> str:
    """A text of several lines, joined by blanks as YAML does it: after its own marks Chinese has none."""
    return _AFTER_A_MARK.sub("", text)

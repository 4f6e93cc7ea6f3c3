"""Evidence is hostile: what would act on a page or hide on it is shown as a symbol instead."""

from __future__ import annotations

import unicodedata

LONGEST = 10_000
"""Letters of any one text: accents without end take no room on a line and much in a file."""
_KEPT = frozenset("\n\t")
# U+2400 and on are pictures of the first 32 control characters.
_PICTURES = 0x2400
_DELETE, _PICTURE_OF_DELETE = "\x7f", "\u2421"


def visible(value: object) -> object:
    """Text with its control, direction and invisible characters made visible; markup and numbers stay as they are."""
    if not isinstance(value, str) or hasattr(value, "__html__"):
        return value
    if len(value) > LONGEST:
        value = value[:LONGEST] + "…"
    if value.isprintable():
        return value
    return "".join(letter if letter.isprintable() or letter in _KEPT else _symbol(letter) for letter in value)


def _symbol(letter: str) -> str:
    if letter < " ":
        return chr(_PICTURES + ord(letter))
    if letter == _DELETE:
        return _PICTURE_OF_DELETE
    return " " if unicodedata.category(letter) == "Zs" else f"⟨U+{ord(letter):04X}⟩"

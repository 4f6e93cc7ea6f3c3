"""JSON that can be looked at: what would act on a terminal or turn the reading direction is written as its number."""

from __future__ import annotations

import msgspec

from calivet.evidence.expressions import expression

# JSON itself asks for numbers in place of the first 32 characters alone.
_ACTING = expression("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def plain_json(tree: object) -> str:
    """One JSON document, indented; it says the same with and without the numbers."""
    text = msgspec.json.format(msgspec.json.encode(tree), indent=2).decode()
    return _ACTING.sub(lambda found: f"\\u{ord(found[0]):04x}", text)

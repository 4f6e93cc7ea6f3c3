"""One observation of a sign, an effect or a harmless message."""

from __future__ import annotations

from msgspec import Struct, field

from calivet.evidence.artifact import Line


class Sighting(Struct, frozen=True, kw_only=True, gc=False):
    """Where something was seen, on which node, with the values that fill its words."""

    line: Line
    node: str | None = None
    order: int = 0
    """The position of its artifact in the evidence."""
    note: bool = False
    """Seen in the author's words only."""
    values: dict[str, str] = field(default_factory=dict)
    words: str = ""
    """The decisive words of the line, where a pattern found them."""
    count: int = 1
    """How often the evidence says it happened; a repeated message is still one sighting."""

"""JSON that stands on one long line, as API servers send it: unfolded, so that every value has a line of its own."""

from __future__ import annotations

import msgspec

from calivet.evidence.envelopes import open_envelopes

# So much on one line no one has laid out for reading.
LONG = 2_000
# With blank ones around it.
FEW = 3


def unfolded(lines: list[str]) -> list[str]:
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

"""All ways in which secrets stand in text, in the order in which they have the say on what kind one is."""

from __future__ import annotations

from calivet.redaction import assignments, blocks, entries, keys, objects, printed, web_tokens
from calivet.redaction.commands import COMMANDS
from calivet.redaction.secrets import SHAPES, finder

FINDERS = (
    keys.FRAMED,
    keys.NAKED_FINDER,
    web_tokens.FINDER,
    objects.FINDER,
    *(finder(shape) for shape in (*SHAPES, *COMMANDS)),
    entries.FINDER,
    entries.ARGUMENTS_FINDER,
    assignments.FINDER,
    blocks.CHPASSWD,
    printed.FINDER,
)

"""All ways in which secrets stand in text, in the order in which they have the say on what kind one is."""

from __future__ import annotations

from calivet.redaction.secrets import below, entries, objects, private_keys, settings, web
from calivet.redaction.secrets.commands import COMMANDS
from calivet.redaction.secrets.shapes import DEVICES, SHAPES, build_shape_finder

FINDERS = (
    private_keys.FRAMED,
    private_keys.NAKED_FINDER,
    web.TOKEN_FINDER,
    objects.FINDER,
    *web.FINDERS,
    *(build_shape_finder(shape) for shape in (*SHAPES, *DEVICES)),
    *COMMANDS,
    entries.ENTRIES,
    entries.ARGUMENTS,
    settings.FINDER,
    below.CHPASSWD,
    entries.COLUMNS,
    objects.PRINTED_FINDER,
)

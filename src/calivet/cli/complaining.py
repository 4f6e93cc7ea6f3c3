"""What calivet says of itself on standard error: no secret and nothing that acts on a terminal, whoever said it."""

from __future__ import annotations

import sys
from contextlib import suppress

from calivet.evidence.names import printable


def complain(message: str) -> None:
    """One clear line, or a few."""
    from calivet.redaction.redactor import Redactor

    lines = map(printable, Redactor().text(message).splitlines())
    with suppress(OSError, ValueError):  # where nobody can hear it, the exit code still tells
        sys.stderr.write("".join(f"calivet: {line}\n" for line in lines))

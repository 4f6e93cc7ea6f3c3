"""What calivet says of itself on standard error: no secret and nothing that acts on a terminal, whoever said it."""

from __future__ import annotations

import sys

from calivet.evidence.names import printable


def complain(message: str) -> None:
    """One clear line, or a few."""
    from calivet.redaction.redactor import Redactor

    lines = map(printable, Redactor().text(message).splitlines())
    sys.stderr.write("".join(f"calivet: {line}\n" for line in lines))

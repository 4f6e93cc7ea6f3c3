"""What calivet says of itself on standard error: never a secret, whoever's message it passes on."""

from __future__ import annotations

import sys


def complain(message: str) -> None:
    """One clear line, or a few."""
    from calivet.redaction.redactor import Redactor

    sys.stderr.write("".join(f"calivet: {line}\n" for line in Redactor().text(message).splitlines()))

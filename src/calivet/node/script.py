"""The probe: one POSIX shell script that needs nothing on the node but what any node has."""

from __future__ import annotations

from pathlib import Path

PROBE = Path(__file__).with_name("probe.sh")


def script() -> str:
    """Its text, as it is piped to a shell over ssh, or handed to somebody who runs it by hand."""
    return PROBE.read_text("utf-8")

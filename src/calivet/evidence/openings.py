"""A line that opens an artifact: what it says about the lines under it."""

from __future__ import annotations

from msgspec import Struct


class Opening(Struct, frozen=True):
    """Found by a prompt or a header. Without a command it only ends what came before."""

    command: str | None = None
    host: str | None = None
    label: str | None = None
    """A name that may turn out to be a host's."""
    lines: int = 1
    """How many lines the opening itself takes."""
    indent: int = 0
    """Columns before the prompt, which the output under it shares."""
    inherits: bool = False
    """One host's share of what the command above ran on several."""

"""Hands text to one reader the way the dispatcher does."""

from __future__ import annotations

from textwrap import dedent
from typing import Any

from calivet.evidence.artifact import Artifact
from calivet.readers.reader import Reader, Reading


def reading_of(reader: Reader, text: str, command: str | None = None, host: str | None = None) -> Reading:
    """What the reader finds in the text, below a prompt where a command is given."""
    lines = dedent(text).strip("\n").split("\n") if text.strip() else []
    if command is not None:
        lines.insert(0, f"[root@{host or 'somewhere'} ~]# {command}")
    artifact = Artifact(name="notes.md", first=1, lines=lines, host=host, command=command)
    anchors = [index for index, line in enumerate(lines) if reader.anchor.search(line)]
    return reader.read(artifact, anchors) if anchors else Reading()


def claimed_by(reader: Reader, text: str) -> set[int]:
    """The lines that the reader takes for its own."""
    return reading_of(reader, text).claimed


def facts_of(reader: Reader, text: str, command: str | None = None, host: str | None = None) -> list[Any]:
    """Just the facts, in order."""
    return reading_of(reader, text, command, host).facts

"""Hands an artifact to every reader whose format is in it."""

from __future__ import annotations

from calivet.evidence.artifact import Artifact
from calivet.facts.fact import Command, Fact, Note
from calivet.readers.reader import Reader
from calivet.readers.registry import readers


def read(artifact: Artifact) -> tuple[list[Fact], int]:
    """All facts of the artifact, and how many lines nobody understood. Notes the formats on the artifact."""
    if artifact.prose:
        return [Note(at=artifact.at(i), text=line) for i, line in enumerate(artifact.lines) if line.strip()], 0
    facts: list[Fact] = []
    if artifact.command:
        facts.append(Command(at=artifact.at(0), host=artifact.host, line=artifact.command))
    claimed: set[int] = {0} if artifact.command else set()
    sizes: dict[str, int] = {}
    for reader in readers():
        if anchors := _anchors(reader, artifact.lines):
            reading = reader.read(artifact, anchors)
            facts += reading.facts
            claimed |= reading.claimed
            if reading.facts or reading.claimed:
                sizes[reader.kind] = len(reading.claimed)
    artifact.kinds = sorted(sizes, key=lambda kind: -sizes[kind])
    return facts, sum(1 for i, line in enumerate(artifact.lines) if line.strip() and i not in claimed)


def _anchors(reader: Reader, lines: list[str]) -> list[int]:
    return [index for index, line in enumerate(lines) if reader.anchor.search(line)]

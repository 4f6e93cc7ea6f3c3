"""Hands an artifact to every reader whose format is in it."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from calivet.evidence.artifact import Artifact
from calivet.evidence.scanner import Scanner
from calivet.facts.fact import Command, Fact, Note
from calivet.readers.anchors import ANCHORS
from calivet.readers.reader import Reader

_MODULES = list(ANCHORS)


def read(artifact: Artifact) -> tuple[list[Fact], int]:
    """All facts of the artifact, and how many lines nobody understood. Notes the formats on the artifact."""
    if artifact.prose:
        return [Note(at=artifact.at(i), text=line) for i, line in enumerate(artifact.lines) if line.strip()], 0
    facts: list[Fact] = []
    if artifact.command:
        facts.append(Command(at=artifact.at(0), host=artifact.host, line=artifact.command))
    claimed: set[int] = {0} if artifact.command else set()
    sizes: dict[str, int] = {}
    for reader, anchors in _readers(artifact.lines):
        try:
            reading = reader.read(artifact, anchors)
        except Exception as error:  # noqa: BLE001 - a bug in one format must not cost the others
            artifact.failed.append(f"the reader of {reader.kind} has a bug: {type(error).__name__}: {error}")
            continue
        facts += reading.facts
        claimed |= reading.claimed
        if reading.facts or reading.claimed:
            sizes[reader.kind] = len(reading.claimed)
    artifact.kinds = sorted(sizes, key=lambda kind: -sizes[kind])
    return facts, sum(1 for i, line in enumerate(artifact.lines) if line.strip() and i not in claimed)


def _readers(lines: list[str]) -> list[tuple[Reader, list[int]]]:
    """The readers with something to do, and the lines that call for each; only these are imported."""
    called: dict[int, list[int]] = {}
    for hit in _scanner().scan(lines):
        called.setdefault(hit.pattern, []).append(hit.line)
    found = []
    for number in sorted(called):
        reader: Reader = import_module(f"calivet.readers.{_MODULES[number]}").READER
        found.append((reader, called[number]))
    return found


@cache
def _scanner() -> Scanner:
    return Scanner.kept("anchors", list(ANCHORS.values()), caseless=False)

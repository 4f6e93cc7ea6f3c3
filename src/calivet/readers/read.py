"""Hands an artifact to every reader whose format is in it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import import_module

from calivet.evidence.artifact import Artifact
from calivet.facts.fact import Command, Fact, Note
from calivet.messages.message import message
from calivet.readers.anchors import ANCHORS, COMMANDS, OF_NOTES, READERS
from calivet.readers.reader import Reader, Reading
from calivet.readers.remarks import read_remarks
from calivet.search.expressions import expression
from calivet.search.scanner import Scanner

_ANCHORED = list(ANCHORS)
_ASKED = [(name, expression(pattern)) for name, pattern in COMMANDS.items()]
_PLACES = {name: place for place, name in enumerate(READERS)}


def read(artifact: Artifact) -> tuple[list[Fact], int]:
    """All facts of the artifact, and how many lines nobody understood. Notes the formats on the artifact."""
    facts: list[Fact] = []
    if artifact.prose:
        facts += [Note(at=artifact.at(i), text=line) for i, line in enumerate(artifact.lines) if line.strip()]
    elif artifact.command:
        facts.append(_build_command(artifact))
    claimed: set[int] = {0} if artifact.command else set()
    sizes: dict[str, int] = {}
    for reader, reading in _run_readers(artifact):
        facts += reading.facts
        claimed |= reading.claimed
        if reader.kind and (reading.facts or reading.claimed):
            sizes[reader.kind] = len(reading.claimed)
    if artifact.prose:
        return facts, 0
    artifact.kinds = sorted(sizes, key=lambda kind: -sizes[kind])
    facts += read_remarks(artifact)
    return facts, sum(1 for i, line in enumerate(artifact.lines) if line.strip() and i not in claimed)


def _build_command(artifact: Artifact) -> Command:
    line = artifact.command or ""
    return Command(
        at=artifact.at(0),
        host=artifact.host,
        line=line,
        printed=len(artifact.lines) - 1,
        silent=not any(text.strip() and line not in text for text in artifact.lines[:5]),
    )


def _run_readers(artifact: Artifact) -> Iterator[tuple[Reader, Reading]]:
    for name, anchors in _choose_readers(artifact):
        reader = load_reader(name)
        try:
            yield reader, reader.read(artifact, anchors)
        except Exception as error:  # noqa: BLE001 - a bug in one format must not cost the others
            bug = f"{type(error).__name__}: {error}"
            artifact.failed.append(message("evidence.reader.bug", name=reader.kind or name, error=bug))


def load_reader(name: str) -> Reader:
    """The reader of this name: its module below `calivet.readers`, and what it is called there."""
    module, _, constant = name.rpartition(".")
    reader: Reader = getattr(import_module(f"calivet.readers.{module}"), constant)
    return reader


def _choose_readers(artifact: Artifact) -> list[tuple[str, list[int]]]:
    """The readers with something to do, and the lines that call for each; only these are imported."""
    called: dict[str, list[int]] = {}
    for hit in load_scanner().scan(artifact.lines):
        called.setdefault(_ANCHORED[hit.pattern], []).append(hit.line)
    for name, asked in _ASKED if artifact.command else ():
        if name not in called and asked.search(artifact.command or ""):
            called[name] = []
    names = (name for name in called if not artifact.prose or name in OF_NOTES)
    return [(name, called[name]) for name in sorted(names, key=_PLACES.__getitem__)]


@cache
def load_scanner() -> Scanner:
    """Of the anchors of all readers."""
    return Scanner.load_or_compile("anchors", list(ANCHORS.values()), caseless=False)

"""The way in: whatever the operator has becomes a haul of artifacts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import BinaryIO

from calivet.evidence.artifact import Document, Haul
from calivet.evidence.bundle import open_bundle
from calivet.evidence.decoding import to_document
from calivet.evidence.hosts import Labelled, name_hosts
from calivet.evidence.ledger import Ledger, Limits
from calivet.evidence.lookout import Lookout
from calivet.evidence.segments import segment
from calivet.evidence.sources import read_sources

MOST_PARTS = 100_000
"""Commands and outputs that are kept; each takes far more memory than its letters."""


def gather(
    paths: Sequence[str],
    stdin: BinaryIO | None = None,
    limits: Limits | None = None,
    more: Sequence[Document] = (),
    lookout: Lookout | None = None,
) -> Haul:
    """Reads files, directories, archives and, for `-`, standard input. Never raises for what it finds there.

    What is text already, fetched from a cluster or a node, comes after it and is read together with it.
    Of long logs only what the lookout finds worth keeping is kept; without one, all of them.
    """
    ledger = Ledger(limits or Limits(), lookout=lookout)
    documents, manifest = open_bundle(list(_documents(paths, stdin, ledger)))
    haul = _haul([*_parts(documents, ledger), *(found for document in more for found in segment(document))])
    _name_silent(documents, haul, ledger)
    haul.unreadable = ledger.unreadable
    if manifest:
        haul.unreadable = [*manifest.failed, *haul.unreadable]
        haul.replaced = manifest.replaced
        haul.taken = manifest.collected
    return haul


def gather_documents(documents: Iterable[Document]) -> Haul:
    """Cuts documents that are already text."""
    return _haul([found for document in documents for found in segment(document)])


def _parts(documents: Iterable[Document], ledger: Ledger) -> Iterator[Labelled]:
    left = MOST_PARTS
    for document in documents:
        found = segment(document)
        yield from found[:left]
        if len(found) > left:
            ledger.refuse(
                document.name, f"comes behind {MOST_PARTS:,} other commands and outputs; it was not read whole"
            )
        left = max(0, left - len(found))


def _haul(labelled: list[Labelled]) -> Haul:
    name_hosts(labelled)
    for order, (artifact, _) in enumerate(labelled):
        artifact.order = order
    return Haul([artifact for artifact, _ in labelled])


def _documents(paths: Sequence[str], stdin: BinaryIO | None, ledger: Ledger) -> Iterator[Document]:
    for name, data in read_sources(paths, stdin, ledger):
        document = data if isinstance(data, Document) else to_document(name, data, ledger)
        if document and document.lines:
            yield document


def _name_silent(documents: Iterable[Document], haul: Haul, ledger: Ledger) -> None:
    """A file of which nothing is left, such as a fence around nothing, must not pass for one that was read."""
    heard = {artifact.name for artifact in haul.artifacts}
    for document in documents:
        if document.name not in heard:
            ledger.refuse(document.name, "holds nothing that can be read")

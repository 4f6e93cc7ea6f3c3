"""The way in: whatever the operator has becomes a haul of artifacts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import BinaryIO

from calivet.evidence.artifact import Document, Haul
from calivet.evidence.bundle import open_bundle
from calivet.evidence.decoding import to_document
from calivet.evidence.hosts import name_hosts
from calivet.evidence.ledger import Ledger, Limits
from calivet.evidence.lookout import Lookout
from calivet.evidence.segments import segment
from calivet.evidence.sources import read_sources


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
    haul = gather_documents([*documents, *more])
    haul.unreadable = ledger.unreadable
    if manifest:
        haul.unreadable = [*manifest.failed, *haul.unreadable]
        haul.replaced = manifest.replaced
        haul.taken = manifest.collected
    return haul


def gather_documents(documents: Iterable[Document]) -> Haul:
    """Cuts documents that are already text."""
    labelled = [found for document in documents for found in segment(document)]
    name_hosts(labelled)
    for order, (artifact, _) in enumerate(labelled):
        artifact.order = order
    return Haul([artifact for artifact, _ in labelled])


def _documents(paths: Sequence[str], stdin: BinaryIO | None, ledger: Ledger) -> Iterator[Document]:
    for name, data in read_sources(paths, stdin, ledger):
        if document := data if isinstance(data, Document) else to_document(name, data, ledger):
            yield document

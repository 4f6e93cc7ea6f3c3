"""The way in: whatever the operator has becomes a evidence of artifacts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import BinaryIO

from msgspec.structs import replace

from calivet.evidence.artifact import Document, Evidence, EvidenceRedactor, LineMatcher, Reference
from calivet.evidence.cutting.cut import cut_document
from calivet.evidence.decoding.decode import to_document
from calivet.evidence.layouts.hosts import Labelled, name_hosts
from calivet.evidence.layouts.own_bundle import open_bundle, read_failure
from calivet.evidence.reference_text import blank_definitions, recognize_reference
from calivet.evidence.sources.budget import Limits, ReadingBudget
from calivet.evidence.sources.documents import read_sources
from calivet.messages.message import message

MOST_PARTS = 100_000
"""Commands and outputs that are kept; each takes far more memory than its letters."""


def gather(
    paths: Sequence[str],
    stdin: BinaryIO | None = None,
    limits: Limits | None = None,
    more: Sequence[Document] = (),
    matcher: LineMatcher | None = None,
    redactor: EvidenceRedactor | None = None,
) -> Evidence:
    """Reads files, directories, archives and, for `-`, standard input. Never raises for what it finds there.

    What is text already, fetched from a cluster or a node, comes after it and is read together with it.
    Of long logs only what the matcher finds worth keeping is kept, once the redactor has taken the secrets out; without
    them, all. The same redactor is to clean the rest of the evidence: it knows what it met in the logs.
    """
    budget = ReadingBudget(limits or Limits(), matcher=matcher, redactor=redactor)
    # As a folder is read: the order in which files are named must not change the answer.
    documents, manifest = open_bundle(list(_read_documents(sorted(paths), stdin, budget)))
    documents, references = _separate_references(documents)
    evidence = _build_evidence(
        [*_cut_documents(documents, budget), *(found for document in more for found in cut_document(document))]
    )
    _name_silent(documents, evidence, budget)
    evidence.unreadable = budget.unreadable
    evidence.redactor = redactor
    evidence.references = references
    if manifest:
        evidence.unreadable = [*map(read_failure, manifest.failed), *evidence.unreadable]
        evidence.replaced = manifest.replaced
        evidence.taken, evidence.context, evidence.server = manifest.collected, manifest.context, manifest.server
    return evidence


def gather_documents(documents: Iterable[Document]) -> Evidence:
    """Cuts documents that are already text."""
    told, references = _separate_references(documents)
    evidence = _build_evidence([found for document in told for found in cut_document(document)])
    evidence.references = references
    return evidence


def _separate_references(documents: Iterable[Document]) -> tuple[list[Document], list[Reference]]:
    """What is evidence, and what only looks like it."""
    evidence: list[Document] = []
    references: list[Reference] = []
    for document in documents:
        if reference := recognize_reference(document):
            references.append(reference)
        else:
            evidence.append(replace(document, lines=blank_definitions(document.lines)))
    return evidence, references


def _cut_documents(documents: Iterable[Document], budget: ReadingBudget) -> Iterator[Labelled]:
    left = MOST_PARTS
    for document in documents:
        found = cut_document(document)
        yield from found[:left]
        if len(found) > left:
            budget.refuse(document.name, message("evidence.too_many_outputs", limit=MOST_PARTS))
        left = max(0, left - len(found))


def _build_evidence(labelled: list[Labelled]) -> Evidence:
    name_hosts(labelled)
    for order, (artifact, _) in enumerate(labelled):
        artifact.order = order
    return Evidence([artifact for artifact, _ in labelled])


def _read_documents(paths: Sequence[str], stdin: BinaryIO | None, budget: ReadingBudget) -> Iterator[Document]:
    for name, data in read_sources(paths, stdin, budget):
        document = data if isinstance(data, Document) else to_document(name, data, budget)
        if document and document.lines:
            yield document


def _name_silent(documents: Iterable[Document], evidence: Evidence, budget: ReadingBudget) -> None:
    """A file of which nothing is left, such as a fence around nothing, must not pass for one that was read."""
    heard = {artifact.name for artifact in evidence.artifacts}
    for document in documents:
        if document.name not in heard:
            budget.refuse(document.name, message("evidence.silent"))

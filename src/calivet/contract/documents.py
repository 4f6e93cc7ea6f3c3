"""Diagnoses as documents of the contract: built in one language, written as JSON, read back; their JSON Schemas."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import ModuleType
from typing import Any, Literal, cast

import msgspec
from msgspec import UNSET, Struct, structs

from calivet import __version__
from calivet.catalogue.model import Step
from calivet.contract import comparison, diagnosis, fleet
from calivet.contract import diagnosis as contract
from calivet.contract.diagnosis import VERSION, Document
from calivet.evidence.archives.member_names import make_printable
from calivet.evidence.artifact import Document as EvidenceDocument
from calivet.evidence.artifact import Replaced, Unreadable
from calivet.messages.words import Words
from calivet.reasoning import diagnosis as known
from calivet.redaction.redactor import Redactor
from calivet.search.expressions import expression


def build_document(diagnosis: known.Diagnosis, language: str) -> contract.Document:
    """What is said, in the types of the contract."""
    return contract.Document(
        schema=contract.VERSION,
        calivet=__version__,
        verdict=cast("contract.Verdict", diagnosis.verdict),
        findings=[_build_finding(finding, language) for finding in diagnosis.findings],
        candidates=[_write_candidate(one) for one in diagnosis.candidates],
        contrast=[contract.Contrast(item.fact, item.sick, item.healthy) for item in diagnosis.contrast],
        next=[contract.Next(item.run, item.why.read(language), item.separates) for item in diagnosis.next],
        set_aside=[_build_set_aside(item, language) for item in diagnosis.set_aside],
        not_seen=[
            *(contract.NotSeen(item.what.read(language), item.why.read(language)) for item in diagnosis.not_seen),
            *(_build_unreadable(item, language) for item in diagnosis.unreadable),
        ],
        replaced=[_build_replaced(item) for item in diagnosis.replaced],
        sources=[_build_source(item) for item in diagnosis.sources],
        components=[_build_component(part, language) for part in diagnosis.components],
        nodes=contract.Nodes(diagnosis.sick_nodes, diagnosis.healthy_nodes),
        reason=cast("contract.Reason", diagnosis.reason),
        unexplained=[_write_unexplained(item, language) for item in diagnosis.unexplained],
        doubts=[_write_doubt(item, language) for item in diagnosis.doubts],
        outside=[_write_outside(item, language) for item in diagnosis.outside],
        cluster=contract.Cluster(*structs.astuple(diagnosis.cluster)),
    )


def _write_candidate(item: known.Candidate) -> contract.Candidate:
    basis: Literal["signs", "symptoms"] = "symptoms" if item.is_hypothesis else "signs"
    return contract.Candidate(item.cause.id, round(item.confidence, 3), basis)


def _write_unexplained(item: known.Unexplained, language: str) -> contract.Unexplained:
    line, doing = item.line, item.doing.read(language) if item.doing else ""
    where = make_printable(line.artifact)
    return contract.Unexplained(where, line.number, line.text, item.count, item.level, item.program, doing)


def _write_outside(item: known.Outside, language: str) -> contract.Outside:
    return contract.Outside(item.what.read(language), make_printable(item.line.artifact), item.line.number)


def _write_doubt(item: known.Doubt, language: str) -> contract.Doubt:
    says = item.says.read(language)
    if item.line is None:
        return contract.Doubt(says)
    return contract.Doubt(says, make_printable(item.line.artifact), item.line.number)


def _build_finding(finding: known.Finding, language: str) -> contract.Finding:
    return contract.Finding(
        cause=finding.cause.id,
        confidence=round(finding.confidence, 3),
        nodes=finding.nodes,
        title=finding.cause.title.read(language),
        summary=finding.summary.read(language),
        evidence=[_build_evidence(item, language) for item in finding.evidence],
        explains=[_build_explained(item) for item in finding.explains],
        chain=finding.chain,
        consequences=finding.consequences,
        fix=[_build_step(step, language) for step in finding.fix],
        verify=[contract.Check(check.run, check.expect.read(language)) for check in finding.verify],
        later_healthy=finding.later_healthy,
        certainty=cast("contract.Certainty", finding.certainty),
    )


def _build_step(step: Step, language: str) -> contract.Step:
    """What is done by hand stands in the place of its command."""

    def read(words: Words | None) -> str:
        return words.read(language) if words else ""

    return contract.Step(
        run=step.run or read(step.do),
        why=read(step.why),
        where=step.where,
        risk=step.risk,
        undo=step.undo,
        do=read(step.do),
        interrupts=read(step.interrupts),
        precheck=step.precheck.run if step.precheck else "",
        precheck_expect=read(step.precheck.expect) if step.precheck else "",
        save=step.save,
    )


def _build_evidence(item: known.Citation, language: str) -> contract.Evidence:
    return contract.Evidence(
        artifact=make_printable(item.line.artifact),
        line=item.line.number,
        text=item.line.text,
        says=item.says.read(language),
        strength=cast("contract.Strength", item.strength),
        count=item.count,
        note=item.note,
        command=item.shown_by,
    )


def _build_explained(item: known.Explained) -> contract.Explained:
    return contract.Explained(item.effect, item.subject, make_printable(item.line.artifact), item.line.number)


def _build_set_aside(item: known.SetAside, language: str) -> contract.SetAside:
    line = item.line
    where = make_printable(line.artifact)
    return contract.SetAside(where, line.number, line.text, item.why.read(language), item.count, item.is_over)


def _build_unreadable(item: Unreadable, language: str) -> contract.NotSeen:
    return contract.NotSeen(make_printable(item.what), item.why.read(language), item.help or UNSET)


def _build_replaced(item: Replaced) -> contract.Replaced:
    return contract.Replaced(item.kind, make_printable(item.artifact), item.line, item.count)


def _build_source(source: known.Source) -> contract.Source:
    name = make_printable(source.artifact)
    return contract.Source(name, source.kind, source.lines, source.first, source.host, source.unread)


def _build_component(part: known.Component, language: str) -> contract.Component:
    return contract.Component(part.name.read(language), part.good, part.state.read(language), part.name.en)


HEAD = 200
"""Bytes in which a diagnosis that was cut short still says what it is."""


class NotADiagnosisError(Exception):
    """JSON that calivet wrote, but no diagnosis, or a damaged one; the message says why."""


class NewerDiagnosisError(Exception):
    """A diagnosis in a form that this calivet does not know; the message is the version that wrote it."""


class _Head(Struct):
    """What tells a diagnosis from any other JSON."""

    schema: int | None = None
    calivet: str | None = None


def read_diagnosis(text: bytes) -> Document | None:
    """The diagnosis in this text, or nothing where it is something else, as evidence is."""
    if not text.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        return None
    text = text.removeprefix(b"\xef\xbb\xbf")
    try:
        head = msgspec.json.decode(text, type=_Head)
    except (msgspec.DecodeError, UnicodeDecodeError) as failure:
        if b'"calivet"' in text[:HEAD]:
            raise NotADiagnosisError(str(failure)) from None
        return None
    if head.schema is None or head.calivet is None:
        return None
    if head.schema > VERSION:
        raise NewerDiagnosisError(head.calivet)
    try:
        return msgspec.json.decode(text, type=Document)
    except (msgspec.DecodeError, UnicodeDecodeError) as failure:
        raise NotADiagnosisError(str(failure)) from None


def clean_diagnosis(document: Document, redactor: Redactor) -> Document:
    """The same without secrets: who wrote a diagnosis, or wrote into it, need not have taken them out."""
    tree = msgspec.to_builtins(document)
    words = list(dict.fromkeys(_list_words(tree)))
    clean = redactor.redact_documents([EvidenceDocument(f"{number}", [word]) for number, word in enumerate(words)])
    others = {word: "\n".join(one.lines) for word, one in zip(words, clean, strict=True)}
    return msgspec.convert(_replace_words(tree, others), Document)


def _list_words(tree: Any) -> Iterator[str]:
    if isinstance(tree, str):
        yield tree
    elif isinstance(tree, dict | list):
        for value in tree.values() if isinstance(tree, dict) else tree:
            yield from _list_words(value)


def _replace_words(tree: Any, others: Mapping[str, str]) -> Any:
    if isinstance(tree, str):
        return others[tree]
    if isinstance(tree, dict):
        return {name: _replace_words(value, others) for name, value in tree.items()}
    return [_replace_words(value, others) for value in tree] if isinstance(tree, list) else tree


# JSON itself asks for numbers in place of the first 32 characters alone.
_ACTING = expression("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def encode_plainly(tree: object) -> str:
    """One JSON document, indented; it says the same with and without the numbers."""
    text = msgspec.json.format(msgspec.json.encode(tree), indent=2).decode()
    return _ACTING.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


DRAFT = "https://json-schema.org/draft/2020-12/schema"
DOCUMENTS: dict[str, tuple[ModuleType, str]] = {
    f"diagnosis-{diagnosis.VERSION}": (diagnosis, "A diagnosis of calivet"),
    f"comparison-{comparison.VERSION}": (comparison, "Two diagnoses of calivet compared"),
    f"fleet-{fleet.VERSION}": (fleet, "What many diagnoses of calivet tell together"),
}
"""The documents by name and version: the module with the types each is made of, and what it is."""


def build_schemas() -> dict[str, str]:
    """The text of every schema by the name of its file; the same as long as the types are."""
    return {f"{name}.schema.json": _build_schema(name, *document) for name, document in DOCUMENTS.items()}


def _build_schema(name: str, types: ModuleType, title: str) -> str:
    head = {"$schema": DRAFT, "$id": f"urn:calivet:{name.replace('-', ':')}", "title": title}
    schema = msgspec.json.schema(types.Document)
    for kind, record in schema["$defs"].items():
        _require_written_fields(record, getattr(types, kind))
    return msgspec.json.format(msgspec.json.encode(head | schema), indent=2).decode() + "\n"


def _require_written_fields(record: dict[str, Any], kind: type[msgspec.Struct]) -> None:
    """A default is for reading what an older version wrote; whoever reads this version finds every field."""
    record["required"] = [field.name for field in structs.fields(kind) if field.default is not UNSET]
    for shape in record["properties"].values():
        shape.pop("default", None)

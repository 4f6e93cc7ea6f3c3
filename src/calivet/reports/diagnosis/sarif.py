"""The answer as SARIF 2.1.0, for viewers and code scanning: a result for each cause, with its places in evidence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from msgspec import structs

from calivet import __version__
from calivet.catalogue.model import Cause
from calivet.contract.documents import encode_plainly
from calivet.evidence.archives.member_names import make_printable
from calivet.evidence.artifact import Line, Unreadable
from calivet.messages.words import Words
from calivet.reasoning.diagnosis import Candidate, Citation, Diagnosis, Finding
from calivet.reports.diagnosis.finding import write_fix
from calivet.reports.layout.terminal import Layout
from calivet.reports.layout.wording import add_detail, add_remarks, label, to_percent
from calivet.reports.layout.wrapping import clean_line, cut_line
from calivet.search.expressions import expression

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
VERSION = "2.1.0"
MOST_PLACES = 100
"""Readers show no more of them."""
LONGEST_SNIPPET = 20_000
"""No line that a program writes is longer; a hostile one is bounded."""
WIDTH = 120
LONGEST_SENTENCE = 1_000
_LINK = expression(r"\[(?=[^\[\]]*\]\()")
_PLACE = expression(r"\{(\d+)\}")


def to_sarif(diagnosis: Diagnosis, language: str) -> str:
    """One log with one run."""
    causes = {finding.cause.id: finding.cause for finding in diagnosis.findings}
    causes |= {candidate.cause.id: candidate.cause for candidate in diagnosis.candidates}
    places = {name: index for index, name in enumerate(causes)}
    log = {"$schema": SCHEMA, "version": VERSION, "runs": [_run(diagnosis, causes.values(), places, language)]}
    return encode_plainly(log) + "\n"


def _run(diagnosis: Diagnosis, causes: Iterable[Cause], places: dict[str, int], language: str) -> dict[str, Any]:
    results = [
        *(_build_result(finding, diagnosis, language) for finding in diagnosis.findings),
        *(_build_open_result(candidate, language) for candidate in diagnosis.candidates),
    ]
    driver = {
        "name": "calivet",
        "version": __version__,
        "semanticVersion": __version__,
        "language": "zh-CN" if language == "zh" else "en",
        "rules": [build_rule(cause, diagnosis.titles, language) for cause in causes],
    }
    notices = [_build_notice(item, language) for item in diagnosis.unreadable]
    return {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "invocations": [{"executionSuccessful": True, "toolExecutionNotifications": notices}],
        "results": [result | {"ruleIndex": places[result["ruleId"]]} for result in results],
        "properties": {"verdict": diagnosis.verdict, "cluster": structs.asdict(diagnosis.cluster)},
    }


def _build_result(finding: Finding, diagnosis: Diagnosis, language: str) -> dict[str, Any]:
    related = [*_build_claims(finding.evidence[1:], language), *_build_effects(finding, language)]
    return {
        "ruleId": finding.cause.id,
        "kind": "fail",
        "level": "note" if finding.later_healthy else "error",
        "message": build_message(finding, diagnosis.titles, language),
        "locations": _build_claims(finding.evidence[:1], language),
        "relatedLocations": [{"id": number, **place} for number, place in enumerate(related[:MOST_PLACES], 1)],
        "partialFingerprints": {"causeAndNodes/v1": _compute_fingerprint(finding.cause.id, finding.nodes)},
        "rank": round(finding.confidence * 100, 1),
        "properties": {"confidence": round(finding.confidence, 3), "nodes": finding.nodes, "chain": finding.chain},
    }


def _build_open_result(candidate: Candidate, language: str) -> dict[str, Any]:
    """Kind `open`: what was seen does not suffice to decide."""
    return {
        "ruleId": candidate.cause.id,
        "kind": "open",
        "level": "none",
        "message": open_message(candidate, language),
        "locations": _build_claims(candidate.evidence[:1], language),
        "partialFingerprints": {"causeAndNodes/v1": _compute_fingerprint(candidate.cause.id, [])},
        "rank": round(candidate.confidence * 100, 1),
        "properties": {"confidence": round(candidate.confidence, 3)},
    }


def _build_claims(evidence: Iterable[Citation], language: str) -> list[dict[str, Any]]:
    return [_place(item.line, item.says.read(language)) for item in evidence]


def _build_effects(finding: Finding, language: str) -> Iterator[dict[str, Any]]:
    for item in finding.explains:
        effect = add_remarks(item.title.read(language), [item.subject] if item.subject else [], language)
        yield _place(item.line, f"→ {effect}")


def _place(line: Line, says: str) -> dict[str, Any]:
    return {
        "physicalLocation": {
            "artifactLocation": {"uri": _quote_address(line.artifact)},
            "region": {"startLine": line.number, "snippet": {"text": line.text[:LONGEST_SNIPPET]}},
        },
        "message": {"text": cut_sentence(says)},
    }


def _quote_address(name: str) -> str:
    """A relative reference: whatever a document is called, no letter of its name means anything in it."""
    from urllib.parse import quote

    return quote(make_printable(name).lstrip("/"), safe="/")


def _compute_fingerprint(cause: str, nodes: Iterable[str]) -> str:
    """The same as long as the same cause is found on the same nodes, whatever the evidence looks like."""
    from hashlib import sha256

    return sha256("\n".join((cause, *sorted(nodes))).encode("utf-8", "backslashreplace")).hexdigest()[:32]


def _build_notice(item: Unreadable, language: str) -> dict[str, Any]:
    text = add_detail(make_printable(item.what), item.why.read(language), language)
    return {"level": "warning", "message": {"text": cut_sentence(text)}}


def build_message(finding: Finding, titles: Mapping[str, Words], language: str) -> dict[str, str]:
    """The summary first: many readers show no more than one line."""
    layout = Layout(language, WIDTH, colour=False)
    lines = [cut_line(clean_line(layout.read(finding.summary)), LONGEST_SENTENCE)]
    if len(finding.chain) > 1:
        lines += [
            "",
            layout.add_detail(layout.say("chain"), " → ".join(layout.read(titles[one]) for one in finding.chain)),
        ]
    if finding.fix:
        lines += ["", layout.say("fix"), *(line.removeprefix("     ") for line in write_fix(finding.fix, layout))]
    return {"text": escape_links("\n".join(map(clean_line, lines)))}


def open_message(candidate: Candidate, language: str) -> dict[str, str]:
    """The title and how likely it is."""
    layout = Layout(language, WIDTH, colour=False)
    sure = layout.say("confidence", percent=to_percent(candidate.confidence))
    return {"text": escape_links(layout.add_remarks(layout.read(candidate.cause.title), sure))}


def cut_sentence(text: str) -> str:
    """One line of words, no longer than anybody reads."""
    return escape_links(cut_line(clean_line(text), LONGEST_SENTENCE))


def escape_links(text: str) -> str:
    """A text in which nothing is a link or a place to fill; other brackets stay as they are, so that commands do."""
    return _PLACE.sub(r"{{\1}}", _LINK.sub(r"\\[", text))


def build_rule(cause: Cause, titles: Mapping[str, Words], language: str) -> dict[str, Any]:
    """The same for every cluster: nothing in it comes from evidence."""
    return {
        "id": cause.id,
        "shortDescription": {"text": cause.title.read(language)},
        "fullDescription": {"text": cause.explain.read(language)},
        "help": {
            "text": cause.explain.read(language),
            "markdown": "\n".join(_write_page(cause, titles, language)),
        },
        "defaultConfiguration": {"level": "error"},
        "properties": {"tags": ["calico", cause.layer]},
    }


def _write_page(cause: Cause, titles: Mapping[str, Words], language: str) -> Iterator[str]:
    yield cause.explain.read(language)
    if cause.mistaken_for:
        yield from ("", f"**{label('mistaken', language)}**", "")
    for other in cause.mistaken_for:
        yield f"- {titles[other.cause].read(language)} (`{other.cause}`): {other.tell.read(language)}"
    if cause.references:
        yield from ("", f"**{label('references', language)}**", "")
    yield from (f"- <{reference}>" for reference in cause.references)

"""The answer as a test report, which every CI server shows: a case for each part of the cluster and each cause.

Only what was seen is a case: a cause that nobody looked for has not passed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from calivet import __version__
from calivet.evidence.artifact import Line
from calivet.reasoning.diagnosis import INSUFFICIENT, Candidate, Component, Diagnosis, Finding
from calivet.reports.diagnosis.finding import write_finding
from calivet.reports.diagnosis.first_screen import describe_candidates, write_title
from calivet.reports.diagnosis.header import describe_header
from calivet.reports.layout.terminal import Layout
from calivet.reports.layout.wording import to_percent
from calivet.reports.layout.wrapping import clean_line, cut_line

WIDTH, LONGEST_MESSAGE = 120, 1_000

PASSED, FAILURE, ERROR, SKIPPED = "passed", "failure", "error", "skipped"


class Case(Struct, frozen=True):
    """One test case: its names are the same in every language, so that runs can be compared."""

    group: str
    name: str
    outcome: str
    message: str = ""
    details: str = ""


def to_junit(diagnosis: Diagnosis, language: str) -> str:
    """One XML document with one suite."""
    from xml.etree import ElementTree

    cases = list(_list_cases(diagnosis, Layout(language, WIDTH, colour=False, verbose=True)))
    totals = {"name": "calivet", "tests": str(len(cases))}
    totals |= {"failures": _count(cases, FAILURE), "errors": _count(cases, ERROR)}
    root = ElementTree.Element("testsuites", totals)
    suite = ElementTree.SubElement(root, "testsuite", totals | {"skipped": _count(cases, SKIPPED), "time": "0"})
    properties = ElementTree.SubElement(suite, "properties")
    told = {"calivet": __version__, "verdict": diagnosis.verdict}
    told |= {"cluster": header} if (header := describe_header(diagnosis.cluster, language)) else {}
    for name, value in told.items():
        ElementTree.SubElement(properties, "property", {"name": name, "value": value})
    for case in cases:
        names = {"classname": f"calivet.{case.group}", "name": case.name, "time": "0"}
        element = ElementTree.SubElement(suite, "testcase", names)
        if case.outcome != PASSED:
            names = {"type": case.name, "message": cut_line(clean_line(case.message), LONGEST_MESSAGE)}
            ElementTree.SubElement(element, case.outcome, names).text = _clean_text(case.details)
    ElementTree.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ElementTree.tostring(root, encoding="unicode")}\n'


def _list_cases(diagnosis: Diagnosis, layout: Layout) -> Iterator[Case]:
    yield from (_build_component_case(part, layout) for part in diagnosis.components)
    yield from (
        _build_finding_case(number, finding, diagnosis, layout) for number, finding in enumerate(diagnosis.findings, 1)
    )
    yield from (_open(candidate, layout) for candidate in diagnosis.candidates)
    yield _build_verdict_case(diagnosis, layout)


def _build_component_case(part: Component, layout: Layout) -> Case:
    outcome = {True: PASSED, False: FAILURE, None: SKIPPED}[part.good]
    state = layout.add_detail(layout.read(part.name), layout.read(part.state))
    return Case("components", part.name.en, outcome, state, state)


def _build_finding_case(number: int, finding: Finding, diagnosis: Diagnosis, layout: Layout) -> Case:
    lines = [*write_title(number, finding, layout), *write_finding(finding, diagnosis, layout)]
    details = "\n".join(lines)
    return Case("causes", finding.cause.id, FAILURE, layout.read(finding.summary), details)


def _open(candidate: Candidate, layout: Layout) -> Case:
    """What may be a cause has neither failed nor passed."""
    sure = layout.say("confidence", percent=to_percent(candidate.confidence))
    told = layout.add_remarks(layout.read(candidate.cause.title), sure)
    lines = (line for item in candidate.evidence for line in _write_claim(layout.read(item.says), item.line, layout))
    return Case("candidates", candidate.cause.id, SKIPPED, told, "\n".join((told, *lines)))


def _build_verdict_case(diagnosis: Diagnosis, layout: Layout) -> Case:
    """Not to know is an error: a gate must not open because nothing was seen."""
    if diagnosis.verdict != INSUFFICIENT:
        return Case("evidence", "sufficient", PASSED)
    message = layout.say(describe_candidates(diagnosis))
    lines = [message, "", layout.say("next")] if diagnosis.next else [message]
    for item in diagnosis.next:
        lines += [f"  {layout.read(item.why)}", *layout.write_command(item.run, 4)]
    return Case("evidence", "sufficient", ERROR, message, "\n".join(lines))


def _write_claim(says: str, line: Line, layout: Layout) -> Iterator[str]:
    yield f"  {says}"
    yield from layout.quote(line, 4)


def _clean_text(details: str) -> str:
    """Line by line without the characters that XML forbids."""
    return "\n".join(clean_line(line) for line in details.splitlines())


def _count(cases: Iterable[Case], outcome: str) -> str:
    return str(sum(case.outcome == outcome for case in cases))

"""The advice for every case of the corpus: its commands are taken by their parsers, and few of its names stay open."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

import pytest

from calivet.contract import diagnosis as contract
from calivet.contract.documents import build_document
from calivet.reasoning.diagnosis import Diagnosis
from tests.advice.parsers import find_complaints
from tests.advice.rendering import Rendered, list_rendered
from tests.advice.shell import GAP
from tests.corpus_answers import GROUP, diagnose_corpus

MOST_OPEN = 0.08
"""The share of findings that may leave a name open."""

CHINESE = re.compile(r"[\u4e00-\u9fff]")

pytestmark = pytest.mark.xdist_group(GROUP)


def list_advice(case: str, found: Diagnosis) -> list[list[Rendered]]:
    """The commands of each finding of a case, and those of its next steps."""
    advice = [list(list_rendered(f"{case}/{one.cause.id}", one.fix, one.verify)) for one in found.findings]
    return [*advice, [Rendered(f"{case}/next", "next", one.run) for one in found.next]]


@pytest.fixture(scope="module")
def advised() -> list[list[Rendered]]:
    return [one for case, found in diagnose_corpus().items() for one in list_advice(case, found) if one]


def test_every_command_is_taken_by_its_parser(advised):
    commands = {one.command: one.owner for found in advised for one in found}
    assert find_complaints(commands) == {}


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_report_shows_these_commands_in_its_language(language):
    for case, found in diagnose_corpus().items():
        document = build_document(found, language)
        shown = {command for one in document.findings for command in list_shown(one)} | {
            one.run for one in document.next
        }
        assert shown == {one.command for advice in list_advice(case, found) for one in advice}, case
        orders = [step.do for one in document.findings for step in one.fix if step.do]
        assert all(bool(CHINESE.search(order)) is (language == "zh") for order in orders), orders


def list_shown(finding: contract.Finding) -> Iterator[str]:
    """All that is to be pasted; what is done by hand says so in words, in the place of a command."""
    for step in finding.fix:
        run = step.run if step.where != "manual" else ""
        yield from filter(None, (run, step.save, step.undo, step.precheck))
    yield from (check.run for check in finding.verify)


def test_few_findings_leave_a_name_open(advised):
    findings = [found for found in advised if found[0].part != "next"]
    opened = [gap for gap in map(find_gaps, findings) if gap]
    assert len(opened) / len(findings) <= MOST_OPEN, Counter(name for gaps in opened for name in gaps).most_common(30)


def find_gaps(found: list[Rendered]) -> set[str]:
    """Whose finding it is and what its commands leave open."""
    cause = found[0].owner.partition("/")[2]
    return {f"{cause} {gap}" for one in found for gap in GAP.findall(one.command)}

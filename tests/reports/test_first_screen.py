"""The layout of the answer to every case of the corpus: how long it is, and what stands on its first screen."""

from __future__ import annotations

import re
from statistics import median

import pytest

from calivet.reasoning.diagnosis import FAULT, INSUFFICIENT, Diagnosis
from calivet.reports.diagnosis.finding import SCREEN, choose_evidence
from calivet.reports.diagnosis.first_screen import find_first_step, write_closing, write_first_screen
from calivet.reports.diagnosis.text import to_text
from calivet.reports.layout.terminal import OWN_CODES, Layout, shorten_ids, squeeze_columns
from calivet.reports.layout.wording import label
from tests.corpus_answers import GROUP, diagnose_corpus
from tests.reports.answers import LANGUAGES

WIDTH = 80
MEDIAN, BRIEF = 30, 12
ON_SCREEN = 0.9
"""Of all answers that one can act on, so many show all that it takes on the first screen."""
WIDTHS = (60, 61, 67, 72, 80, 93, 100, 120)

STATE = re.compile(r": ([A-Z][\w:/]*(?: \d/\d)?)(?=[,;]|$)")
"""Of the first in a list: CrashLoopBackOff, Running 0/1, Passive."""
LEGIBLE = 16
"""Letters by which a long one is known."""

pytestmark = pytest.mark.xdist_group(GROUP)


def write(answer: Diagnosis, language: str, **more: bool) -> list[str]:
    return to_text(answer, Layout(language, WIDTH, colour=False, **more)).splitlines()


def count_rows(lines: list[str]) -> int:
    """Rows of a terminal: a command that is wider than the screen takes several."""
    return Layout("en", WIDTH, colour=False).count_rows(lines)


def list_needed(answer: Diagnosis, language: str) -> list[str]:
    """What one needs to act: the verdict, each cause and its nodes, a line that shows it, and what to run first."""
    needed = [label(answer.verdict, language)]
    for finding in answer.findings:
        step = find_first_step(finding)
        needed += [finding.cause.title.read(language), finding.cause.id, *finding.nodes[:1]]
        # A step by hand is told in words.
        needed += [step.run.splitlines()[0] if step.run else (step.do or step.why).read(language)] if step else []
    if answer.findings:
        needed += [choose_evidence(answer.findings[0])[0].line.artifact]
    if answer.verdict == INSUFFICIENT and answer.next:
        needed += [answer.next[0].run.splitlines()[0]]
    return [text for text in needed if text]


def squeeze(text: str) -> str:
    """Without what wrapping adds and takes away."""
    return "".join(text.replace("│", "").split())


def take_screen(lines: list[str]) -> str:
    """What stands on the first rows of a small terminal."""
    shown: list[str] = []
    for line in lines:
        if count_rows([*shown, line]) > SCREEN:
            break
        shown.append(line)
    return squeeze(" ".join(shown))


@pytest.mark.parametrize("language", LANGUAGES)
def test_half_of_all_answers_have_at_most_thirty_rows(language):
    rows = [count_rows(write(answer, language)) for answer in diagnose_corpus().values()]
    assert median(rows) <= MEDIAN


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_one_needs_to_act_stands_on_the_first_screen(language):
    answers = {case: one for case, one in diagnose_corpus().items() if one.findings or one.next}
    late = []
    for case, answer in answers.items():
        screen = take_screen(write(answer, language))
        late += [case] if any(squeeze(text) not in screen for text in list_needed(answer, language)) else []
    assert len(late) <= (1 - ON_SCREEN) * len(answers), late


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_brief_answer_has_at_most_twelve_rows(language):
    long = {case: count_rows(write(one, language, brief=True)) for case, one in diagnose_corpus().items()}
    assert {case: rows for case, rows in long.items() if rows > BRIEF} == {}


@pytest.mark.parametrize("width", WIDTHS)
def test_no_line_of_the_evidence_loses_its_matched_words(width):
    layout = Layout("en", width, colour=False)
    lost = []
    for case, answer in diagnose_corpus().items():
        cited = [(item.line, item.words) for finding in answer.findings for item in finding.evidence]
        cited += [(item.line, item.words) for candidate in answer.candidates for item in candidate.evidence]
        cited += [(item.line, item.words) for item in answer.set_aside]
        for line, words in cited:
            shown = squeeze("".join(layout.quote_text(line, 7, words)))
            whole = (squeeze(words), squeeze(shorten_ids(squeeze_columns(words))))
            lost += [(case, line.number)] if not any(one in shown for one in whole) else []
    assert lost == []


def test_an_open_answer_of_one_screen_names_what_to_look_at_once():
    for case, answer in diagnose_corpus().items():
        lines = write(answer, "en")
        if not answer.findings and count_rows(lines) <= SCREEN:
            assert "\n".join(lines).count("Check next") <= 1, case


def test_next_commands_are_shown_only_where_the_answer_is_open():
    for case, answer in diagnose_corpus().items():
        text = to_text(answer, Layout("en", WIDTH, colour=False))
        is_open = answer.verdict != FAULT or any(one.certainty == "likely" for one in answer.findings)
        assert is_open or answer.doubts or "Check next" not in text, case


@pytest.mark.parametrize("language", LANGUAGES)
def test_colours_change_no_letter_and_break_no_line(language):
    for case, answer in diagnose_corpus().items():
        for brief in (False, True):
            plain = to_text(answer, Layout(language, WIDTH, colour=False, brief=brief))
            painted = to_text(answer, Layout(language, WIDTH, colour=True, brief=brief))
            assert OWN_CODES.sub("", painted) == plain, case


@pytest.mark.parametrize("width", [60, 72, WIDTH])
def test_a_sick_part_keeps_its_state(width):
    layout = Layout("en", width, colour=False)
    for case, answer in diagnose_corpus().items():
        text = to_text(answer, layout)
        for part in answer.components:
            told = STATE.search(part.state.en.split(", ")[0]) if part.good is False else None
            assert not told or told[1][:LEGIBLE] in text, case


def test_no_command_is_shown_without_what_has_to_be_run_before_it():
    layout = Layout("en", 400, colour=False)
    for case, answer in diagnose_corpus().items():
        first = "\n".join(write_first_screen(answer, layout))
        last = "\n".join(write_closing(answer, layout))
        for finding in answer.findings[:3]:
            step = find_first_step(finding)
            if not step or not step.run or not (step.save or step.precheck):
                continue
            run, before = step.run.splitlines()[0], step.save or (step.precheck.run if step.precheck else "")
            assert run not in first or before.splitlines()[0] in first, case
            assert f"] {run}" not in last, case


def test_the_steps_that_are_not_shown_are_named():
    """Who edits a file and does not know that a restart follows has cured nothing."""
    for case, answer in diagnose_corpus().items():
        text = squeeze(" ".join(write(answer, "en")))
        for finding in answer.findings:
            assert all(squeeze((step.do or step.why).en) in text for step in finding.fix), case

"""A cause's page: everything the catalogue knows about it, in either language."""

from __future__ import annotations

from itertools import pairwise

import pytest

from calivet.messages.words import Words
from calivet.reports.cause import write_cause_page, write_cause_text
from calivet.reports.layout.terminal import Layout
from calivet.signs.sign_detector import prepare_detector
from tests.reasoning.made_up import catalogue, cause, check, effect, question, sign, step
from tests.reports.answers import LANGUAGES

parser = pytest.importorskip("markdown_it").MarkdownIt("commonmark", {"html": True})
SHIPPED, _ = prepare_detector()
ALL_PARTS = [
    "What it is",
    "How to recognise it",
    "Evidence against it",
    "Easily confused with",
    "Leads to",
    "How to confirm it",
    "Fix",
    "Check",
    "References",
]
CHINESE_PARTS = ["说明", "如何识别", "反证", "容易混淆", "导致", "如何确认", "处理", "验证", "参考"]

FAULT = cause(
    "fault",
    sign("gone", "proof", "{name} is gone", pattern="x", fires=["a `ticked` line", "b"]),
    sign("told", "fair", scope="note", pattern="y", fires=["the author says so"]),
    against=[sign("well", "strong")],
    mistaken_for=["other"],
    leads_to=["dark", "other"],
    ask=["look"],
    fix=[
        step("frob --restart"),
        step("kubectl edit installation", installer="operator", risk="disruptive", where="cluster"),
    ],
    verify=[check("frob --status")],
    references=["https://example.org/frob"],
)
KNOWN = catalogue(FAULT, cause("other"), effect("dark"), question("look", "frob --look"))


def headings(text):
    tokens = parser.parse(text)
    return [inline.content for token, inline in pairwise(tokens) if token.type == "heading_open" and token.tag == "h2"]


@pytest.mark.parametrize(("language", "parts"), [("en", ALL_PARTS), ("zh", CHINESE_PARTS)])
def test_all_parts_in_their_order(language, parts):
    assert headings(write_cause_page(FAULT, KNOWN, language)) == parts


def test_what_stands_in_them():
    text = write_cause_page(FAULT, KNOWN, "en")
    for part in ("# title of fault", "`fault` · layer: host", "- *proof*: … is gone\n  `a 'ticked' line`", "- *strong*: says well",
                 "- title of other (`other`): look twice", "- title of dark (`dark`)", "- `frob --look`: why look",
                 "- helps (on the node, safe)\n  `frob --restart`", "(on the cluster, disruptive, operator)", "- `frob --status`: all is well",
                 "- <https://example.org/frob>"):  # fmt: skip
        assert part in text


def test_the_authors_words_are_not_quoted_as_output():
    assert "the author says so" not in write_cause_page(FAULT, KNOWN, "en")


def test_parts_that_are_empty_are_left_out():
    text = write_cause_page(cause("bare"), catalogue(cause("bare")), "en")
    for part in ("Evidence against it", "Easily confused with", "References"):
        assert f"## {part}" not in text


def broken(language, *, long):
    """Commands that do not stand whole in the page, as (cause, command)."""
    for shipped in SHIPPED.causes.values():
        blocks = parser.parse(write_cause_page(shipped, SHIPPED, language))
        tokens = [child for token in blocks for child in (token, *(token.children or []))]
        shown = {token.content.strip() for token in tokens if token.type in ("code_inline", "fence", "code_block")}
        runs: list[str] = [run for item in shipped.fix for run in (item.save, item.run, item.undo) if run]
        runs += [item.run for item in shipped.verify]
        runs += [SHIPPED.questions[one].run for one in shipped.ask]
        yield from ((shipped.id, run) for run in runs if ("\n" in run) is long and run.strip() not in shown)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_commands_of_every_shipped_cause_are_whole(language):
    assert list(broken(language, long=False)) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_also_those_of_several_lines(language):
    assert list(broken(language, long=True)) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_to_make_sure_before_a_step_is_told(language):
    """On the page and at the terminal: a step that is only safe after a look is not shown without it."""
    impact = Words("memory runs short", "内存可能不足")
    guarded = step("swapoff -a", precheck=check("free -m"), interrupts=impact)
    fault = cause("fault", sign("gone", "proof"), fix=[guarded], verify=[check("frob --status")])
    for text in (
        write_cause_page(fault, catalogue(fault), language),
        write_cause_text(fault, catalogue(fault), Layout(language, 80, colour=False)),
    ):
        assert 0 < text.index("free -m") < text.index("swapoff -a")
        assert impact.read(language) in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_only_proven_of_one_cluster_leaves_no_gap_in_a_sentence(language):
    layout = Layout(language, 80, colour=False)
    assert not any("<proven-" in write_cause_text(one, SHIPPED, layout) for one in SHIPPED.causes.values())

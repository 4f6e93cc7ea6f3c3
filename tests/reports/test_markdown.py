"""The answer for a ticket: the same skeleton whatever the evidence says."""

from __future__ import annotations

import pytest

from calivet.reports.markdown import to_markdown
from tests.reports.answers import INCIDENTS, LANGUAGES, demo, made_up, nothing, undecided

parser = pytest.importorskip("markdown_it").MarkdownIt("commonmark", {"html": True}).enable("table")


def skeleton(text):
    """The kinds of blocks and marks, without what stands in them."""
    shape = []
    for token in parser.parse(text):
        shape.append((token.type, token.tag, token.level))
        shape += [
            (child.type, child.tag, 0)
            for child in token.children or []
            if child.type not in ("text", "text_special", "softbreak")
        ]
    return shape


def spans(text):
    """What stands between backticks inside sentences."""
    return [
        child.content for token in parser.parse(text) for child in token.children or [] if child.type == "code_inline"
    ]


PLAIN = skeleton(to_markdown(made_up(), "en"))
HOSTILE = [
    "``",
    "```",
    "````",
    "~~~",
    "<script>alert(1)</script",
    "<img src=x onerror=alert(1)",
    "</details",
    "<!-- hide",
    "[click](http://example.org)",
    "![pixel](http://example.org/p.png)",
    "[ref]: http://example.org",
    "| a | b |",
    "**bold** and *slanted* and _under_ and __double__",
    "# heading",
    "- item",
    "1. item",
    "---",
    "\\",
    "&lt;b&gt;",
    "节点 a | b",
]
TICKS = ["`", "``` code ```", "节点 `a`", "\\[click](http://example.org)", "\\*x\\*"]


class TestHostileEvidence:
    @pytest.mark.parametrize("value", HOSTILE)
    def test_in_a_line_and_in_a_sentence(self, value):
        assert skeleton(to_markdown(made_up(value), "en")) == PLAIN

    @pytest.mark.parametrize("value", HOSTILE + TICKS)
    def test_a_quoted_line_stays_whole_in_its_block(self, value):
        blocks = [token.content for token in parser.parse(to_markdown(made_up(value), "en")) if token.type == "fence"]
        assert f"kernel: frobnicator <{value}> is gone\n" in blocks

    @pytest.mark.parametrize("value", TICKS)
    def test_backticks_and_backslashes(self, value):
        text = to_markdown(made_up(value), "en")
        assert skeleton(text) == PLAIN
        assert "session.txt:2" in spans(text)

    @pytest.mark.parametrize(
        "name", ["a`b.log", "a``b.log", "<b>.log", "[x](http://example.org).log", "a|b.log", "`.log", "*a*.log"]
    )
    def test_in_the_name_of_a_file(self, name):
        assert skeleton(to_markdown(made_up(file=name), "en")) == PLAIN

    @pytest.mark.parametrize("name", ["<img src=x>", "[x](http://example.org)", "*a*", "a|b"])
    def test_in_the_name_of_what_could_not_be_read(self, name):
        assert skeleton(to_markdown(made_up(unreadable=name), "en")) == PLAIN

    @pytest.mark.parametrize("name", ["a\n# heading", "a\n\n<b>"])
    def test_a_line_break_in_a_name(self, name):
        assert skeleton(to_markdown(made_up(unreadable=name), "en")) == PLAIN

    def test_a_very_long_line_is_cut(self):
        assert len(to_markdown(made_up("x" * 100_000), "en").split("```")[1]) < 1_000


class TestParts:
    def test_the_languages_have_the_same_skeleton(self):
        for answer in (made_up(), undecided(), nothing(), *map(demo, INCIDENTS)):
            assert skeleton(to_markdown(answer, "en")) == skeleton(to_markdown(answer, "zh"))

    def test_what_a_ticket_needs(self):
        text = to_markdown(made_up(), "en")
        for part in ("## calivet: FAULT", "### 1. title of fault", "`fault` · confidence", "**Evidence**", "frobnicator <main> is gone",
                     "`session.txt:2`", "**Chain**: title of fault → title of dark → title of cold", "**Fix**", "frob --restart",
                     "undo: `frob --stop`", "**Check**", "`frob --status` → all is well", "### Look at next", "### Set aside as harmless",
                     "### Not seen", "core.dump: is binary"):  # fmt: skip
            assert part in text

    def test_an_open_case_names_candidates(self):
        text = to_markdown(undecided(), "en")
        assert "## calivet: CANNOT TELL YET" in text
        assert "(`other`, " in text

    def test_a_finding_stands_alone(self):
        assert "Possible causes" not in to_markdown(made_up(), "en")

    @pytest.mark.parametrize("language", LANGUAGES)
    @pytest.mark.parametrize("name", INCIDENTS)
    def test_the_incidents_hold_no_html_and_no_links(self, name, language):
        kinds = {kind for kind, _, _ in skeleton(to_markdown(demo(name), language))}
        assert not kinds & {"html_block", "html_inline", "link_open", "image", "table_open"}

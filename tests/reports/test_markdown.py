"""The answer for a ticket: the same skeleton whatever the evidence says."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from msgspec import structs

from calivet.evidence.artifact import Line
from calivet.reasoning.diagnosis import Citation
from calivet.reports.diagnosis.markdown import LONGEST, to_markdown
from calivet.reports.layout.markdown import escape_markup, fence_code, quote_inline
from tests.reports.answers import INCIDENTS, LANGUAGES, demo, doubtful, made_up, nothing, undecided

parser = MarkdownIt("commonmark", {"html": True}).enable("table")
FOLD = {"<details>", "</details>"}


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
                     "undo: `frob --stop`", "**Check**", "`frob --status` → all is well",
                     "<summary>Ignored (harmless) (1)</summary>", "<summary>Not seen (", "core.dump: is binary"):  # fmt: skip
            assert part in text

    def test_an_open_case_names_candidates(self):
        text = to_markdown(undecided(), "en")
        assert "## calivet: CANNOT TELL YET" in text
        assert "(`other`, " in text

    def test_a_finding_stands_alone(self):
        assert "Possible causes" not in to_markdown(made_up(), "en")

    @pytest.mark.parametrize("language", LANGUAGES)
    @pytest.mark.parametrize("name", INCIDENTS)
    def test_the_incidents_hold_no_links_and_no_html_but_the_folds(self, name, language):
        text = to_markdown(demo(name), language)
        kinds = {kind for kind, _, _ in skeleton(text)}
        assert not kinds & {"html_inline", "link_open", "image", "table_open"}
        for token in parser.parse(text):
            if token.type == "html_block":
                first, *rest = token.content.strip().splitlines()
                assert first in FOLD
                assert all(line.startswith("<summary>") and line.endswith("</summary>") for line in rest)

    @pytest.mark.parametrize("name", INCIDENTS)
    def test_folds_open_and_close_in_turn_and_their_inside_is_markdown(self, name):
        tokens = parser.parse(to_markdown(demo(name), "en"))
        folds = [token.content.split()[0] for token in tokens if token.type == "html_block"]
        assert folds == ["<details>", "</details>"] * (len(folds) // 2)
        after = [tokens[place + 1].type for place, token in enumerate(tokens) if token.content.startswith("<details>")]
        assert set(after) <= {"bullet_list_open"}

    def test_the_verdict_comes_first(self):
        assert to_markdown(made_up(), "en").splitlines()[0] == "## calivet: FAULT · 1 root cause found"

    def test_several_causes_are_listed_before_they_are_told(self):
        lines = to_markdown(demo("three-at-once"), "en").splitlines()
        first = lines.index(next(line for line in lines if line.startswith("1. ")))
        assert [line[:3] for line in lines[first : first + 3]] == ["1. ", "2. ", "3. "]
        assert first < 5


def units(text):
    """As Jira counts."""
    return len(text.encode("utf-16-le")) // 2


class TestLength:
    def crowded(self, *, lines: int = 0, aside: int = 0, nodes: int = 1):
        answer = made_up()
        finding = answer.findings[0]
        finding.evidence += [
            Citation(Line("kubelet.log", number, f"line {number} " + "节点" * 140), finding.summary, "weak")
            for number in range(1, lines + 1)
        ]
        finding.nodes = [f"birch-{number}" for number in range(nodes)]
        answer.set_aside *= aside or 1
        return answer

    @pytest.mark.parametrize("language", LANGUAGES)
    def test_a_ticket_takes_it(self, language):
        text = to_markdown(self.crowded(lines=500, aside=5_000, nodes=5_000), language)
        assert units(text) < 32_767
        assert "frob --restart" in text

    def test_the_least_telling_goes_first_and_that_is_said(self):
        text = to_markdown(self.crowded(aside=5_000), "en")
        assert "Left out to fit into a ticket: Ignored (harmless)." in text
        assert "**Check**" in text
        text = to_markdown(self.crowded(lines=500, aside=5_000), "en")
        assert "further evidence for: 1. title of fault" in text
        assert "(`session.txt:2`)" in text

    def test_what_fits_is_whole(self):
        for name in INCIDENTS:
            assert "Left out" not in to_markdown(demo(name), "en")

    def test_many_findings(self):
        answer = made_up()
        answer.findings *= 300
        text = to_markdown(answer, "en")
        assert LONGEST - 3_000 < units(text) < 32_767
        assert "FAULT · 300 independent root causes found" in text
        assert "### 1. title of fault" in text

    def test_a_command_is_left_out_rather_than_cut(self):
        answer = made_up()
        finding = answer.findings[0]
        finding.fix = [structs.replace(finding.fix[0], run="rm " + "x" * 100_000)]
        text = to_markdown(answer, "en")
        assert units(text) < 32_767
        assert "rm x" not in text
        assert "Left out to fit into a ticket: 1. title of fault" in text


class TestWordsOfOthers:
    @given(text=st.text(st.sampled_from("ab 1.)-+=*_`~<>[]()!#|\\&;$@\n\t\u202e节"), max_size=40))
    def test_a_sentence_stays_one_paragraph_of_words(self, text):
        written = escape_markup(text)
        tokens = parser.parse(written)
        assert [token.type for token in tokens] in ([], ["paragraph_open", "inline", "paragraph_close"])
        children = [child for token in tokens for child in token.children or []]
        assert {child.type for child in children} <= {"text", "text_special"}
        if text.isprintable():
            assert "".join(child.content for child in children).replace("\u2060", "") == text.strip()

    @given(text=st.text(st.sampled_from("a `~\n<节"), max_size=40))
    def test_code_stays_code(self, text):
        (block,) = parser.parse("\n".join(fence_code(text)))
        assert block.type == "fence"
        assert block.content.splitlines() == text.splitlines() or not text

    @given(text=st.text(st.sampled_from("a`~\\<*节"), min_size=1, max_size=40))
    def test_a_quote_stays_a_quote(self, text):
        _, inline, _ = parser.parse(f"- x {quote_inline(text)}")[2:5]
        assert [child.type for child in inline.children or []] == ["text", "code_inline"]

    def test_nobody_is_called(self):
        assert "@everyone" not in escape_markup("ask @everyone")
        assert escape_markup("pod @ node, root@node") == "pod @ node, root@node"


@pytest.mark.parametrize("language", LANGUAGES)
def test_why_it_is_not_healthy_and_what_is_broken_elsewhere(language):
    text = to_markdown(doubtful(), language)
    doubts, outside = text.partition("kube-proxy-9hxkt")[2], text.partition("shop-0")[2]
    assert "(`session.txt:8`)" in doubts.replace("（", "(").replace("）", ")")
    assert "`session.txt:7`" in outside

"""The answer on a terminal: width, colour, and every part in its place."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calivet.evidence.artifact import Line
from calivet.reasoning.diagnosis import Contrast
from calivet.reports.layout import Layout, place
from calivet.reports.text import to_text
from calivet.reports.wrapping import cut, width_of
from calivet.signs.ready import ready
from tests.reasoning.made_up import diagnosed
from tests.reports.answers import INCIDENTS, KNOWN, LANGUAGES, commands, demo, made_up, nothing, undecided

ESCAPE = "\x1b"
PLACE = re.compile(r"\S+:\d+$")


def report(answer, language="en", width=100, **more):
    return to_text(answer, Layout(language, width, colour=more.pop("colour", False), **more))


def too_wide(answer, text, width):
    """Lines over the edge that are neither a command nor the place of a line."""
    pasted = commands(answer)
    for line in text.splitlines():
        bare = re.sub(r"^\s*(?:\d+\) |\S+: |回退：)?", "", line)
        if width_of(line) > width and bare not in pasted and not PLACE.search(line):
            yield line


class TestWidth:
    @pytest.mark.parametrize("width", [60, 72, 80, 100, 132])
    @pytest.mark.parametrize("language", LANGUAGES)
    @pytest.mark.parametrize("name", INCIDENTS)
    def test_the_incidents_keep_to_it(self, name, language, width):
        answer = demo(name)
        assert list(too_wide(answer, report(answer, language, width), width)) == []

    @settings(max_examples=25)
    @given(
        st.text(st.characters(blacklist_categories=["Cc", "Cs", "Mn", "Me"], max_codepoint=0x9FFF), max_size=200),
        st.integers(60, 120),
    )
    def test_whatever_the_evidence_says(self, value, width):
        answer = made_up(value.replace(">", ""))
        for language in LANGUAGES:
            assert list(too_wide(answer, report(answer, language, width), width)) == []

    @pytest.mark.parametrize("width", [40, 59, 60])
    def test_the_narrowest_that_may_be_asked_for(self, width):
        for answer in (made_up(), undecided(), nothing()):
            assert list(too_wide(answer, report(answer, width=width), width)) == []

    @pytest.mark.parametrize("value", ["한국어" * 40, "🔥" * 60], ids=["Korean", "emoji"])
    def test_other_wide_characters(self, value):
        answer = made_up(value)
        assert list(too_wide(answer, report(answer, width=80), 80)) == []

    @pytest.mark.parametrize("language", LANGUAGES)
    def test_every_cause_has_a_title_that_fits_a_terminal(self, language):
        catalogue, _ = ready()
        long = [cause.id for cause in catalogue.causes.values() if width_of(cause.title.read(language)) > 76]
        assert long == []

    def test_commands_are_whole(self):
        answer = demo("stuck-in-init")
        text = report(answer, width=60)
        lines = {line.strip() for line in text.splitlines()}
        for finding in answer.findings:
            for step in finding.fix:
                assert {line.strip() for line in step.run.splitlines()} <= lines


class TestColour:
    def test_none_without_a_terminal(self):
        for answer in (made_up(), undecided(), nothing(), *(demo(name) for name in INCIDENTS)):
            assert ESCAPE not in report(answer, verbose=True)

    def test_some_with_one(self):
        assert ESCAPE in report(made_up(), colour=True)

    def test_it_changes_nothing_but_the_colour(self):
        for answer in (made_up(), undecided()):
            coloured = report(answer, colour=True, verbose=True)
            assert re.sub(r"\x1b\[[\d;]*m", "", coloured) == report(answer, verbose=True)

    @pytest.mark.parametrize(
        "value", ["\x1b[2Jclear", "\x1b]0;title\x07", "\x9b31m", "\x07bell", "\x00nul", "back\x08space"]
    )
    def test_evidence_cannot_speak_to_the_terminal(self, value):
        text = report(made_up(value), verbose=True)
        assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", text)

    @pytest.mark.parametrize("name", ["kube\x1b[2Jlet.log", "new\nline.log", "back\x08.log"])
    def test_nor_can_the_name_of_a_file(self, name):
        text = report(made_up(file=name, unreadable=name), verbose=True)
        assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", text)
        assert "\nline.log" not in text


class TestParts:
    @pytest.mark.parametrize(
        ("language", "parts"),
        [
            ("en", ["FAULT  1 root cause found", "Evidence", "[proof]", "[weak]", "[against]", "Chain", "Explains", "Fix", "undo: frob --stop",
                    "[by hand, dangerous]", "Check", "expect: all is well", "Look at next", "Set aside as harmless", "Not seen", "Could not be read: core.dump"]),
            ("zh", ["发现故障  找到 1 个根因", "证据", "[铁证]", "[弱]", "[反证]", "因果链", "由此引起", "处理", "回退：frob --stop",
                    "[手工，高风险]", "验证", "预期：〔all is well〕", "下一步取证", "已排除的无害信息", "未见到的证据", "无法读取：core.dump"]),
        ],
    )  # fmt: skip
    def test_all_parts_in_their_order(self, language, parts):
        text = report(made_up(), language)
        found = [text.find(part) for part in parts]
        assert -1 not in found, parts[found.index(-1)]
        assert found == sorted(found)

    def test_the_line_itself_is_quoted_with_its_place(self):
        text = report(made_up())
        assert "session.txt:2\n       │ kernel: frobnicator <main> is gone" in text

    def test_the_decisive_words_of_a_long_line_are_in_its_quote(self):
        text = report(made_up("x" * 150 + " main"), width=80)
        assert "smells odd" in text
        assert all(
            "frobnicator" in line or "xxx" in line for line in text.splitlines() if line.strip().startswith("│ …")
        )

    def test_claims_about_one_line_stand_over_one_quote(self):
        text = report(demo("overloaded-node"))
        assert text.count("postmortem-draft.md:115\n") == 1
        assert "about 2.31\n     [fair] the load average is 243.80\n       postmortem-draft.md:115\n" in text

    def test_a_count_that_the_claim_says_itself_is_not_said_again(self):
        assert "was replaced 8 times\n" in report(demo("killed-while-healthy"))

    def test_the_chain_is_broken_before_its_arrows(self):
        lines = report(demo("overloaded-node"), width=80).splitlines()
        chain = lines[lines.index("   Chain") + 1 : lines.index("   Explains")]
        assert len(chain) > 2
        assert all(line.startswith("     → ") for line in chain[1:])

    def test_nodes_of_one_value_stand_together(self):
        rows = [f"quarry-w{number}" for number in range(3)]
        answer = made_up()
        answer.contrast = [Contrast("host.swap", {"quarry-w9": "on"}, dict.fromkeys(rows, "off"))]
        assert "     sick     on (quarry-w9)\n     healthy  off (quarry-w0, quarry-w1, quarry-w2)\n" in report(answer)

    def test_decisive_words_stand_out(self):
        text = report(made_up(), colour=True)
        assert "\x1b[2m│ kernel: \x1b[0m\x1b[1mfrobnicator <main> is gone\x1b[0m" in text

    def test_a_quote_uses_the_room_it_has(self):
        line = "2020-10-10 09:31:17.871 [INFO][9] startup.go 648: Using autodetected IPv4 address on interface ens192: 10.9.8.7/24"
        assert width_of(cut(line, 70, "ens192: 10.9.8.7/24")) >= 68

    def test_an_open_case_shows_candidates_with_their_evidence(self):
        text = report(undecided())
        assert "CANNOT TELL YET  the evidence narrows it down" in text
        assert re.search(r"- title of other \(other, \d+%\)", text)
        assert "1) frob --look" in text

    def test_a_finding_hides_weaker_candidates_unless_asked(self):
        text = "[root@birch-1 ~]# dmesg\nkernel: frobnicator <main> is gone\nkernel: a faint light\n"
        answer = diagnosed(KNOWN, text)
        assert "title of other" not in report(answer)
        assert "title of other" in report(answer, verbose=True)

    def test_verbose_lists_what_was_recognised(self):
        assert "Recognised" in report(made_up(), verbose=True)
        assert "session.txt:1-7" in report(made_up(), verbose=True)
        assert "Recognised" not in report(made_up())

    def test_nothing_is_not_healthy(self):
        assert "CANNOT TELL YET" in report(nothing())
        assert "HEALTHY" not in report(nothing())

    def test_a_place_opens_in_an_editor(self):
        assert place(Line("logs/kubelet.log", 12, "")) == "logs/kubelet.log:12"

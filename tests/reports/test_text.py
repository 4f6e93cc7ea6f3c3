"""The answer on a terminal: width, colour, and every part in its place."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calivet.evidence.artifact import Document, Line, Unreadable
from calivet.evidence.decoding.decode import decode
from calivet.evidence.gather import gather_documents
from calivet.messages.message import message
from calivet.messages.words import Words
from calivet.pipeline import diagnose
from calivet.reasoning.diagnosis import LIKELY, ClusterSummary, Contrast, Doubt
from calivet.reports.diagnosis.finding import choose_evidence
from calivet.reports.diagnosis.first_screen import find_first_step
from calivet.reports.diagnosis.header import describe_time
from calivet.reports.diagnosis.html.page import to_html
from calivet.reports.diagnosis.html.page_model.model import PageModel
from calivet.reports.diagnosis.json import to_json
from calivet.reports.diagnosis.junit import to_junit
from calivet.reports.diagnosis.markdown import to_markdown
from calivet.reports.diagnosis.prometheus import to_prometheus
from calivet.reports.diagnosis.sarif import to_sarif
from calivet.reports.diagnosis.text import to_text
from calivet.reports.layout.terminal import Layout, name_place
from calivet.reports.layout.wording import shorten_nodes
from calivet.reports.layout.wrapping import cut_line, measure_width
from calivet.signs.sign_detector import prepare_detector
from tests.facts.drawing import pods
from tests.reasoning.made_up import diagnosed
from tests.reports.answers import INCIDENTS, KNOWN, LANGUAGES, commands, demo, made_up, nothing, undecided

ESCAPE = "\x1b"
LOOKED_AT = ClusterSummary(
    kubernetes="v1.33.5",
    calico="v3.30.4",
    installer="operator",
    encapsulation="vxlan",
    data_plane="iptables",
    nodes=4,
    context="prod-eu",
    server="https://api.prod.example:6443",
    taken="2026-03-02T10:10:00+08:00",
)
PLACE = re.compile(r"\S+:\d+$")


def report(answer, language="en", width=100, **more):
    return to_text(answer, Layout(language, width, colour=more.pop("colour", False), **more))


def too_wide(answer, text, width):
    """Lines over the edge that are neither a command nor the place of a line."""
    pasted = commands(answer)
    for line in text.splitlines():
        bare = re.sub(r"^\s*(?:\d+\) |[A-Za-z ]{1,24}: |\S+：|\[[^]]*\] )?", "", line).removesuffix(" …")
        if measure_width(line) > width and bare not in pasted and not PLACE.search(line):
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
        catalogue, _ = prepare_detector()
        long = [cause.id for cause in catalogue.causes.values() if measure_width(cause.title.read(language)) > 76]
        assert long == []

    def test_commands_are_whole(self):
        answer = demo("stuck-in-init")
        text = report(answer, width=60, verbose=True)
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
            ("en", ["FAULT  title of fault", "Evidence", "[proof]", "[weak]", "[against]", "Chain", "Explains", "Fix", "undo: frob --stop",
                    "[by hand, dangerous]", "Check", "expect: all is well", "Check next", "Ignored (harmless)", "Not seen", "Could not be read: core.dump"]),
            ("zh", ["发现故障  〔title of fault〕", "证据", "[确证]", "[弱]", "[反证]", "因果链", "由此引起", "处理", "回退：frob --stop",
                    "[手工，高风险]", "验证", "预期：〔all is well〕", "下一步检查", "已忽略（无害）", "未见到的证据", "无法读取：core.dump"]),
        ],
    )  # fmt: skip
    def test_all_parts_in_their_order(self, language, parts):
        text = report(made_up(), language, verbose=True)
        found = [text.find(part) for part in parts]
        assert -1 not in found, parts[found.index(-1)]
        assert found == sorted(found)

    def test_the_line_itself_is_quoted_with_its_place(self):
        text = report(made_up())
        assert re.search(r"session.txt:2\n +│ kernel: frobnicator <main> is gone", text)

    def test_the_decisive_words_of_a_long_line_are_in_its_quote(self):
        text = report(made_up("x" * 150 + " main"), width=80, verbose=True)
        assert "smells odd" in text
        assert all(
            "frobnicator" in line or "xxx" in line for line in text.splitlines() if line.strip().startswith("│ …")
        )

    def test_claims_about_one_line_stand_over_one_quote(self):
        text = report(demo("overloaded-node"), verbose=True)
        assert text.count("postmortem-draft.md:115\n") == 1
        assert re.search(r"about 2.31\n     \[fair\] the load average is 243.80\s+postmortem-draft.md:115\n", text)

    def test_a_count_that_the_claim_says_itself_is_not_said_again(self):
        assert re.search(r"was replaced 8 times(?:  \S+)?\n", report(demo("killed-while-healthy"), verbose=True))

    def test_the_chain_is_broken_before_its_arrows(self):
        lines = report(demo("overloaded-node"), width=80, verbose=True).splitlines()
        chain = lines[lines.index("   Chain") + 1 : lines.index("   Explains")]
        assert len(chain) > 1
        assert all(line.startswith("     → ") for line in chain[1:])

    def test_a_long_chain_is_told_by_its_ends(self):
        lines = report(demo("overloaded-node"), width=80).splitlines()
        (chain,) = (line for line in lines if line.startswith("   Chain: "))
        assert " → … → " in chain

    def test_nodes_of_one_value_stand_together(self):
        rows = [f"quarry-w{number}" for number in range(3)]
        answer = made_up()
        answer.contrast = [Contrast("host.swap", {"quarry-w9": "on"}, dict.fromkeys(rows, "off"))]
        assert "   - swap of host: on on quarry-w9, but off on the 3 healthy nodes\n" in report(answer)
        nodes = "     unhealthy  on (quarry-w9)\n     healthy    off (quarry-w0, quarry-w1, quarry-w2)\n"
        assert nodes in report(answer, verbose=True)

    def test_decisive_words_stand_out(self):
        text = report(made_up(), colour=True)
        assert "\x1b[2mkernel: \x1b[0m\x1b[1mfrobnicator <main> is gone\x1b[0m" in text

    def test_a_quote_uses_the_room_it_has(self):
        line = "2020-10-10 09:31:17.871 [INFO][9] startup.go 648: Using autodetected IPv4 address on interface ens192: 10.9.8.7/24"
        assert measure_width(cut_line(line, 70, "ens192: 10.9.8.7/24")) >= 68

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
        assert name_place(Line("logs/kubelet.log", 12, "")) == "logs/kubelet.log:12"


class TestFirstScreen:
    @pytest.mark.parametrize("name", INCIDENTS)
    def test_it_is_short_and_has_the_causes_and_a_command(self, name):
        answer = demo(name)
        lines = report(answer, width=80, brief=True).splitlines()
        assert len(lines) <= 12
        for finding in answer.findings[:3]:
            assert any(finding.cause.title.en in line for line in lines)
        for finding in answer.findings:
            step = find_first_step(finding)
            acts = (step.run.splitlines()[0], (step.do or step.why).en) if step else ()
            assert any(told in line for told in acts for line in lines)

    @pytest.mark.parametrize("name", INCIDENTS)
    def test_the_report_begins_with_it_and_ends_with_the_verdict(self, name):
        answer = demo(name)
        lines = report(answer, width=80).splitlines()
        assert lines[0] == report(answer, width=80, brief=True).splitlines()[0]
        verdict = next(line for line in lines if re.match("FAULT|HEALTHY|CANNOT TELL", line))
        assert verdict in lines[:3]
        if len(lines) > 30:
            assert verdict in lines[-5:]


class TestHeader:
    def test_it_names_the_cluster_and_when_it_was_looked_at(self):
        answer = made_up()
        answer.cluster = LOOKED_AT
        first, second, *_ = report(answer, width=80).splitlines()
        assert first == "prod-eu (https://api.prod.example:6443) · Kubernetes v1.33.5"
        assert second == "· Calico v3.30.4 (operator, VXLAN, iptables) · 4 nodes · 2026-03-02 02:10 UTC"
        assert report(answer, "zh", width=200).startswith(
            "prod-eu（https://api.prod.example:6443） · Kubernetes v1.33.5 · Calico v3.30.4（operator，VXLAN，iptables）"
        )

    @pytest.mark.parametrize(
        ("first", "last", "told"),
        [
            ("2024-11-18T06:12:01", "2024-11-18T06:12:40", "2024-11-18 06:12"),
            ("2024-11-18T06:12:01", "2024-11-18T07:40:02", "2024-11-18 06:12 – 07:40"),
            ("2024-11-18T23:59:01+08:00", "2024-11-19T10:00:00+08:00", "2024-11-18 15:59 – 2024-11-19 02:00 UTC"),
            ("2000-03-14T09:26:53", "2000-03-14T09:30:00", "03-14 09:26 – 09:30"),
            ("", "", ""),
        ],
    )
    def test_files_tell_the_time_that_their_logs_span(self, first, last, told):
        assert describe_time(ClusterSummary(first=first, last=last)) == told

    def test_it_is_in_every_format(self):
        answer = made_up()
        answer.cluster = LOOKED_AT
        for written in (to_markdown(answer, "en"), to_junit(answer, "en"), to_html(answer, PageModel(), "en")):
            assert "prod-eu (https://api.prod.example:6443)" in written
            assert "2026-03-02 02:10 UTC" in written
        assert '"context": "prod-eu"' in to_json(answer, "en")
        assert '"context": "prod-eu"' in to_sarif(answer, "en")
        assert 'calivet_finding{cluster="prod-eu",cause="fault",node="birch-1"}' in to_prometheus(answer, "en")
        assert 'calico="v3.30.4"' in to_prometheus(answer, "en")


class TestManyNodes:
    NAMES = tuple(f"kw-{number:03}" for number in range(1, 61))

    def test_a_few_are_named(self):
        assert shorten_nodes(self.NAMES[:3], self.NAMES, 60, "en") == "kw-001, kw-002, kw-003"

    def test_of_many_how_many_of_how_many(self):
        assert shorten_nodes(self.NAMES[:20], self.NAMES, 60, "en") == "20 of 60 nodes: kw-001 … kw-020"
        assert shorten_nodes(self.NAMES, self.NAMES, 60, "en") == "60 nodes: kw-001 … kw-060"

    def test_the_few_that_are_well_are_named(self):
        sick = [name for name in self.NAMES if name not in ("kw-007", "kw-031", "kw-032")]
        told = "57 of 60 nodes: kw-001 … kw-060 (all but kw-007, kw-031, kw-032)"
        assert shorten_nodes(sick, self.NAMES, 60, "en") == told
        assert shorten_nodes(sick, self.NAMES, 60, "zh").endswith("（kw-007、kw-031、kw-032 除外）")


class TestForbidden:
    def test_missing_rights_are_one_line(self):
        refused = [
            Unreadable(f"logs/{number}.txt", message("connection.forbidden", verbs="get", resources=f"r{number}"))
            for number in range(27)
        ]
        answer = made_up()
        answer.unreadable = refused
        text = report(answer, width=80)
        assert text.count("Could not be read") == 1
        assert "logs/0.txt, logs/1.txt, logs/2.txt (+24)" in text
        assert "calivet access" in text

    def test_lists_that_were_joined_before_are_counted(self):
        refused = [
            Unreadable(f"{kind}.txt, {kind}/a.yaml (+3)", message("connection.forbidden", verbs="get", resources=kind))
            for kind in ("daemonsets", "events", "services")
        ]
        answer = made_up()
        answer.unreadable = refused
        text = report(answer, "zh", width=80)
        assert "无法读取：daemonsets.txt、daemonsets/a.yaml、events.txt（另有 12 个）" in text
        assert max(map(measure_width, text.splitlines())) <= 80


def test_the_report_ends_without_a_blank_line():
    for answer in (made_up(), undecided(), nothing(), *map(demo, INCIDENTS)):
        assert not report(answer).endswith("\n\n")


def test_what_to_check_next_is_listed_once():
    found = made_up()
    found.findings[0].certainty = LIKELY
    found.doubts = [Doubt(Words("something is left", "还有问题"))]
    assert report(found).count("Check next") == 1


def test_what_was_not_seen_is_said_once():
    assert report(undecided()).count("Not seen") == 1


def test_the_reason_is_quoted_before_the_state_that_proves_it():
    """Of an image that cannot be pulled: the registry's words, not only the row of the pod."""
    event = (
        'Warning  Failed  22m (x4 over 24m)  kubelet  Failed to pull image "docker.io/calico/cni:v3.27.3": failed to copy: '
        "httpReadSeeker: failed open: unexpected status code 429 Too Many Requests - Server message: toomanyrequests: "
        "You have reached your pull rate limit."
    )
    text = pods("calico-node-wz5jd 0/1 Init:ImagePullBackOff 0 24m 10.71.0.11 birch-1") + f"\n{event}\n"
    answer = diagnose(gather_documents([Document("session.txt", decode(text.encode()))]), *prepare_detector())
    finding = answer.findings[0]
    first, second = choose_evidence(finding)
    assert first.says.en == "the image docker.io/calico/cni:v3.27.3 cannot be pulled: 429 Too Many Requests"
    assert (first.words, second.strength) == ("429 Too Many Requests", "proof")
    assert finding.summary.en.endswith("429 Too Many Requests.")
    assert "429 Too Many Requests" in report(answer, width=60)


def test_what_an_author_says_is_quoted_where_it_forbids_healthy():
    answer = undecided()
    answer.candidates = []
    answer.doubts = [
        Doubt(Words("it may mean a fault", "可能意味着故障"), Line("q.txt", 1, "since then it is slow"), is_open=True)
    ]
    assert "     q.txt:1\n     │ since then it is slow" in report(answer)

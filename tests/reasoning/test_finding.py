"""What a finding shows: its evidence, each node once, how often, and what speaks against it."""

from __future__ import annotations

from calivet.reasoning.finding import PLACES_SHOWN, collect_evidence
from calivet.signs.sign_detector import MOST_KEPT
from tests.facts.drawing import nodes, pods
from tests.reasoning.made_up import catalogue, cause, diagnosed, effect, judged, seen_at, sign

GONE = sign("gone", "proof", "{name} is gone on {node}", pattern=r"frobnicator (?P<name>\w+) is gone")
FAULT = cause(
    "fault", sign("hint", "weak", pattern="it smells odd"), GONE, against=[sign("well", "fair", pattern="frobnicator ready")],
    leads_to=["dark"],
)  # fmt: skip
KNOWN = catalogue(FAULT, effect("dark", "cold"), effect("cold"))
LINE = "kernel: frobnicator {} is gone\n"


def on(host, *lines):
    return f"[root@{host} ~]# dmesg\n" + "".join(lines)


def finding(text):
    (found,) = diagnosed(KNOWN, text).findings
    return found


def evidence(text):
    return [(item.says.en, item.strength, item.count) for item in finding(text).evidence]


class TestEvidence:
    def test_strongest_first_and_what_speaks_against_last(self):
        text = on("birch-1", "it smells odd\n", "frobnicator ready\n", LINE.format("main"))
        assert [item.strength for item in finding(text).evidence] == ["proof", "weak", "against"]

    def test_every_claim_has_its_line(self):
        text = {"a.txt": on("birch-1", "it smells odd\n"), "b.txt": on("birch-2", LINE.format("main"))}
        assert [(item.line.artifact, item.line.number, item.line.text) for item in finding(text).evidence] == [
            ("b.txt", 2, "kernel: frobnicator main is gone"),
            ("a.txt", 2, "it smells odd"),
        ]

    def test_the_values_are_those_of_the_line(self):
        text = on("birch-1", LINE.format("main")) + on("birch-2", LINE.format("spare"))
        assert [says for says, _, _ in evidence(text)] == ["main is gone on birch-1", "spare is gone on birch-2"]

    def test_repeats_on_one_node_are_one_place_with_a_count(self):
        assert evidence(on("birch-1", *[LINE.format("main")] * 7)) == [("main is gone on birch-1", "proof", 7)]

    def test_a_few_places_are_enough(self):
        text = "".join(on(f"birch-{number}", LINE.format("main")) for number in range(9))
        found = finding(text)
        assert len(found.evidence) == PLACES_SHOWN
        assert len(found.nodes) == 9

    def test_the_first_place_of_each_node_is_shown(self):
        text = on("birch-1", LINE.format("main"), "x\n", LINE.format("main"))
        assert [item.line.number for item in finding(text).evidence] == [2]

    def test_the_count_is_true(self):
        assert evidence(on("birch-1", *[LINE.format("main")] * (MOST_KEPT * 4))) == [
            ("main is gone on birch-1", "proof", MOST_KEPT * 4)
        ]

    def test_a_line_that_says_the_same_of_several_nodes_is_quoted_once(self):
        known = cause("fault", sign("gone", "proof", "it is gone", pattern="gone"))
        (found,) = judged(known, gone=[*seen_at(3, node="birch-1"), *seen_at(3, node="birch-2")])
        assert found.nodes == ["birch-1", "birch-2"]
        assert [(item.line.number, item.count) for item in collect_evidence(found)] == [(3, 1)]

    def test_the_authors_word_is_marked(self):
        (found,) = judged(FAULT, gone=seen_at(3, note=True))
        assert [(item.note, item.strength) for item in collect_evidence(found)] == [(True, "strong")]


class TestWhole:
    def test_chain_and_effects_follow_what_was_seen(self):
        text = nodes("birch-1 Ready 10.71.0.11") + on("birch-1", LINE.format("main"), "it is dark\n", "it is cold\n")
        found = finding(text)
        assert found.chain == ["fault", "dark", "cold"]
        assert [(item.effect, item.subject) for item in found.explains] == [("dark", "birch-1"), ("cold", "birch-1")]

    def test_without_effects_the_chain_is_the_cause_alone(self):
        assert finding(on("birch-1", LINE.format("main"))).chain == ["fault"]

    def test_the_summary_speaks_of_the_node_it_found(self):
        found = finding(on("birch-1", LINE.format("main")))
        assert found.summary.en == "It broke on birch-1. Seen: main is gone on birch-1."
        assert found.summary.zh.startswith("〔It broke on birch-1.〕")

    def test_a_summary_quotes_the_strongest_sign_also_where_it_names_nothing(self):
        known = catalogue(cause("plain", sign("gone", "proof", pattern="frobnicator gone")))
        (found,) = diagnosed(known, on("birch-1", "frobnicator gone\n")).findings
        assert found.summary.en == "It broke on birch-1. Seen: says gone."

    def test_no_node_at_all(self):
        found = finding(LINE.format("main"))
        assert found.nodes == []
        assert "the affected node" in found.summary.en
        assert found.later_healthy is False

    def test_the_only_sick_node_is_meant_where_no_sign_names_one(self):
        text = nodes("birch-1 Ready 10.71.0.11", "birch-2 NotReady 10.71.0.12") + "$ cat x.log\n" + LINE.format("main")
        assert finding(text).nodes == ["birch-2"]

    def test_without_a_node_of_its_own_it_names_the_sick_ones(self):
        rows = pods(
            "calico-node-2bs6x 0/1 Running 0 9d 10.71.0.11 birch-1",
            "calico-node-7tq4n 0/1 Running 0 9d 10.71.0.12 birch-2",
        )
        assert finding(rows + "$ cat x.log\n" + LINE.format("main")).nodes == ["birch-1", "birch-2"]

"""Signs and facts in, the whole answer out."""

from __future__ import annotations

import pytest

from calivet.catalogue.model import Harmless, Trace
from calivet.evidence.artifact import Unreadable
from calivet.messages.message import make_verbatim
from calivet.reasoning.reason import CONFIRMING, MOST_CANDIDATES, WORTH_NAMING, build_diagnosis
from calivet.signs.sign_detector import MOST_KEPT
from tests.facts.drawing import nodes, picture_of, pods
from tests.reasoning.made_up import catalogue, cause, diagnosed, effect, question, sign, words

GOOD = pods("calico-node-7tq4n 1/1 Running 0 9d 10.71.0.12 birch-2")
QUESTIONS = [question(f"q{number}") for number in range(6)]
ASK = [one.id for one in QUESTIONS]


def on(host, *lines):
    return f"[root@{host} ~]# dmesg\n" + "".join(f"kernel: {line}\n" for line in lines)


def names(found):
    return [one.cause.id for one in found]


class TestVerdict:
    KNOWN = catalogue(
        cause("sure", sign("alpha", "proof")),
        cause("likely", sign("beta", "strong")),
        cause("faint", sign("gamma", "weak")),
    )

    @pytest.mark.parametrize(
        ("text", "verdict"),
        [
            (on("birch-1", "alpha"), "fault"),
            (GOOD + on("birch-1", "alpha"), "fault"),
            (on("birch-1", "beta"), "fault"),
            (GOOD + on("birch-1", "beta"), "insufficient"),
            (GOOD + on("birch-1", "gamma"), "healthy"),
            (GOOD, "healthy"),
            (on("birch-1", "omega"), "insufficient"),
            ("", "insufficient"),
        ],
    )
    def test_fault_healthy_or_insufficient(self, text, verdict):
        found = diagnosed(self.KNOWN, text)
        assert found.verdict == verdict
        assert bool(found.findings) is (verdict == "fault")

    def test_same_in_same_out(self):
        text = GOOD + on("birch-1", "alpha", "beta", "gamma")
        assert diagnosed(self.KNOWN, text) == diagnosed(self.KNOWN, text)


class TestOrder:
    def test_what_explains_most_comes_first_among_the_sure(self):
        known = catalogue(
            cause("few", sign("alpha", "proof"), sign("more", "strong"), leads_to=["dark"]),
            cause("many", sign("beta", "proof"), leads_to=["cold"]),
            effect("dark"), effect("cold", "wet"), effect("wet"),
        )  # fmt: skip
        assert names(diagnosed(known, on("birch-1", "alpha", "beta", "more", "dark", "cold", "wet")).findings) == [
            "many",
            "few",
        ]

    def test_what_is_repaired_comes_last(self):
        known = catalogue(
            cause("old", sign("alpha", "proof"), sign("more", "strong")), cause("new", sign("beta", "proof"))
        )
        text = on("birch-2", "alpha", "more") + on("birch-1", "beta") + GOOD
        found = diagnosed(known, text).findings
        assert [(one.cause.id, one.later_healthy) for one in found] == [("new", False), ("old", True)]


class TestCandidates:
    def test_only_those_worth_naming_best_first(self):
        strengths = ["strong", "fair", "weak"]
        known = catalogue(*(cause(f"c-{strength}", sign(f"s-{strength}", strength)) for strength in strengths))
        rival = cause("c-rival", sign("s-rival", "strong"))
        known = catalogue(*known.causes.values(), rival)
        found = diagnosed(known, on("birch-1", "s-weak", "s-fair", "s-strong", "s-rival")).candidates
        found = [one for one in found if one.cause.id != "c-rival"]
        assert names(found) == ["c-strong", "c-fair"] if found[-1].confidence >= WORTH_NAMING else False
        assert all(one.evidence for one in found)

    def test_never_too_many(self):
        known = catalogue(*(cause(f"c{number}", sign(f"s{number}", "strong")) for number in range(20)))
        assert (
            len(diagnosed(known, on("birch-1", *(f"s{number}" for number in range(20)))).candidates) == MOST_CANDIDATES
        )


class TestNext:
    def test_a_sure_finding_needs_little_more(self):
        known = catalogue(cause("fault", sign("alpha", "proof"), ask=ASK), *QUESTIONS)
        assert len(diagnosed(known, on("birch-1", "alpha")).next) == CONFIRMING

    def test_an_open_case_asks_for_more(self):
        known = catalogue(cause("fault", sign("alpha", "strong"), ask=ASK), *QUESTIONS)
        assert len(diagnosed(known, on("birch-1", "alpha")).next) == len(QUESTIONS)

    def test_candidates_do_not_ask_where_a_finding_is_sure(self):
        known = catalogue(
            cause("sure", sign("alpha", "proof"), ask=["q0"]),
            cause("open", sign("beta", "strong"), ask=["q1"]),
            *QUESTIONS,
        )
        assert [item.separates for item in diagnosed(known, on("birch-1", "alpha", "beta")).next] == [["sure"]]


class TestSetAside:
    KNOWN = catalogue(
        Harmless(id="noise", why=words("never mind"), trace=Trace(pattern="rattling")),
        cause("fault", sign("alpha", "proof")),
    )

    def test_shown_once_with_its_count(self):
        (aside,) = diagnosed(self.KNOWN, on("birch-1", "rattling", "x", "rattling", "rattling")).set_aside
        assert (aside.line.number, aside.count, aside.why.en) == (2, 3, "never mind")

    def test_never_a_reason_to_call_it_a_fault(self):
        assert diagnosed(self.KNOWN, GOOD + on("birch-1", "rattling")).verdict == "healthy"

    def test_the_count_is_true(self):
        (aside,) = diagnosed(self.KNOWN, on("birch-1", *["rattling"] * (MOST_KEPT * 2))).set_aside
        assert aside.count == MOST_KEPT * 2


class TestNotSeen:
    KNOWN = catalogue(cause("fault", sign("alpha", "proof")))

    def test_what_is_missing_is_named_with_the_sick_nodes(self):
        found = diagnosed(self.KNOWN, pods("calico-node-7tq4n 0/1 Running 0 9d 10.71.0.12 birch-2"))
        missing = {item.what.en for item in found.not_seen}
        assert "the list of nodes" in missing
        assert "the kubelet journal on birch-2" in missing
        assert "the calico-node pods" not in missing

    def test_what_could_not_be_read_is_handed_on(self):
        unreadable = [Unreadable("core.dump", make_verbatim("is binary"))]
        assert build_diagnosis(self.KNOWN, picture_of(""), {}, [], unreadable).unreadable == unreadable

    def test_every_artifact_is_a_source(self):
        found = diagnosed(self.KNOWN, {"a.txt": GOOD, "b.md": "I wrote this down myself, and it is all I know.\n"})
        assert [(one.artifact, one.kind, one.first) for one in found.sources] == [
            ("a.txt", "kubectl-get", 1),
            ("b.md", "note", 1),
        ]


def test_a_setting_that_might_do_harm_is_no_fault_where_nothing_suffers():
    known = catalogue(cause("risky", sign("odd", "strong"), sign("strange", "strong", says="strange")))
    state = nodes("birch-1 Ready 10.71.0.11") + pods("calico-node-2bs6x 1/1 Running 0 9d 10.71.0.11 birch-1")
    seen = "[root@birch-1 ~]# frob --list\nodd\nstrange\n"
    assert diagnosed(known, state + seen).findings == []
    assert diagnosed(known, "Pods are cut off from the internet.\n\n" + state + seen).findings

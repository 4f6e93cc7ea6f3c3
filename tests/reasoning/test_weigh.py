"""How much signs say: strength, fading, what was said twice, what speaks against, what was only told."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calivet.catalogue.model import Strength
from calivet.reasoning.choose import ASSERTED
from calivet.reasoning.weigh import FADING, PRIOR, WEIGHT, compute_confidence, list_nodes
from tests.reasoning.made_up import cause, confidence_of, judged, seen_at, sign

STRENGTHS = ["proof", "strong", "fair", "weak"]


def odds(probability):
    return math.log(probability / (1 - probability))


class TestStrength:
    def test_stronger_signs_say_more(self):
        sure = [confidence_of(cause("fault", sign("one", strength)), one=seen_at(1)) for strength in STRENGTHS]
        assert sure == sorted(sure, reverse=True)
        assert len(set(sure)) == len(sure)

    def test_a_proof_alone_suffices_and_nothing_else_does(self):
        for strength in STRENGTHS:
            sure = confidence_of(cause("fault", sign("one", strength)), one=seen_at(1))
            assert (sure >= ASSERTED) is (strength == "proof"), strength

    def test_two_strong_signs_suffice_and_two_weak_ones_do_not(self):
        for strength, suffices in (("strong", True), ("fair", False), ("weak", False)):
            known = cause("fault", sign("one", strength), sign("two", strength))
            assert (confidence_of(known, one=seen_at(1), two=seen_at(2)) >= ASSERTED) is suffices, strength

    def test_it_never_is_quite_sure(self):
        known = cause("fault", *(sign(f"s{number}", "proof") for number in range(9)))
        sure = confidence_of(known, **{f"s{number}": seen_at(number) for number in range(9)})
        assert 0.99 < sure < 1


class TestSameLine:
    KNOWN = cause("fault", sign("one", "strong"), sign("two", "strong"))

    def test_two_signs_in_one_line_count_once(self):
        both = confidence_of(self.KNOWN, one=seen_at(7), two=seen_at(7))
        assert both == pytest.approx(confidence_of(self.KNOWN, one=seen_at(7)))

    def test_the_stronger_one_speaks(self):
        known = cause("fault", sign("one", "weak"), sign("two", "proof"))
        assert confidence_of(known, one=seen_at(7), two=seen_at(7)) == pytest.approx(
            confidence_of(known, two=seen_at(7))
        )

    def test_the_same_number_in_another_document_is_another_line(self):
        both = confidence_of(self.KNOWN, one=seen_at(7), two=seen_at(7, artifact="b.txt"))
        assert both > confidence_of(self.KNOWN, one=seen_at(7))

    def test_a_sign_with_one_line_of_its_own_counts(self):
        both = confidence_of(self.KNOWN, one=seen_at(7), two=seen_at(7, 8))
        assert both > confidence_of(self.KNOWN, one=seen_at(7))

    def test_the_same_message_fifty_thousand_times_counts_once(self):
        assert confidence_of(self.KNOWN, one=seen_at(*range(50))) == pytest.approx(
            confidence_of(self.KNOWN, one=seen_at(1))
        )


class TestSameWords:
    KNOWN = cause(
        "fault", sign("one", "strong", "it is gone"), sign("two", "fair", "it is gone"), sign("three", "fair")
    )

    def test_signs_that_say_the_same_are_one_as_strong_as_the_strongest(self):
        both = confidence_of(self.KNOWN, one=seen_at(1), two=seen_at(2))
        assert both == pytest.approx(confidence_of(self.KNOWN, one=seen_at(1)))
        assert both < confidence_of(self.KNOWN, one=seen_at(1), three=seen_at(2))

    def test_all_places_are_kept(self):
        (found,) = judged(self.KNOWN, one=seen_at(1, node="birch-1"), two=seen_at(2, node="birch-2"))
        assert {number for _, number in found.lines} == {1, 2}
        assert found.nodes == ["birch-1", "birch-2"]


class TestFading:
    def test_each_further_sign_counts_a_little_less(self):
        known = cause("fault", *(sign(f"s{number}", "fair") for number in range(8)))
        places = [{f"s{number}": seen_at(number) for number in range(count)} for count in range(1, 9)]
        sure = [PRIOR, *(odds(confidence_of(known, **seen)) for seen in places)]
        gains = [after - before for before, after in pairwise(sure)]
        assert gains == pytest.approx([WEIGHT[Strength.FAIR] * FADING[min(rank, len(FADING) - 1)] for rank in range(8)])
        assert list(FADING) == sorted(FADING, reverse=True)

    def test_the_order_in_the_file_does_not_matter(self):
        one, two = sign("one", "proof"), sign("two", "weak")
        places = {"one": seen_at(1), "two": seen_at(2)}
        assert confidence_of(cause("a", one, two), **places) == pytest.approx(
            confidence_of(cause("a", two, one), **places)
        )


class TestAgainst:
    KNOWN = cause("fault", sign("one", "strong"), against=[sign("well", "strong"), sign("fine", "fair")])

    def test_it_lowers(self):
        assert confidence_of(self.KNOWN, one=seen_at(1), well=seen_at(2)) < confidence_of(self.KNOWN, one=seen_at(1))

    def test_as_much_against_as_for_leaves_the_prior(self):
        assert odds(confidence_of(self.KNOWN, one=seen_at(1), well=seen_at(2))) == pytest.approx(PRIOR)

    def test_alone_it_establishes_nothing(self):
        assert judged(self.KNOWN, well=seen_at(2)) == []

    def test_it_names_no_nodes(self):
        (found,) = judged(self.KNOWN, one=seen_at(1, node="birch-1"), well=seen_at(2, node="birch-2"))
        assert found.nodes == ["birch-1"]

    def test_what_was_seen_on_another_node_does_not_speak_against(self):
        alone = confidence_of(self.KNOWN, one=seen_at(1, node="birch-1"))
        both = confidence_of(self.KNOWN, one=seen_at(1, node="birch-1"), well=seen_at(2, node="birch-2"))
        assert both == pytest.approx(alone)

    def test_a_proof_withstands_one_fair_objection(self):
        known = cause("fault", sign("one", "proof"), against=[sign("fine", "fair")])
        assert confidence_of(known, one=seen_at(1), fine=seen_at(2)) >= ASSERTED


class TestNotes:
    @pytest.mark.parametrize(
        ("strength", "counts_as"), [("proof", "strong"), ("strong", "fair"), ("fair", "weak"), ("weak", "weak")]
    )
    def test_what_was_only_told_counts_one_step_less(self, strength, counts_as):
        told = confidence_of(cause("fault", sign("one", strength)), one=seen_at(1, note=True))
        assert told == pytest.approx(confidence_of(cause("fault", sign("one", counts_as)), one=seen_at(1)))

    def test_a_sign_of_the_authors_words_counts_in_full(self):
        known = cause("fault", sign("one", "strong", scope="note"))
        assert odds(confidence_of(known, one=seen_at(1, note=True))) == pytest.approx(PRIOR + WEIGHT[Strength.STRONG])

    def test_told_and_seen_is_seen(self):
        known = cause("fault", sign("one", "proof"))
        both = confidence_of(known, one=[*seen_at(1, note=True), *seen_at(2)])
        assert both == pytest.approx(confidence_of(known, one=seen_at(2)))

    def test_told_alone_never_asserts_with_one_sign(self):
        assert confidence_of(cause("fault", sign("one", "proof")), one=seen_at(1, note=True)) < ASSERTED


class TestOrder:
    def test_the_most_likely_first_and_names_decide_a_draw(self):
        known = [cause("b", sign("one", "fair")), cause("a", sign("one", "fair")), cause("c", sign("two", "proof"))]
        assert [found.cause.id for found in judged(known, one=seen_at(1), two=seen_at(2))] == ["c", "a", "b"]

    def test_nodes_in_order_of_strength_each_once(self):
        known = cause("fault", sign("one", "weak"), sign("two", "proof"))
        (found,) = judged(
            known, one=seen_at(1, node="birch-1"), two=[*seen_at(2, 3, node="birch-2"), *seen_at(4, node="birch-1")]
        )
        assert found.nodes == ["birch-2", "birch-1"]
        assert list_nodes([]) == []


KNOWN = cause(
    "fault",
    *(sign(f"s{number}", strength) for number, strength in enumerate(STRENGTHS * 2)),
    against=[sign("well", "strong")],
)
PLACES = st.dictionaries(
    st.sampled_from([f"s{number}" for number in range(8)]), st.sets(st.integers(1, 6), min_size=1), min_size=1
)


def sure_of(places):
    return confidence_of(KNOWN, **{name: seen_at(*sorted(numbers)) for name, numbers in places.items()})


@given(PLACES, st.sets(st.sampled_from([f"s{number}" for number in range(8)])))
def test_one_line_more_never_lowers_the_confidence(places, spoken_by_new_line):
    more = {name: places.get(name, set()) | {99} for name in spoken_by_new_line}
    assert sure_of(places | more) >= sure_of(places) - 1e-12


@given(PLACES)
def test_leaving_lines_out_never_raises_it(places):
    (found,) = judged(KNOWN, **{name: seen_at(*sorted(numbers)) for name, numbers in places.items()})
    assert compute_confidence(found.seen, without={("a.txt", 1)}) <= found.confidence + 1e-12
    assert compute_confidence(found.seen, without=found.lines) == pytest.approx(1 / (1 + math.exp(-PRIOR)))


def test_seeing_what_was_told_before_never_lowers_the_confidence():
    known = cause("fault", sign("one", "strong"), sign("two", "strong", scope="note"))
    told = {"one": seen_at(1, 4, note=True), "two": seen_at(1, note=True)}
    seen = told | {"one": [*told["one"], *seen_at(9)]}
    assert confidence_of(known, **seen) >= confidence_of(known, **told)

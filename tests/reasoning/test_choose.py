"""Roots are findings; what follows from them, and what only looks like them, is not."""

from __future__ import annotations

from calivet.reasoning.choose import ASSERTED, choose_causes
from calivet.reasoning.graph import Graph
from tests.reasoning.made_up import catalogue, cause, effect, judged, seen_at, sign


def chosen(causes, observed=(), effects=(), **sightings):
    graph = Graph(catalogue(*causes, *effects))
    return choose_causes(judged(causes, **sightings), graph, set(observed))


def names(found):
    return [one.cause.id for one in found]


def fault(name, *leads_to, strength="proof", **more):
    return cause(name, sign(f"sign-{name}", strength), leads_to=list(leads_to), **more)


class TestConsequences:
    ROOT, MIDDLE, END = fault("root", "middle"), fault("middle", "end"), fault("end")

    def test_what_follows_on_the_same_node_is_no_finding(self):
        found = chosen(
            [self.ROOT, self.MIDDLE], sign_root=seen_at(1, node="birch-1"), sign_middle=seen_at(2, node="birch-1")
        )
        assert names(found.findings) == ["root"]
        assert found.consequences == {"root": ["middle"]}
        assert found.candidates == []

    def test_a_chain_hangs_on_its_first_link(self):
        found = chosen(
            [self.ROOT, self.MIDDLE, self.END], sign_root=seen_at(1), sign_middle=seen_at(2), sign_end=seen_at(3)
        )
        assert names(found.findings) == ["root"]
        assert sorted(found.consequences["root"]) == ["end", "middle"]

    def test_a_chain_with_an_unseen_link_holds(self):
        found = chosen([self.ROOT, self.MIDDLE, self.END], sign_root=seen_at(1), sign_end=seen_at(3))
        assert found.consequences == {"root": ["end"]}

    def test_on_different_nodes_both_are_findings(self):
        found = chosen(
            [self.ROOT, self.MIDDLE], sign_root=seen_at(1, node="birch-1"), sign_middle=seen_at(2, node="birch-2")
        )
        assert sorted(names(found.findings)) == ["middle", "root"]
        assert found.consequences == {}

    def test_where_a_node_is_not_known_they_are_taken_together(self):
        found = chosen([self.ROOT, self.MIDDLE], sign_root=seen_at(1), sign_middle=seen_at(2, node="birch-2"))
        assert names(found.findings) == ["root"]

    def test_a_root_that_is_only_suspected_explains_nothing_away(self):
        weak = fault("root", "middle", strength="fair")
        found = chosen([weak, self.MIDDLE], sign_root=seen_at(1), sign_middle=seen_at(2))
        assert names(found.findings) == ["middle"]
        assert names(found.candidates) == ["root"]

    def test_two_that_lead_to_each_other_do_not_vanish(self):
        found = chosen([fault("hen", "egg"), fault("egg", "hen")], sign_hen=seen_at(1), sign_egg=seen_at(2))
        assert found.findings


class TestSecondFinding:
    def test_two_proofs_are_two_faults(self):
        found = chosen([fault("one"), fault("two")], sign_one=seen_at(1), sign_two=seen_at(2))
        assert sorted(names(found.findings)) == ["one", "two"]

    def test_two_proofs_in_one_line_are_one_fault(self):
        found = chosen([fault("one"), fault("two")], sign_one=seen_at(1), sign_two=seen_at(1))
        assert len(found.findings) == 1
        assert found.candidates[0].confidence < ASSERTED

    def proven(self, name, *leads_to, **more):
        """Surer than two strong signs."""
        return cause(name, sign(f"sign-{name}", "proof"), sign(f"more-{name}"), leads_to=list(leads_to), **more)

    def strong(self, name, *leads_to, **more):
        return cause(name, sign(f"{name}-x", "strong"), sign(f"{name}-y", "strong"), leads_to=list(leads_to), **more)

    def test_without_proof_it_must_explain_something_new(self):
        causes, effects = [self.proven("one", "dark"), self.strong("two", "dark")], [effect("dark"), effect("cold")]
        places = {"sign_one": seen_at(1), "more_one": seen_at(8), "two_x": seen_at(2), "two_y": seen_at(3)}
        assert names(chosen(causes, {"dark"}, effects, **places).findings) == ["one"]
        causes[1] = self.strong("two", "dark", "cold")
        assert sorted(names(chosen(causes, {"dark", "cold"}, effects, **places).findings)) == ["one", "two"]
        assert names(chosen(causes, {"dark"}, effects, **places).findings) == ["one"]  # nobody has seen the cold

    def test_several_strong_signs_are_enough_where_nobody_misses_anything(self):
        signs = (sign("two-x", "strong"), sign("two-y", "strong"), sign("two-z"))
        second = cause("two", *signs, leads_to=["cold"])
        causes, effects = [self.proven("one", "dark"), second], [effect("dark"), effect("cold")]
        places = {"sign_one": seen_at(1), "more_one": seen_at(8), "two_x": seen_at(2), "two_y": seen_at(3)}
        assert names(chosen(causes, {"dark"}, effects, **places).findings) == ["one"]
        found = chosen(causes, {"dark"}, effects, **places, two_z=seen_at(4))
        assert sorted(names(found.findings)) == ["one", "two"]
        places["two_y"] = seen_at(2)
        found = chosen(causes, {"dark"}, effects, **places, two_z=seen_at(4))
        assert names(found.findings) == ["one"], "both strong ones stand on one line"

    def test_look_alikes_are_not_both_named_on_one_node(self):
        for one, two in (({"mistaken_for": ["two"]}, {}), ({}, {"mistaken_for": ["one"]})):
            causes = [self.proven("one", "dark", **one), self.strong("two", "cold", **two)]
            effects = [effect("dark"), effect("cold")]
            places = {
                "sign_one": seen_at(1, node="a"),
                "more_one": seen_at(8),
                "two_x": seen_at(2, node="a"),
                "two_y": seen_at(3, node="a"),
            }
            found = chosen(causes, {"dark", "cold"}, effects, **places)
            assert names(found.findings) == ["one"]
            assert names(found.candidates) == ["two"]
            assert found.candidates[0].confidence < ASSERTED

    def test_a_proof_goes_before_a_look_alike_that_seems_a_little_surer(self):
        causes = [fault("one", "dark", mistaken_for=["two"]), self.strong("two", "dark")]
        places = {"sign_one": seen_at(1, node="a"), "two_x": seen_at(2, node="a"), "two_y": seen_at(3, node="a")}
        assert names(chosen(causes, {"dark"}, [effect("dark")], **places).findings) == ["one"]

    def test_look_alikes_on_two_nodes_may_both_be_there(self):
        causes = [fault("one", "dark", mistaken_for=["two"]), self.strong("two", "cold")]
        places = {"sign_one": seen_at(1, node="a"), "two_x": seen_at(2, node="b"), "two_y": seen_at(3, node="b")}
        found = chosen(causes, {"dark", "cold"}, [effect("dark"), effect("cold")], **places)
        assert sorted(names(found.findings)) == ["one", "two"]

    def test_a_proof_of_its_own_beats_the_likeness(self):
        causes = [fault("one", mistaken_for=["two"]), fault("two")]
        assert len(chosen(causes, sign_one=seen_at(1, node="a"), sign_two=seen_at(2, node="a")).findings) == 2


class TestCandidates:
    def test_what_is_too_weak_is_a_candidate(self):
        found = chosen([fault("one", strength="strong")], sign_one=seen_at(1))
        assert (names(found.findings), names(found.candidates)) == ([], ["one"])

    def test_nothing_seen_nothing_chosen(self):
        found = chosen([fault("one")])
        assert (found.findings, found.candidates, found.consequences) == ([], [], {})

    def test_the_best_candidate_comes_first_also_after_some_were_lowered(self):
        causes = [fault("one"), fault("shadow"), cause("likely", sign("likely-x", "strong"), sign("likely-y", "weak"))]
        found = chosen(
            causes, sign_one=seen_at(1), sign_shadow=seen_at(1), likely_x=seen_at(2), likely_y=seen_at(3)
        )  # fmt: skip
        assert names(found.findings) == ["one"]
        sure = [one.confidence for one in found.candidates]
        assert sure == sorted(sure, reverse=True)


HINTS = ("one", "two", "three", "four")


def test_many_hints_name_a_cause_only_where_something_suffers_from_it():
    feature = cause("feature", *(sign(f"sign-{name}") for name in HINTS), leads_to=["dark"])
    hints = {f"sign_{name}": seen_at(number) for number, name in enumerate(HINTS)}
    assert names(chosen([feature], effects=[effect("dark")], **hints).findings) == []
    assert names(chosen([feature], observed=["dark"], effects=[effect("dark")], **hints).findings) == ["feature"]

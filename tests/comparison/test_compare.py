"""What became of each cause, and never more than the evidence shows."""

from __future__ import annotations

from hypothesis import given
from msgspec import structs

from calivet.comparison import compare
from tests.comparison.sides import found, side, sides

SWAP, BGP = "kubelet-swap-on", "bgp-port-blocked"
BEFORE = side(found(SWAP, "birch-1"), sick=("birch-1",), healthy=("birch-2",))


def causes(items):
    return [item.cause for item in items]


class TestFixed:
    def test_where_all_is_well(self):
        compared = compare(BEFORE, side(verdict="healthy", healthy=("birch-1", "birch-2")))
        assert causes(compared.fixed) == [SWAP]
        assert (compared.before, compared.after, compared.unseen) == ("fault", "healthy", [])

    def test_where_its_nodes_are_well_though_another_cause_is_found(self):
        compared = compare(BEFORE, side(found(BGP, "birch-2"), sick=("birch-2",), healthy=("birch-1",)))
        assert causes(compared.fixed) == [SWAP]
        assert causes(compared.new) == [BGP]

    def test_for_a_cause_of_the_cluster_every_part_that_was_ill(self):
        before = side(found("etcd-unhealthy"), components={"datastore": False, "calico-node": False, "BGP": None})
        after = side(components={"datastore": True, "calico-node": True})
        assert causes(compare(before, after).fixed) == ["etcd-unhealthy"]
        after = side(components={"datastore": None, "calico-node": True})
        assert causes(compare(before, after).unseen) == ["etcd-unhealthy"]


class TestNotSeenAnyMore:
    def test_where_nothing_was_looked_at(self):
        compared = compare(BEFORE, side())
        assert causes(compared.unseen) == [SWAP]
        assert compared.fixed == []

    def test_where_its_node_was_not_seen(self):
        assert causes(compare(BEFORE, side(healthy=("birch-2",))).unseen) == [SWAP]

    def test_where_its_node_was_well_all_the_time(self):
        """A fault that leaves calico-node ready is not over because calico-node is ready."""
        before = side(found("mtu-mismatch", "birch-1"), healthy=("birch-1",))
        assert causes(compare(before, side(healthy=("birch-1",))).unseen) == ["mtu-mismatch"]

    def test_where_it_is_still_held_possible(self):
        compared = compare(BEFORE, side(candidates={SWAP: 0.4}, healthy=("birch-1",)))
        (item,) = compared.unseen
        assert item.candidate == 0.4
        assert compared.candidates == []

    def test_where_it_now_follows_from_another(self):
        after = side(found("disk-full", "birch-1", consequences=(SWAP,)), sick=("birch-1",))
        (item,) = compare(BEFORE, after).unseen
        assert item.follows == "disk-full"

    def test_where_it_may_be_another_cluster(self):
        compared = compare(BEFORE, side(verdict="healthy", healthy=("larch-1",)))
        assert compared.unrelated
        assert causes(compared.unseen) == [SWAP]


class TestTheRest:
    def test_a_candidate_that_became_a_finding(self):
        (item,) = compare(side(candidates={SWAP: 0.4}), BEFORE).new
        assert item.candidate == 0.4

    def test_what_remains_with_other_nodes_and_another_confidence(self):
        after = side(found(SWAP, "birch-2", "birch-3", confidence=0.7))
        (item,) = compare(side(found(SWAP, "birch-1", "birch-2")), after).remaining
        assert (item.joined, item.left) == (["birch-3"], ["birch-1"])
        assert (item.before, item.after) == (0.9, 0.7)

    def test_parts_change_by_being_well(self):
        before = side(components={"nodes": True, "BGP": False, "dns": True, "typha": None})
        after = side(components={"nodes": True, "BGP": True})
        changed = {item.id: (bool(item.before), item.after is not None) for item in compare(before, after).components}
        assert changed == {"BGP": (True, True), "dns": (True, False)}

    def test_a_part_goes_by_its_id_in_any_language(self):
        before = side(components={"nodes": False})
        after = structs.replace(
            before, components=[structs.replace(before.components[0], name="节点", state="未 Ready")]
        )
        assert compare(before, after).components == []

    def test_small_shifts_of_candidates_are_no_news(self):
        before = side(candidates={SWAP: 0.40, BGP: 0.40, "disk-full": 0.1})
        after = side(candidates={SWAP: 0.42, BGP: 0.50})
        assert {item.cause for item in compare(before, after).candidates} == {BGP, "disk-full"}


@given(one=sides())
def test_nothing_changes_between_a_diagnosis_and_itself(one):
    compared = compare(one, one)
    assert (compared.new, compared.fixed, compared.unseen) == ([], [], [])
    assert (compared.components, compared.candidates, compared.unrelated) == ([], [], False)
    assert all(item.before == item.after and not item.joined and not item.left for item in compared.remaining)


@given(one=sides(), other=sides())
def test_the_way_back_is_the_mirror_of_the_way_there(one, other):
    there, back = compare(one, other), compare(other, one)
    assert set(causes(there.new)) == set(causes(back.fixed + back.unseen))
    assert set(causes(there.fixed + there.unseen)) == set(causes(back.new))
    assert {item.cause: (item.joined, item.left) for item in there.remaining} == {
        item.cause: (item.left, item.joined) for item in back.remaining
    }
    assert {(item.id, item.before, item.after) for item in there.components} == {
        (item.id, item.after, item.before) for item in back.components
    }
    assert {(item.cause, item.before, item.after) for item in there.candidates} == {
        (item.cause, item.after, item.before) for item in back.candidates
    }
    assert (there.before, there.after, there.unrelated) == (back.after, back.before, back.unrelated)


@given(one=sides(), other=sides())
def test_every_cause_has_one_place(one, other):
    compared = compare(one, other)
    places = causes(compared.new + compared.fixed + compared.unseen) + [item.cause for item in compared.remaining]
    assert sorted(places) == sorted({item.cause for item in one.findings + other.findings})

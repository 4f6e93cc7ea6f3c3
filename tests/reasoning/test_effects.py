"""Effects that were seen, and which of them a cause accounts for."""

from __future__ import annotations

import pytest

from calivet.catalogue.model import Trace
from calivet.evidence.artifact import Line
from calivet.reasoning.graph import Graph, drop_recovered, list_explained, observe_effects
from calivet.signs.sighting import Key, Sighting
from tests.facts.drawing import picture_of
from tests.reasoning.made_up import catalogue, cause, effect, seen_at, sign

KNOWN = catalogue(
    cause("fault", sign("gone", "proof"), leads_to=["dark"]),
    effect("dark", "cold", traces=[Trace(pattern="dark"), Trace(pattern="no light")]),
    effect("cold"),
    effect("noise"),
)


def explained(seen):
    return list_explained("fault", KNOWN, Graph(KNOWN), observe_effects(KNOWN, seen))


def test_every_trace_of_an_effect_counts():
    seen = observe_effects(KNOWN, {Key("dark", "0"): seen_at(1), Key("dark", "1"): seen_at(5)})
    assert [sighting.line.number for sighting in seen["dark"]] == [1, 5]


def test_the_authors_words_alone_establish_no_effect():
    assert observe_effects(KNOWN, {Key("dark", "0"): seen_at(1, note=True)}) == {}
    both = observe_effects(KNOWN, {Key("dark", "0"): [*seen_at(1, note=True), *seen_at(2)]})
    assert [sighting.line.number for sighting in both["dark"]] == [2]


def test_signs_of_causes_are_no_effects():
    assert observe_effects(KNOWN, {Key("fault", "gone"): seen_at(1)}) == {}


def test_each_effect_once_for_each_node_at_its_first_place():
    seen = {
        Key("dark", "0"): [*seen_at(3, 4, node="birch-1"), *seen_at(5, node="birch-2")],
        Key("cold", "0"): seen_at(6),
    }
    found = [(item.effect, item.subject, item.line.number) for item in explained(seen)]
    assert found == [("dark", "birch-1", 3), ("dark", "birch-2", 5), ("cold", None, 6)]


def test_a_pod_is_the_subject_where_one_is_named():
    (place,) = seen_at(3, node="birch-1")
    place.values["pod"] = "calico-node-7tq4n"
    assert [item.subject for item in explained({Key("dark", "0"): [place]})] == ["calico-node-7tq4n"]


def test_what_does_not_follow_is_not_explained():
    assert explained({Key("noise", "0"): seen_at(1)}) == []


def test_the_title_is_in_both_languages():
    (item,) = explained({Key("dark", "0"): seen_at(1)})
    assert (item.title.en, item.title.zh) == ("title of dark", "〔title of dark〕")


@pytest.mark.parametrize(("last", "left"), [("it just became ready", False), ("nothing", True)])
def test_a_node_that_became_ready_has_a_network_plugin(last, left):
    text = f"kubelet: cni plugin not initialized\nkubelet: Fast updating node status as {last}\n"
    sighting = Sighting(line=Line("kubelet.log", 1, "x"), words="cni plugin not initialized")
    assert bool(drop_recovered({"network-plugin-not-ready": [sighting]}, picture_of({"kubelet.log": text}))) is left


REFUSED = "2023-04-05 10:11:12.345 [INFO][9] startup/startup.go 456: Hit error: connection refused\n"
VERIFIED = "2023-04-05 10:11:14.345 [INFO][9] startup/startup.go 465: Datastore connection verified\n"


@pytest.mark.parametrize(
    ("log", "left"),
    [
        (REFUSED + VERIFIED, False),
        (REFUSED * 2 + VERIFIED, False),
        (REFUSED, True),
        (VERIFIED + REFUSED, True),
        (REFUSED + VERIFIED + REFUSED, True),
    ],
)
def test_what_the_same_log_later_calls_over_is_no_effect(log, left):
    picture = picture_of({"calico-node.log": log})
    first = log.split("\n").index(REFUSED.rstrip()) + 1
    sighting = Sighting(line=Line("calico-node.log", first, REFUSED.rstrip()), words="connection refused")
    assert bool(drop_recovered({"api-unreachable": [sighting]}, picture)) is left
    assert drop_recovered({"bgp-down": [sighting]}, picture)

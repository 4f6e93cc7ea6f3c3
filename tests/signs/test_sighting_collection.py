from __future__ import annotations

from calivet.evidence.artifact import Line
from calivet.signs.sighting import Key, Sighting
from calivet.signs.sign_detector import MOST_KEPT, SightingCollection

KEY = Key("cause", "sign")


def keep(nodes):
    keeper = SightingCollection()
    for number, node in enumerate(nodes):
        keeper.add(KEY, Sighting(line=Line("log", number, ""), node=node))
    return keeper.seen[KEY]


def test_all_are_counted_and_some_are_kept():
    kept = keep(["one"] * 1000)
    assert len(kept) == MOST_KEPT
    assert sum(one.count for one in kept) == 1000
    assert kept[-1].line.number == 999


def test_each_node_keeps_its_own_last_place_and_count():
    kept = keep(["one"] * 100 + ["two", "three"] * 100)
    counts = {node: sum(one.count for one in kept if one.node == node) for node in ("one", "two", "three")}
    assert counts == {"one": 100, "two": 100, "three": 100}
    assert [one.line.number for one in kept if one.node == "two"] == [298]

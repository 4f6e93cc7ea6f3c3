"""What most healthy nodes show too tells something only beside another sign of the same cause."""

from __future__ import annotations

import pytest

from calivet.engines.engine import load_knowledge
from calivet.evidence.artifact import Line
from calivet.signs.relevance import drop_unaccompanied
from calivet.signs.sighting import Key, Sighting

HINT, OTHER = Key("inotify-or-fd-limit", "small-limit"), Key("inotify-or-fd-limit", "watch-failed")


def seen_on(node):
    return [Sighting(line=Line("node.txt", 1, "x"), node=node)]


@pytest.mark.parametrize(
    ("others", "speaks"),
    [
        ({}, False),
        ({Key("disk-full", "room-left"): seen_on("n1")}, False),
        ({OTHER: seen_on("n2")}, False),
        ({OTHER: seen_on("n1")}, True),
        ({OTHER: seen_on(None)}, True),
    ],
)
def test_a_hint_needs_company(others, speaks):
    kept = drop_unaccompanied({HINT: seen_on("n1"), **others}, load_knowledge(())[0])
    assert (HINT in kept) is speaks
    assert others.keys() <= kept.keys()

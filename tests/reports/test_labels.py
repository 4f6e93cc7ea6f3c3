"""The words that reports share: one for everything that is shown, its places filled."""

from __future__ import annotations

import pytest

from calivet.catalogue.model import Strength
from calivet.messages.message import load_table
from calivet.reasoning.diagnosis import FAULT, HEALTHY, INSUFFICIENT
from calivet.reports.layout.wording import label

STEPS = ("safe", "disruptive", "dangerous", "cluster", "node", "manual")


@pytest.mark.parametrize("key", [*Strength, "against", *STEPS, FAULT, HEALTHY, INSUFFICIENT])
def test_every_value_that_is_shown_has_a_word(key):
    assert str(key) in load_table("report")


def test_places_are_filled():
    assert label("fault.many", "en", count=3) == "3 independent root causes found"
    assert label("fault.many", "zh", count=3) == "找到 3 个相互独立的根因"
    assert label("confidence", "en", percent=97) == "confidence 97%"
    assert label("times", "en", count=51234) == "51,234 times"
    assert label("times", "zh", count=51234) == "51,234 次"

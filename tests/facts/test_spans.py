"""The stretches of a log that a line stands in, found without looking at all of them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from calivet.evidence.artifact import Line
from calivet.facts.calico import LogSpan
from calivet.facts.node_of_line import LogSpanTable

NUMBERS = st.integers(1, 40)


def span(first: int, length: int) -> LogSpan:
    return LogSpan(at=Line("a.log", first, ""), program="felix", end=first + length)


@given(st.lists(st.tuples(NUMBERS, NUMBERS), max_size=12), NUMBERS)
def test_as_if_all_were_looked_at(pairs, number):
    spans = sorted((span(*pair) for pair in pairs), key=lambda one: one.at.number)
    around = [one for one in spans if one.at.number <= number <= one.end]
    assert list(LogSpanTable(spans).around(Line("a.log", number, ""))) == around


def test_other_documents_are_others():
    assert list(LogSpanTable([span(1, 9)]).around(Line("b.log", 3, ""))) == []

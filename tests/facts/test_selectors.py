"""Which nodes a selector fits, for one node and for thousands at once."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calivet.facts.selectors import Selection, Subject, does_select, fits

LABELS = {"rack": "r7", "kubernetes.io/os": "linux", "edge": ""}


@pytest.mark.parametrize(
    ("selector", "fits"),
    [
        ("all()", True),
        ("rack == 'r7'", True),
        ('rack == "r8"', False),
        ("rack != 'r8'", True),
        ("rack == 'r7' && has(edge)", True),
        ("rack == 'r7' && !has(edge)", False),
        ("!has(spine)", True),
        ("has(spine)", False),
        ("rack == 'r8' || has(edge)", True),
        ("rack in {'r8'}", False),
        ("rack not in {'r8', \"r9\"}", True),
        ("!(rack == 'r7') || edge == 'x'", False),
        ("rack starts with 'r'", True),
        ("rack contains '8'", False),
        ("", True),
        ("rack like 'r8'", True),
        ("(rack == 'r8'", True),
    ],
)
def test_what_is_not_understood_is_taken_to_fit(selector, fits):
    assert does_select(selector, LABELS) is fits


@pytest.mark.parametrize(
    ("selector", "answer"),
    [
        ("all()", True),
        ("has(space)", True),
        ("space != 'core'", True),
        ("space in {'core'}", False),
        ("space == 'shop'", None),
        ("app == 'web'", None),
        ("app == 'web' || space != 'core'", True),
        ("app == 'web' && space == 'core'", False),
        ("global()", False),
    ],
)
def test_what_is_not_known_of_a_pod_is_not_made_up(selector, answer):
    some_pod = Subject({"space": None}, is_complete=False, never=frozenset({"core"}))
    assert fits(selector, some_pod) is answer


WORDS = st.sampled_from(["rack", "zone", "edge"])
VALUES = st.sampled_from(["a", "b", ""])
TERMS = st.one_of(
    st.builds("{} == '{}'".format, WORDS, VALUES),
    st.builds("{} != '{}'".format, WORDS, VALUES),
    st.builds("has({})".format, WORDS),
    st.builds("!has({})".format, WORDS),
    st.just("all()"),
)
SELECTORS = st.lists(TERMS, max_size=3).map(" && ".join)
NODES = st.dictionaries(st.sampled_from(["n1", "n2", "n3", "n4"]), st.dictionaries(WORDS, VALUES))


@given(SELECTORS, NODES)
def test_all_nodes_at_once_as_one_by_one(selector, nodes):
    assert list(Selection(nodes).of(selector)) == [name for name in nodes if does_select(selector, nodes[name])]

"""JSON as programs lay it out, decoded at once: the same tree, with the same lines, as read sign by sign."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calivet.readers.objects.flow import parse_flow, parse_laid_out

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(10**20), 10**20)
    | st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=12)
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text("abc./-", min_size=1, max_size=6), inner, max_size=4)
    ),
)
ROOTS = st.dictionaries(st.sampled_from(["kind", "items", "spec", "status"]), VALUES, min_size=1) | st.lists(
    VALUES, min_size=1, max_size=4
)


@given(ROOTS, st.sampled_from([1, 2, 4]))
def test_the_same_tree_as_read_sign_by_sign(value, indent):
    lines = ["before", *json.dumps(value, indent=indent, ensure_ascii=False).split("\n"), "{", "}"]
    found = parse_laid_out(lines, 1)
    assert found
    root, stop = found
    assert (root, stop) == (parse_flow("\n".join(lines[1:stop]), 1)[0], len(lines) - 2)


@given(ROOTS)
def test_all_on_one_line(value):
    line = json.dumps(value, ensure_ascii=False)
    assert parse_laid_out(["before", line], 1) == (parse_flow(line, 1)[0], 2)


@pytest.mark.parametrize(
    "text",
    [
        '{\n  "a": 1',
        '{\n  "a": 1,\n}',
        '{\n  "a": [1, 2],\n  "b": 3\n}',
        '{\n  "a": 1, "b": 2\n}',
        '{\n\n  "a": 1\n}',
        '{\n  "a": 1,\n  "a": 2\n}',
        '{"a": 1} and more',
        '{"a": 1}}',
        "kind: Pod",
        "",
    ],
)
def test_what_is_cut_or_laid_out_otherwise_is_left(text: str) -> None:
    assert parse_laid_out(text.split("\n"), 0) is None


def test_what_was_made_to_do_harm_is_left() -> None:
    deep = "\n".join(["{"] + [f'{" " * depth}"a": {{' for depth in range(200)] + ["}"] * 201)
    assert parse_laid_out(deep.split("\n"), 0) is None

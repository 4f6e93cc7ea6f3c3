"""JSON and bracketed YAML, whole and cut."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from calivet.readers.objects.flow import parse_flow
from calivet.readers.objects.tree import DEEPEST, Branch

SCALARS = st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.text(max_size=12)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(min_size=1, max_size=8), inner, max_size=4),
)


def plain(branch: Branch) -> Any:
    """The branch as the json module would give it."""
    if not branch.children:
        return {"{}": {}, "[]": []}.get(str(branch.value), branch.value)
    if all(isinstance(key, int) for key in branch.children):
        return [plain(child) for child in branch.children.values()]
    return {key: plain(child) for key, child in branch.children.items()}


@given(st.dictionaries(st.text(min_size=1, max_size=8), VALUES, min_size=1, max_size=4))
def test_any_json_object_is_read_as_json_reads_it(value: dict[str, Any]) -> None:
    for text in (
        json.dumps(value),
        json.dumps(value, indent=2),
        json.dumps(value, separators=(",", ":"), ensure_ascii=False),
    ):
        if "\\" not in text and "\u2028" not in text:
            root, end = parse_flow(text, 0)
            assert plain(root) == json.loads(text)
            assert end == len(text)


def test_values_know_their_lines() -> None:
    root, _ = parse_flow('{\n  "a": 1,\n  "b": [\n    "x"\n  ]\n}', 10)
    assert [branch.index for _, branch in root.walk() if not branch.children] == [11, 13]


def test_escapes() -> None:
    root, _ = parse_flow('{"a": "say \\"hi\\"\\n", "b": "\\u4e2d"}', 0)
    assert (root.text("a"), root.text("b")) == ('say "hi"\n', "中")


def test_what_is_cut_off_keeps_its_good_part() -> None:
    root, _ = parse_flow('{"a": {"b": 1, "c": [2, 3', 0)
    assert plain(root) == {"a": {"b": 1, "c": [2, 3]}}


def test_members_whose_object_was_cut_off() -> None:
    root, _ = parse_flow('"status": {\n  "phase": "Running"\n},\n"kind": "Pod"', 0)
    assert plain(root) == {"status": {"phase": "Running"}, "kind": "Pod"}


def test_words_without_quotes() -> None:
    root, _ = parse_flow("{image: hub.example:5000/plum:v1, ports: [80, 443], on: true}", 0)
    assert plain(root) == {"image": "hub.example:5000/plum:v1", "ports": [80, 443], "on": True}


def test_an_elision_is_no_value() -> None:
    root, _ = parse_flow('{\n "a": 1,\n ...\n "b": 2\n}', 0)
    assert plain(root) == {"a": 1, "b": 2}


def test_a_tower_of_brackets_is_cut_down() -> None:
    root, end = parse_flow("[" * 5000 + "]" * 5000, 0)
    assert end == 10_000
    assert max(len(path) for path, _ in root.walk()) < DEEPEST


@given(st.text(alphabet=st.sampled_from("{}[]\"':, \n\\ab1."), max_size=80))
def test_any_text_is_survived(text: str) -> None:
    parse_flow(text, 0)

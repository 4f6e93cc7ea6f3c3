"""YAML read by its indentation, against a true parser where the text is sound, and on its own where it is not."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from calivet.readers.objects.tree import DEEPEST, Branch
from calivet.readers.objects.yaml_lines import parse_yaml

KEYS = st.from_regex(r"[a-z][a-zA-Z0-9./-]{0,10}", fullmatch=True)
TEXTS = st.text(alphabet=st.sampled_from("abcXYZ019 :#'\"-{}[]&*!|>%@,.?/=中"), max_size=24)
# The tree keeps an empty list and the text "[]" alike.
VALUES = st.recursive(
    st.booleans() | st.integers(-(10**6), 10**6) | TEXTS.filter(lambda text: text not in ("[]", "{}")),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=12,
)


def plain(branch: Branch) -> Any:
    if not branch.children:
        return {"{}": {}, "[]": []}.get(str(branch.value), branch.value)
    if all(isinstance(key, int) for key in branch.children):
        return [plain(child) for child in branch.children.values()]
    return {key: plain(child) for key, child in branch.children.items()}


def parsed(text: str) -> Any:
    (root,) = parse_yaml(text.split("\n"), 0).roots
    return plain(root)


@given(st.dictionaries(KEYS, VALUES, min_size=1, max_size=4))
def test_what_a_printer_of_yaml_prints(value: dict[str, Any]) -> None:
    text = yaml.safe_dump(value, default_flow_style=False, allow_unicode=True, width=10_000)
    assert parsed(text) == yaml.safe_load(text)


@pytest.mark.parametrize(
    "text",
    [
        "spec:\n  ports:\n  - port: 80\n    name: a\n  - port: 81\n",
        "spec:\n    ports:\n        - port: 80\n        -   port: 81\n            name: b\n",
        "kind: A # so it is\nlist: [a, 'b c', \"d\"]\nempty: {}\nnone: []\nmap: {a: 1, b: [x]}\n",
        "a:\n  - - 1\n    - 2\n  - - 3\n",
        "message: 'it''s\n  broken'\nnext: plain text\n  goes on\nlast: \"two\n  lines\"\n",
        'data:\n  conf: |\n    {\n      "a": 1\n    }\n\n    end\n  other: >-\n    x\n',
        "a: !!str 5\nb: &here x\n",
        "multi: [\n  1,\n  2\n]\nnext: 3\n",
        "\"quoted key\": 1\n'k': 2\n",
    ],
)
def test_what_people_write(text: str) -> None:
    assert parsed(text) == yaml.safe_load(text)


def test_values_know_their_lines() -> None:
    (root,) = parse_yaml(["spec:", "  a: 1", "  b:", "  - x", "  - y"], 0).roots
    assert [branch.index for _, branch in root.walk() if not branch.children] == [1, 3, 4]


def test_several_documents_with_and_without_marks() -> None:
    found = parse_yaml("kind: A\nmetadata:\n  name: a\n---\nkind: B\nkind: C".split("\n"), 0)
    assert [root.text("kind") for root in found.roots] == ["A", "B", "C"]


def test_elided_lines_are_stepped_over() -> None:
    assert parsed("spec:\n  a: 1\n...\n  b: 2\n  ...\n  c: 3") == {"spec": {"a": 1, "b": 2, "c": 3}}


def test_a_fragment_begins_where_it_begins() -> None:
    text = "          value: autodetect\n        - name: IP\n          value: eth1"
    assert parsed(text) == {"value": "autodetect", 1: {"name": "IP", "value": "eth1"}}


@pytest.mark.parametrize(
    "line",
    [
        "[root@fig ~]# kubectl get pods",
        "Events:  <none>",
        "bird: device1: Initializing",
        "NAME   READY",
        "total 16",
        "```",
        "也可以",
    ],
)
def test_it_ends_where_something_else_begins(line: str) -> None:
    found = parse_yaml(["kind: A", "spec:", "  a: 1", line], 0)
    assert found.stop == 3


def test_bullets_of_prose_are_no_items() -> None:
    assert parse_yaml(["kind: A", "spec: {}", "", "- so I tried this", "- and that"], 0).stop == 2


def test_an_open_quote_swallows_nothing() -> None:
    assert parsed("a: 'open\nb: 2") == {"a": "open", "b": 2}
    assert parsed("a: [1, 2\nb: 2") == {"a": [1, 2], "b": 2}


def test_tags_that_build_objects_are_refused_and_the_rest_kept() -> None:
    found = parse_yaml(["a: 1", "b: !!python/object/apply:os.system [ls]", "c: !Ref x", "d: 4"], 0)
    assert found.unread == {1, 2}
    assert plain(found.roots[0]) == {"a": 1, "b": None, "c": None, "d": 4}


def test_aliases_are_never_followed() -> None:
    bomb = ["a: &a [x, x]", *(f"b{n}: &b{n} [*a, *a, *a]" for n in range(50))]
    (root,) = parse_yaml(bomb, 0).roots
    assert sum(1 for _ in root.walk()) < 500


def test_a_tower_of_keys_is_cut_down() -> None:
    found = parse_yaml([" " * n + "k:" for n in range(500)], 0)
    assert max(len(path) for path, _ in found.roots[0].walk()) < DEEPEST
    assert found.unread


@given(st.text(alphabet=st.sampled_from("ab: -\n\t'\"|>&*![]{}#.中1"), max_size=100))
def test_any_text_is_survived(text: str) -> None:
    parse_yaml(text.split("\n"), 0)


@pytest.mark.parametrize("indent", ["", "  "])
def test_who_wrote_which_field_is_left_out(indent: str) -> None:
    text = f"""
metadata:
  managedFields:
  {indent}- manager: kubelet
  {indent}  fieldsV1:
  {indent}    f:status: {{}}

  {indent}- manager: kubectl
  name: plum
spec:
  nodeName: elm
"""
    (root,) = parse_yaml(text.strip("\n").split("\n"), 0).roots
    assert (root.text("metadata", "name"), root.text("spec", "nodeName")) == ("plum", "elm")
    managed = root.at("metadata", "managedFields")
    assert managed
    assert managed.children == {}

"""YAML from anybody: plain values, or one error with its line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calivet.evidence.safe_yaml import DEEPEST, YamlError, load_yaml
from tests.fuzz.dirt import dirt


def test_values_are_plain_and_on_demand_as_written() -> None:
    assert load_yaml(b"a: 012\nb: [yes, 2024-01-01x]\n") == {"a": 10, "b": [True, "2024-01-01x"]}
    assert load_yaml(b"a: 012\nb: [yes, null]\n", as_written=True) == {"a": "012", "b": ["yes", "null"]}


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (b"a: 1\nb: [\n", 3),
        (b"a: !!python/object/apply:os.system [id]\n", 1),
        (b"a: 1\nb: *nobody\n", 2),
        (b"when: 2024-02-31\n", None),
        (b"when: !!timestamp soon\n", None),
        (b"sure: !!bool perhaps\n", None),
        (b"\0", None),
        (b"ok: 1\n" + b"- " * 100_000, 2),
        (b"[" * 100_000, 1),
        (b"{a: " * (DEEPEST + 1) + b"1" + b"}" * (DEEPEST + 1), 1),
    ],
)
def test_what_cannot_be_read_is_told_in_one_line(text: bytes, line: int | None) -> None:
    with pytest.raises(YamlError) as refused:
        load_yaml(text)
    assert refused.value.line == line
    assert "\n" not in refused.value.problem


@given(dirt(), st.booleans())
def test_nothing_else_is_ever_raised(data: bytes, as_written: bool) -> None:
    try:
        load_yaml(data, as_written=as_written)
    except YamlError as error:
        assert error.problem  # noqa: PT017 - most dirt is YAML too

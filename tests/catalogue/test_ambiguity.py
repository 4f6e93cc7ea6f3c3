"""Patterns on which `re` may never end are told from those that only look like it."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as some

from calivet.catalogue.load import read_shipped_files
from calivet.catalogue.parsing import parse_content
from calivet.catalogue.patterns import is_explosive, list_patterns

PIECES = some.recursive(
    some.sampled_from(["a", "b", "[ab]", r"\w", "."]),
    lambda inner: (
        some.tuples(inner, inner).map("".join)
        | some.tuples(inner, inner).map(lambda both: f"(?:{both[0]}|{both[1]})")
        | some.tuples(inner, some.sampled_from("*+?")).map(lambda both: f"(?:{both[0]}){both[1]}")
    ),
    max_leaves=5,
)


@pytest.mark.parametrize(
    "pattern",
    [
        r"(a+)+$",
        r"(?:a*)*b",
        r"(\w+\s?)*:",
        r"(?:\s*\S+)+$",
        r"(.*foo)+x",
        r"(?:a|ab|b)+c",
        r"(?:b|b)*c",
        r"(?:(?:a?)?b)*c",
        r"(?:\d+|\w)+!",
        r"(?:[a-z]+|[A-Z]+)*!",  # cases are one for the scanner
        r"(?:节+点?)+!",
        r"(a{1,30}){1,30}b",
        r"x(?:(?:y|z+)+ )+?w",
        r"^(?:(?:[a-z0-9])+.)+[A-Z](?:[a-z])+$",
        r"(?=(a+)+$)x",
        r"(?:" + "|".join(f"{number:03}.*" for number in range(200)) + r")*!",
    ],
)
def test_explosive(pattern: str) -> None:
    assert is_explosive(pattern)


@pytest.mark.parametrize(
    "pattern",
    [
        r"plain words",
        r"a.*b.*c",
        r"(?:\d+\.)+\d+",
        r"\d{1,3}(?:\.\d{1,3}){3}",
        r"(?:[0-9a-f]{2}:){5}[0-9a-f]{2}",
        r"(?:[^,]*,)*end",
        r"(?:\S+\s+)*\S+",
        r"(?:\w+ )+",
        r"(?:节点 )+",
        r'"(?:[^"\\]|\\.)*"',
        r"(?:foo|bar|baz)+",
        r"(?:ab|ac)+",
        r"(?:/[^/ ]+)+",
        r"(?:a|b)*abb",
        r"(?:a|a)b",
        r"(?P<name>\S+) not found",
        r"(?:" + "|".join(f"{number:03}" for number in range(400)) + r")*",
    ],
)
def test_harmless(pattern: str) -> None:
    assert not is_explosive(pattern)


def test_no_shipped_pattern_is_refused() -> None:
    shipped = [
        pattern for content in read_shipped_files().values() for pattern in list_patterns(parse_content(content))
    ]
    assert not [pattern.text for pattern in shipped if is_explosive(pattern.text)]


@given(PIECES, some.sampled_from(["a" * 24, "ab" * 12, "aab" * 8, "abb" * 8, "b" * 24]))
def test_what_is_called_harmless_ends(pattern: str, text: str) -> None:
    # One that is not would keep this test for minutes.
    if not is_explosive(pattern):
        assert not re.match(f"(?:{pattern})!", text)


@given(PIECES)
def test_twice_in_a_loop_is_always_explosive(pattern: str) -> None:
    assert is_explosive(f"(?:(?:{pattern})+)+") or not re.match(pattern, "")
    assert is_explosive(f"(?:{pattern}|{pattern})+")

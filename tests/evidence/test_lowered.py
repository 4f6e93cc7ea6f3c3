"""A pattern in lower case finds in lower case what the pattern finds."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calivet.catalogue.load import load_catalogue, shipped_files
from calivet.evidence.lowered import lowered
from calivet.signs.patterns import observations

OBSERVATIONS = [item for item in observations(load_catalogue(shipped_files())) if item.what.pattern]
PATTERNS = [str(item.what.pattern) for item in OBSERVATIONS]
LINES = [line for item in OBSERVATIONS for line in (*item.what.fires, *item.what.silent) if line.isascii()]
QUICK = [
    (re.compile(pattern, re.IGNORECASE), re.compile(low))
    for pattern in PATTERNS
    if (low := lowered(pattern)) is not None
]


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        (r"BGP \S+ [A-Z]\w", r"bgp \S+ [a-z]\w"),
        (r"(?P<Name>X)\W(?P=Name)", r"(?P<Name>x)\W(?P=Name)"),
        (r"\\N", None),
        (r"[A-z]", None),
        (r"\x4B", None),
        (r"(?i:K)", None),
        ("é", None),
    ],
)
def test_only_letters_that_stand_for_themselves(pattern, expected):
    assert lowered(pattern) == expected


def test_nearly_all_of_the_catalogue():
    ascii_patterns = [pattern for pattern in PATTERNS if pattern.isascii()]
    assert sum(lowered(pattern) is not None for pattern in ascii_patterns) > 0.95 * len(ascii_patterns)


@given(st.sampled_from(LINES), st.sampled_from(QUICK), st.booleans())
def test_finds_the_same_in_any_line(line, both, in_capitals):
    line = line.upper() if in_capitals else line
    pattern, low = both
    assert (pattern.search(line) is None) == (low.search(line.lower()) is None)


def test_finds_the_same_in_all_lines_of_the_catalogue():
    for line in LINES[::3]:
        low_line = line.lower()
        for pattern, low in QUICK:
            assert (pattern.search(line) is None) == (low.search(low_line) is None), (pattern.pattern, line)

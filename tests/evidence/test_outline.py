"""What is known of one line holds for all lines of the same outline."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calivet.catalogue.load import load_catalogue, shipped_files
from calivet.evidence.alternatives import alternatives
from calivet.evidence.outline import outline, tells_digits_apart
from calivet.evidence.scanner import Hit, Scanner
from calivet.signs.patterns import observations

OBSERVATIONS = [item for item in observations(load_catalogue(shipped_files())) if item.what.pattern]
STEADY = [
    re.compile(alternative, re.IGNORECASE)
    for item in OBSERVATIONS
    for alternative in alternatives(str(item.what.pattern))
    if not tells_digits_apart(alternative)
]
PLAIN = [re.compile(str(item.what.pattern), re.IGNORECASE) for item in OBSERVATIONS]
LINES = [line for item in OBSERVATIONS for line in (*item.what.fires, *item.what.silent)]


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        (r"frobnicator \d{2,9} (?P<v4>gone)", False),
        (r"[0-9a-f]+[^0-9]*[!-~]\w", False),
        (r"IPv4", True),
        (r"[1-9]\d*", True),
        (r"[^7]", True),
        (r"x{2}[^\d.]|y(?:z|z0)+", True),
    ],
)
def test_digits_that_a_pattern_asks_for(pattern, expected):
    assert tells_digits_apart(pattern) is expected


def test_most_of_the_catalogue_does_not_ask_for_digits():
    assert len(STEADY) > 2 * sum(
        tells_digits_apart(one) for item in OBSERVATIONS for one in alternatives(str(item.what.pattern))
    )


@given(st.sampled_from(LINES), st.randoms(use_true_random=False))
def test_such_a_pattern_is_in_all_lines_of_one_outline_or_in_none(line, random):
    other = re.sub("[0-9]", lambda _: str(random.randrange(10)), line)
    assert outline(other.encode()) == outline(line.encode())
    assert [one.search(other) is None for one in STEADY] == [one.search(line) is None for one in STEADY]


@pytest.fixture(scope="module")
def scanner():
    return Scanner.build([str(item.what.pattern) for item in OBSERVATIONS])


@given(st.lists(st.sampled_from(LINES), min_size=1, max_size=4), st.randoms(use_true_random=False))
def test_memory_changes_nothing(scanner, lines, random):
    """Each line comes again with other digits, and in another case, to a scanner that remembers all before it."""
    every = [re.sub("[0-9]", lambda _: str(random.randrange(10)), line) for line in lines * 3] + [
        line.swapcase() for line in lines if line.isascii()
    ]
    expected = {Hit(n, i) for i, line in enumerate(every) for n, one in enumerate(PLAIN) if one.search(line)}
    assert set(scanner.scan(every)) == expected


def test_digits_decide_also_where_the_line_is_known():
    scanner = Scanner.build(["frobnicator v2", "frobnicator v[13]|gizmo 4711|wobbler 0x0"])
    versions, gizmos = range(20), range(4700, 4720)
    lines = [f"Frobnicator v{number % 5}" for number in versions] + [f"GIZMO {number}" for number in gizmos]
    assert scanner.scan([*lines, "wobbler 3x3", "wobbler 0x0"]) == [
        *(Hit(0 if number % 5 == 2 else 1, number) for number in versions if number % 5 in (1, 2, 3)),
        Hit(1, 31),
        Hit(1, 41),
    ]


def test_what_is_remembered_is_bounded(monkeypatch):
    monkeypatch.setattr("calivet.evidence.memory.MOST", 10)
    scanner = Scanner.build(["frobnicator"])
    lines = ["frobnicator " + "abcdefghij"[number % 10] * (1 + number % 7) for number in range(200)]
    assert len(scanner.scan([*lines, "frobnicator" + "x" * 5000])) == 201
    assert len(scanner._memory) <= 10
    assert max(map(len, scanner._memory)) < 100


def test_a_case_that_matters_is_not_forgotten():
    scanner = Scanner.build(["Frobnicator"], caseless=False)
    assert scanner.scan(["frobnicator", "Frobnicator", "FROBNICATOR", "Frobnicator"]) == [Hit(0, 1), Hit(0, 3)]

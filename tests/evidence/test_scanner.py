"""The fast matcher against the plain one."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calivet.catalogue.load import load_catalogue, shipped_files
from calivet.evidence.scanner import Hit, PatternError, Scanner
from calivet.signs.patterns import observations

PATTERNS = [str(item.what.pattern) for item in observations(load_catalogue(shipped_files())) if item.what.pattern]
FIRING = [line for item in observations(load_catalogue(shipped_files())) for line in item.what.fires]


@pytest.fixture(scope="module")
def scanner():
    return Scanner.build(PATTERNS)


def plainly(lines):
    expressions = [re.compile(pattern, re.IGNORECASE) for pattern in PATTERNS]
    return {Hit(n, i) for i, line in enumerate(lines) for n, e in enumerate(expressions) if e.search(line)}


def test_agrees_with_re_on_all_firing_lines(scanner):
    assert set(scanner.scan(FIRING)) >= plainly(FIRING)


@given(st.lists(st.sampled_from(FIRING) | st.text(st.characters(exclude_characters="\n\r"), max_size=40), max_size=12))
def test_misses_nothing_in_mixed_text(lines):
    assert set(Scanner.build(["swap on is not", "负载.{0,4}高", "^x$"]).scan(lines)) >= {
        Hit(0, i) for i, line in enumerate(lines) if re.search("swap on is not", line, re.IGNORECASE)
    }


def test_a_saved_scanner_finds_the_same(scanner):
    assert Scanner.restore(scanner.save()).scan(FIRING) == scanner.scan(FIRING)


def test_names_the_pattern_it_cannot_take():
    with pytest.raises(PatternError) as caught:
        Scanner.build(["fine", "(?=look)ahead"])
    assert caught.value.number == 1


def test_line_numbers_count_from_the_first_line():
    assert Scanner.build(["b+"]).scan(["a", "", "bbb", "xb"]) == [Hit(0, 2), Hit(0, 3)]

"""The fast matcher against the plain one."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calivet.catalogue.load import load_catalogue, shipped_files
from calivet.evidence.automaton import Automaton
from calivet.evidence.scanner import Hit, Scanner
from calivet.evidence.sought import Dull, PatternError
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


def test_a_saved_automaton_finds_the_same():
    built = Automaton.build(["frobnicator \\d+", "\\d+ wobblers"], Dull(), caseless=True)
    text = b"a Frobnicator 7\nand 3 wobblers\n"
    assert Automaton(built.saved).places(text) == built.places(text)
    assert {
        claim.alternative[0]
        for _, number in built.places(text)
        for one in built.sought[number].announced
        for claim in one.claims
    } == {0, 1}


def test_what_announces_nothing_on_every_line_is_soon_not_looked_for(monkeypatch):
    """Neither a word that stands everywhere nor a part that it shares with others changes what is found."""
    monkeypatch.setattr("calivet.evidence.scanner.PATIENCE", 50)
    monkeypatch.setattr("calivet.evidence.scanner.LONG", 0)
    scanner = Scanner.build(["frobnicator (?:gone|lost)", "frobnicatable", "wobbler \\d+x"])
    dull = b"frobnicator is fine\nfrobnication\nthe wobbler 7\n" * 100
    text = dull + b"Frobnicator lost\nfrobnicatable\nwobbler 12x\n"
    before = list(scanner.find(text))
    assert len(scanner._automaton.places(dull)) < 10
    assert list(scanner.find(text)) == before
    assert [pattern for pattern, _, _ in before] == [0, 1, 2]


def test_a_pattern_of_common_words_is_looked_for_where_all_of_them_are():
    automaton = Automaton.build(["kubelet.{0,9}error", "frobnicator"], Dull(), caseless=True)
    assert automaton.places(b"kubelet runs\nno such thing\n") == []
    assert not automaton._restored
    assert len(automaton.places(b"an ERROR\nKubelet: error 7\nfrobnicator\n")) == 2
    assert automaton._restored


def test_of_a_long_line_only_what_is_near_is_decided_on():
    scanner = Scanner.build(["frobnicator.{0,40}gone", "wobbler"])
    line = "x" * 200_000 + " frobnicator is gone " + "y" * 200_000 + " wobbler " + "frobnicator gone"
    assert scanner.scan([line]) == [Hit(0, 0), Hit(1, 0)]


def test_names_the_pattern_it_cannot_take():
    with pytest.raises(PatternError) as caught:
        Scanner.build(["fine", "(?=look)ahead"])
    assert caught.value.number == 1


def test_line_numbers_count_from_the_first_line():
    assert Scanner.build(["b+"]).scan(["a", "", "bbb", "xb"]) == [Hit(0, 2), Hit(0, 3)]

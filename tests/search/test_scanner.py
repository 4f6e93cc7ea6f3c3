"""The fast matcher against the plain one."""

import pickle
import re
from concurrent.futures import ThreadPoolExecutor

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from calivet.search import scanner as scanning
from calivet.search.automaton import Compiled, PatternError, compile_patterns
from calivet.search.scanner import Hit, Scanner
from calivet.signs.sighting import list_observations
from tests.shipped import load_shipped_catalogue

ITEMS = [item for item in list_observations(load_shipped_catalogue()) if item.what.pattern]
PATTERNS = [str(item.what.pattern) for item in ITEMS]
LINES = [line for item in ITEMS for line in (*item.what.fires, *item.what.silent)]


@pytest.fixture(scope="module")
def scanner():
    return Scanner.build(PATTERNS)


@pytest.fixture(scope="module")
def expected():
    return find_plainly(PATTERNS, LINES)


def find_plainly(patterns, lines):
    """Only ASCII: to Hyperscan a word is of English letters."""
    plain = [re.compile(pattern, re.IGNORECASE) for pattern in patterns]
    seen = [(i, line) for i, line in enumerate(lines) if line.isascii()]
    return {Hit(n, i) for n, one in enumerate(plain) for i, line in seen if one.search(line)}


def in_ascii(hits, lines):
    return {hit for hit in hits if lines[hit.line].isascii()}


@pytest.mark.parametrize("early", [0, 1 << 30], ids=["remembered", "plain"])
def test_agrees_with_re_on_all_lines_of_the_catalogue(scanner, expected, early, monkeypatch):
    monkeypatch.setattr(scanning, "EARLY", early)
    assert in_ascii(scanner.scan(LINES), LINES) == expected
    assert {hit.line for hit in scanner.scan(LINES)} >= {
        at for at, line in enumerate(LINES) if any(line in item.what.fires for item in ITEMS)
    }


@given(st.lists(st.sampled_from(LINES) | st.text(st.characters(exclude_characters="\n\r"), max_size=40), max_size=12))
def test_misses_nothing_in_mixed_text(lines):
    assert set(Scanner.build(["swap on is not", "负载.{0,4}高", "^x$"]).scan(lines)) >= {
        Hit(0, i) for i, line in enumerate(lines) if re.search("swap on is not", line, re.IGNORECASE)
    }


def test_it_finds_the_same_from_the_cache_and_in_another_process(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    patterns, lines = ["frobnicator \\d+", "\\d+ wobblers"], ["a Frobnicator 7", "and 3 wobblers"]
    made, kept = (Scanner.load_or_compile("some", patterns) for _ in range(2))
    assert [path.name.partition("-")[0] for path in (tmp_path / "calivet").iterdir()] == ["some"]
    sent = pickle.loads(pickle.dumps(kept))
    assert made.scan(lines) == kept.scan(lines) == sent.scan(lines) == [Hit(0, 0), Hit(1, 1)]


def test_what_was_compiled_for_another_processor_is_compiled_anew(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    patterns, lines = ["frobnicator \\d+", "\\d+ wobblers"], ["a Frobnicator 7", "and 3 wobblers"]
    restore, (_, encoded, *how) = Scanner.load_or_compile("some", patterns).__reduce__()
    compiled = msgspec.msgpack.decode(encoded, type=Compiled)
    foreign = bytearray(compiled.database)
    foreign[12] ^= 1  # behind its mark, version and length a database says what processor it is for
    sent = msgspec.msgpack.encode(replace(compiled, database=bytes(foreign)))
    assert restore(patterns, sent, *how).scan(lines) == [Hit(0, 0), Hit(1, 1)]


def test_threads_may_share_it(scanner):
    expected = scanner.scan(LINES)
    with ThreadPoolExecutor(4) as pool:
        assert all(found == expected for found in pool.map(scanner.scan, [LINES] * 8))


def test_a_pattern_of_common_words_is_looked_for_itself():
    compiled = compile_patterns(["kubelet.{0,9}error", "frobnicator"], caseless=True)
    assert [one.words for one in compiled.alternatives] == [[], [[b"frobnicator"]]]
    scanner = Scanner(["kubelet.{0,9}error", "frobnicator"], compiled)
    assert scanner._automaton.find_places(b"kubelet runs\nno such thing\n") == []
    assert scanner.scan(["an ERROR", "Kubelet: error 7", "frobnicator"]) == [Hit(0, 1), Hit(1, 2)]


def test_a_word_inside_another_is_looked_for_in_place_of_both():
    patterns = ["frobnicator gone", "frobnicator", "the frobnicator burns"]
    scanner = Scanner.build(patterns)
    text = b"the frobnicator burns\nfrobnicator gone\nthe frobnicator"
    places = scanner._automaton.find_places(text)
    assert len(places) == text.count(b"frobnicator")
    assert in_order(scanner.scan(text.decode().split("\n"))) == [(1, 0), (2, 0), (0, 1), (1, 1), (1, 2)]


def in_order(hits):
    return sorted(((hit.pattern, hit.line) for hit in hits), key=lambda hit: (hit[1], hit[0]))


def test_of_a_long_line_only_what_is_near_is_decided_on():
    scanner = Scanner.build(["frobnicator.{0,40}gone", "wobbler"])
    line = "x" * 200_000 + " frobnicator is gone " + "y" * 200_000 + " wobbler " + "frobnicator gone"
    assert scanner.scan([line]) == [Hit(0, 0), Hit(1, 0)]


def test_names_the_pattern_it_cannot_take():
    with pytest.raises(PatternError) as caught:
        Scanner.build(["fine", "(?=look)ahead"])
    assert caught.value.number == 1


def test_nothing_to_look_for_is_found_nowhere():
    assert Scanner.build([]).scan(["a", "b"]) == []


def test_line_numbers_count_from_the_first_line():
    assert Scanner.build(["b+"]).scan(["a", "", "bbb", "xb"]) == [Hit(0, 2), Hit(0, 3)]

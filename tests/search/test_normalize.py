"""What is known of one line holds for all lines of the same normal form."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calivet.search import scanner as scanning
from calivet.search.normalize import fit_pattern, normalize_digits, normalize_identifiers, simplify
from calivet.search.scanner import Hit, Scanner
from calivet.signs.sighting import list_observations
from tests.shipped import load_shipped_catalogue

OBSERVATIONS = [item for item in list_observations(load_shipped_catalogue()) if item.what.pattern]
PATTERNS = [str(item.what.pattern) for item in OBSERVATIONS]
LINES = [line for item in OBSERVATIONS for line in (*item.what.fires, *item.what.silent) if line.isascii()]
HEX = "0123456789abcdef"
CONSONANTS = "bcdfghjklmnpqrstvwxz2456789"


@pytest.fixture(autouse=True)
def remembers_at_once(monkeypatch):
    monkeypatch.setattr(scanning, "EARLY", 0)


def normal(line: str, *, caseless: bool = True) -> str:
    return normalize_identifiers(normalize_digits(line.encode(), caseless=caseless)).decode("latin-1")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("took 12ms at 07:08:09", "took 95ms at 23:59:00"),
        ('sandbox "0a1b2c3d4e5f60718293"', 'sandbox "ffe1000bbcd12a0cafe5"'),
        ("uid=0a1b2c3d-1a2b-4c3d-9e8f-aabbccddeeff", "uid=ffffffff-0000-4abc-8def-0123456789ab"),
        ("Interface:cali0a1b2c3d4e5", "Interface:califfffeeee999"),
        ("pod shop/cart-7d9f8b6c5d-x2k4z ", "pod shop/cart-bcdf24567z-qqqqq "),
        ("mac=ee:ee:0a:1b:2c:3d", "mac=0a:ff:ff:00:12:ab"),
        ("to [::1], from (fd00:10:244::1a2b)", "to [::7], from (fe80:ab:cde::ffff)"),
        ("Failed AGAIN", "failed again"),
    ],
)
def test_what_has_one_normal_form(one, other):
    assert normal(one) == normal(other)
    assert len(normal(one)) == len(one)


@pytest.mark.parametrize(
    ("one", "other"),
    [("bad peer", "fed peer"), ("took 1ms", "took 10ms"), ('"failed"', '"added!"'), ("id=0a1b2c3d", "id=0a1b2c3d4")],
)
def test_what_has_not(one, other):
    assert normal(one) != normal(other)


def test_a_time_and_a_date_stay_numbers():
    assert normal('"2024-05-06T07:08:09.123456789Z"') == '"ºººº-ºº-ººtºº:ºº:ºº.ºººººººººz"'


def test_where_case_matters_it_stays():
    assert normal("Failed 7", caseless=False) == "Failed º"


@pytest.mark.parametrize(
    ("pattern", "line", "may", "must"),
    [
        (r"frobnicator \d{2,9} gone", "frobnicator 4711 gone", True, True),
        (r"frobnicator \d{2} gone", "frobnicator 4711 gone", False, False),
        (r"IPv4 on", "IPv4 on", True, False),
        (r"[1-9]\d* left", "20 left", True, False),
        (r"[^0-9] left", "20 left", False, False),
        (r"\D left", "20 left", False, False),
        (r"id=\w+ lost", "id=0a1b2c3d4e lost", True, True),
        (r"id=[0-9a-z]{10} lost", "id=0a1b2c3d4e lost", True, True),
        (r"id=[a-f]+ lost", "id=0a1b2c3d4e lost", True, False),
        (r"id=\d+ lost", "id=0a1b2c3d4e lost", True, False),
        (r"id=\W+", "id=0a1b2c3d4e lost", False, False),
        (r"[^A-Z0-9] lost", "id=0a1b2c3d4e lost", False, False),
        (r"(?P<Name>BAD) PEER\b", "Bad peer", True, True),
        (r"x{2}[^\d.]|y(?:z|z0)+", "yz0", True, True),
    ],
)
def test_a_pattern_may_be_in_lines_of_a_form_or_must_be(pattern, line, may, must):
    found = [
        re.search(str(fit_pattern(pattern, caseless=True, surely=surely)), normal(line)) for surely in (False, True)
    ]
    assert [one is not None for one in found] == [may, must]


@pytest.mark.parametrize("pattern", [r"\x41", r"(?i:a)", r"(?s)a.b", r"\101", r"(?>a)"])
def test_where_the_text_of_a_pattern_does_not_tell(pattern):
    assert fit_pattern(pattern, caseless=True, surely=True) is None


def test_nearly_all_of_the_catalogue_can_be_told():
    assert sum(fit_pattern(one, caseless=True, surely=True) is None for one in PATTERNS) < len(PATTERNS) / 50


def vary(line: str, random) -> str:
    """The same with other digits, ids, UUIDs, addresses and names, now and then in capitals."""

    def draw(letters):
        return lambda found: "".join(one if one in ":-" else random.choice(letters) for one in found[0])

    line = re.sub(r"\b[0-9a-f]{8,}(?:(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})?", draw(HEX), line)
    line = re.sub(r"(?<=cali)[0-9a-f]{4,}", draw(HEX), line)
    line = re.sub(r"\b[0-9a-f]{1,4}(?::[0-9a-f]{0,4}){3,}", draw(HEX), line)
    line = re.sub(rf"(?<=-)[{CONSONANTS}]{{5,10}}\b", draw(CONSONANTS), line)
    line = re.sub(r"[0-9]", lambda _: str(random.randrange(10)), line)
    return line.swapcase() if random.randrange(4) == 0 else line


@given(st.sampled_from(LINES), st.sampled_from(PATTERNS), st.randoms(use_true_random=False))
def test_what_the_variants_say_holds_for_every_line_of_the_form(line, pattern, random):
    other = vary(line, random)
    may, must = (fit_pattern(pattern, caseless=True, surely=surely) for surely in (False, True))
    is_in = re.search(pattern, other, re.IGNORECASE) is not None
    assert may is None or is_in <= (re.search(may, normal(other)) is not None)
    assert must is None or is_in >= (re.search(must, normal(other)) is not None)


@pytest.fixture(scope="module")
def scanner():
    return Scanner.build(PATTERNS)


PLAIN = [re.compile(pattern, re.IGNORECASE) for pattern in PATTERNS]
ID = "".join(HEX * 4)
HEADS = [
    "",
    'time="2024-05-06T07:08:09.123456789Z" level=error id=0a1b2c3d4e5f ',
    "cali0a1b2c3d4e5: fe80:0:ab::ecee ee:ee:0a:1b:2c:3d ",
    f'shop/cart-7d9f8b6c5d-x2k4z (0a1b2c3d-1a2b-4c3d-9e8f-aabbccddeeff) "{ID}": ',
    "dead-bad-face-cafe-add-fed0fed0 ",
]


@given(
    st.lists(st.tuples(st.sampled_from(HEADS), st.sampled_from(LINES)), min_size=1, max_size=3),
    st.randoms(use_true_random=False),
)
def test_memory_changes_nothing(scanner, lines, random):
    """Each line comes again with all that may change in it, to a scanner that remembers all before it."""
    every = [vary(head + line, random) for head, line in lines * 3]
    expected = {Hit(n, i) for i, line in enumerate(every) for n, one in enumerate(PLAIN) if one.search(line)}
    assert set(scanner.scan(every)) == expected


MADE_UP = [
    "frobnicator [0-9a-f]+ bad",
    "[a-f]+ frobnicator",
    "frobnicator.{0,9}add",
    "frobnicator \\d+$",
    "dead-?frobni",
]


@given(st.lists(st.text("abcdef0189 :-", max_size=14), min_size=1, max_size=9), st.booleans())
def test_words_that_look_like_identifiers_are_told_from_them(texts, caseless):
    lines = [f"{text}frobnicator {text} bad add" for text in texts] * 2
    plain = [re.compile(pattern, re.IGNORECASE if caseless else 0) for pattern in MADE_UP]
    expected = {Hit(n, i) for i, line in enumerate(lines) for n, one in enumerate(plain) if one.search(line)}
    assert set(Scanner.build(MADE_UP, caseless=caseless).scan(lines)) == expected


def test_digits_decide_also_where_the_line_is_known():
    scanner = Scanner.build(["frobnicator v2", "frobnicator v[13]|gizmo 4711|wobbler 0x0"])
    versions, gizmos = range(20), range(4700, 4720)
    lines = [f"Frobnicator v{number % 5}" for number in versions] + [f"GIZMO {number}" for number in gizmos]
    assert scanner.scan([*lines, "wobbler 3x3", "wobbler 0x0"]) == [
        *(Hit(0 if number % 5 == 2 else 1, number) for number in versions if number % 5 in (1, 2, 3)),
        Hit(1, 31),
        Hit(1, 41),
    ]


def test_lines_that_differ_in_identifiers_are_learnt_once():
    scanner = Scanner.build(["frobnicator gone"])
    lines = [f'frobnicator gone id="{number * 0x9E3779B97F4A7C15 % 2**64:016x}"' for number in range(1, 300)]
    assert len(scanner.scan(lines)) == len(lines)
    assert len(scanner._memory) <= 2  # a few have no letter in them, and are numbers


def test_what_is_remembered_is_bounded(monkeypatch):
    monkeypatch.setattr(scanning, "MOST_REMEMBERED", 10)
    scanner = Scanner.build(["frobnicator"])
    lines = ["frobnicator " + "aouaouaoua"[number % 10] * (1 + number % 7) for number in range(200)]
    assert len(scanner.scan([*lines, "frobnicator" + "x" * 5000])) == 201
    for memory in (scanner._memory, scanner._recent):
        assert len(memory) <= 10
        assert max(len(form) for form, _ in memory) < 100


def test_a_case_that_matters_is_not_forgotten():
    scanner = Scanner.build(["Frobnicator"], caseless=False)
    assert scanner.scan(["frobnicator", "Frobnicator", "FROBNICATOR", "Frobnicator"]) == [Hit(0, 1), Hit(0, 3)]


def test_simplifying_keeps_places_and_other_signs():
    text = "節點 node-1 的網路異常，calico 無法啟動"
    assert simplify(text) == "节点 node-1 的网路异常，calico 无法启动"
    assert simplify("plain") == "plain"

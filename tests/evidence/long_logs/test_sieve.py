"""A long log keeps what tells something, with its true numbers and counts."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from calivet.evidence.long_logs.sieve import USUAL, Sieve, clean_block
from calivet.search.scanner import Scanner

AROUND, ENDS, FIRST = USUAL.around, USUAL.ends, USUAL.hits
SCANNER = Scanner.build(["frobnicator gone", "wobbler \\d+"])


def sieved(lines, size=1000):
    sieve = Sieve(SCANNER)
    cut = (lines[start : start + size] for start in range(0, len(lines), size))
    list(sieve.pour("".join(f"{line}\n" for line in block).encode() for block in cut))
    return sieve.document("long.log")


def test_every_line_has_its_own_number():
    lines = [f"ordinary {number}" for number in range(1, 5001)]
    lines[2499] = "the frobnicator gone"
    document = sieved(lines)
    kept = dict(zip(document.numbers, document.lines, strict=True))
    assert all(lines[number - 1] == text for number, text in kept.items())
    assert set(range(2500 - AROUND, 2500 + AROUND + 1)) <= kept.keys()
    assert document.numbers == [*range(1, ENDS + 1), *range(2498, 2503), *range(5001 - ENDS, 5001)]
    assert document.counts == {0: 1}


def test_of_many_the_first_and_the_last_are_kept_and_all_are_counted():
    document = sieved(["wobbler 7 in the middle"] * 20_000)
    assert document.counts == {1: 20_000}
    assert len(document.lines) <= 2 * ENDS + 2 * FIRST * (2 * AROUND + 1)
    assert document.numbers[-1] == 20_000


@given(st.lists(st.sampled_from(["ordinary", "frobnicator gone", "wobbler 1", ""]), max_size=80), st.integers(1, 9))
def test_blocks_make_no_difference_to_numbers_and_counts(lines, size):
    document = sieved(lines, size)
    assert [lines[number - 1] for number in document.numbers] == document.lines
    wanted = {0: lines.count("frobnicator gone"), 1: lines.count("wobbler 1")}
    assert document.counts == {number: count for number, count in wanted.items() if count}


def test_bytes_without_leftovers_are_taken_as_they_are():
    block = b"plain text\nand more\n"
    assert clean_block(block) is block


def test_colours_and_old_encodings_are_cleaned():
    assert clean_block(b"\x1b[31mred\x1b[0m line\n") == b"red line"
    assert "网卡".encode() in clean_block("第二块网卡的地址不对，请检查配置文件\n".encode("gb18030"))

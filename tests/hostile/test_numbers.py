"""Numbers that no machine counts to: each costs at most the field it stands in, never the reader or the answer."""

from __future__ import annotations

import re
from functools import cache

import pytest

from calivet.evidence.artifact import Artifact
from calivet.evidence.decoding.decode import to_document
from calivet.evidence.decoding.long_lines import KEPT, cut_long_numbers
from calivet.evidence.gather import gather_documents
from calivet.evidence.sources.budget import ReadingBudget
from calivet.readers.anchors import ANCHORS
from calivet.readers.read import load_reader
from tests.fuzz.dirt import real_texts
from tests.fuzz.targets import examined_of

NUMBERS = {
    "5,000 digits": "9" * 5_000,
    "a million digits": "9" * 1_000_000,
    "249 digits": "9" * 249,
    "30 digits": "9" * 30,
    "zeros": "0" * 5_000,
    "of another script": "٣" * 5_000,
    "an exponent": "1e999",
    "a size": "9" * 5_000 + "Mi",
    "an address": ".".join(["9" * 1_500] * 4),
    "a fraction": "9" * 5_000 + "." + "9" * 5_000,
}
DIGITS = re.compile(r"\d+")
EACH = 4
"""Lines of a text in which one number alone is replaced."""


@cache
def texts_of(module: str) -> list[str]:
    """Real texts in which this reader finds something to read."""
    named = load_reader(module)
    return [text for text in real_texts() if any(map(named.anchor.search, text.splitlines()))]


def read(module: str, text: str) -> None:
    document = to_document("paste.txt", text.encode(), ReadingBudget())
    assert document is not None
    named = load_reader(module)
    if anchors := [index for index, line in enumerate(document.lines) if named.anchor.search(line)]:
        named.read(Artifact("paste.txt", 1, document.lines), anchors)


def variants(text: str, number: str) -> list[str]:
    """With all numbers replaced; then line by line the first, the first two, and all."""
    lines = text.splitlines()
    told = [index for index, line in enumerate(lines) if DIGITS.search(line)]
    found = [DIGITS.sub(number, text)] if len(number) < 500 else []
    for index in told[:: max(1, len(told) // EACH)]:
        for most in (1, 2, 0):
            changed = [*lines]
            changed[index] = DIGITS.sub(number, lines[index], count=most)
            found.append("\n".join(changed))
    return found


@pytest.mark.parametrize("module", ANCHORS)
def test_no_number_costs_a_reader(module: str) -> None:
    numbers = [number for name, number in NUMBERS.items() if name != "a million digits"]
    for text in texts_of(module)[:3]:
        for changed in (changed for number in numbers for changed in variants(text, number)):
            read(module, changed)


@pytest.mark.parametrize("number", NUMBERS)
def test_no_number_costs_the_answer(number: str) -> None:
    for text in real_texts()[::4]:
        lines = text.splitlines()[:400]
        changed = "\n".join(
            DIGITS.sub(NUMBERS[number], line, count=2) if index % 7 == 3 else line for index, line in enumerate(lines)
        )
        budget = ReadingBudget()
        document = to_document("paste.txt", changed.encode(), budget)
        if document:
            examined_of(gather_documents([document]))


def test_a_long_number_is_cut_and_told() -> None:
    budget = ReadingBudget()
    document = to_document("a.log", b"mtu 1500\nmtu " + b"7" * 5_000 + b" state UP\n", budget)
    assert document is not None
    assert document.lines == ["mtu 1500", f"mtu {'7' * KEPT} state UP"]
    [told] = budget.unreadable
    assert str(told.why) == "line 2: a number of 250 digits or more was cut to 40"
    assert not told.why.read("zh").isascii()


def test_digits_that_are_no_number_of_that_length_stay() -> None:
    lines = ["1" * 249, "1 " * 5_000, "a" + "1" * 249 + "b" + "2" * 249]
    assert cut_long_numbers(kept := [*lines]) == []
    assert kept == lines

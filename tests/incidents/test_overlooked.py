"""The scanner overlooks nothing: what `re` finds in a line by itself, the scanner finds among all the others."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from calivet.readers.anchors import ANCHORS
from calivet.search.scanner import Scanner
from calivet.signs.sign_detector import prepare_detector

CORPUS = Path(__file__).parents[2] / "corpus"
EACH = 4
"""One line in so many is enough to notice."""


def _lines() -> list[str]:
    """ASCII only: to the engine a word is of English letters."""
    files = (path for path in sorted(CORPUS.glob("*/evidence/**/*")) if path.is_file())
    lines = dict.fromkeys(line for path in files for line in path.read_text("utf-8", "replace").split("\n"))
    return [line for line in lines if line.isascii()][::EACH]


def _of_catalogue() -> tuple[Sequence[str], bool]:
    _, watch = prepare_detector()
    return [str(item.what.pattern) for item in watch.output.items], True


def _of_readers() -> tuple[Sequence[str], bool]:
    return list(ANCHORS.values()), False


@pytest.mark.parametrize("wanted", [_of_catalogue, _of_readers])
def test_what_is_in_a_line_is_found_among_many(wanted, monkeypatch) -> None:
    monkeypatch.setattr("calivet.search.scanner.EARLY", 0)  # also what is remembered of a line is put to the test
    patterns, caseless = wanted()
    lines = _lines()
    assert len(lines) > 1000
    compiled = [re.compile(pattern, re.IGNORECASE if caseless else 0) for pattern in patterns]
    expected = {
        (number, at) for number, one in enumerate(compiled) for at, line in enumerate(lines) if one.search(line)
    }
    found = {
        (hit.pattern, hit.line)
        for hit in Scanner.load_or_compile("overlooked", patterns, caseless=caseless).scan(lines)
    }
    assert found == expected

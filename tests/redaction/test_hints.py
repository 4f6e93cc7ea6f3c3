"""Finders are woken by hints that are kept beside them: one that is stale would let a secret pass."""

from __future__ import annotations

import random

from calivet.redaction.secrets.finders import FINDERS
from calivet.redaction.secrets.hints import HINTS, WIDE_HINTS
from calivet.search.scanner import Scanner
from tests.redaction.shapes import SHAPES, make_case

ENDS = (": x1", "=x1", "_hash: x1", "1=x1", '": "x1"', "(root)：x1", " = x1", "是 x1", "", '",')


def test_the_hints_are_those_of_the_finders_in_their_order():
    assert tuple(finder.hint for finder in FINDERS) == HINTS


def test_in_a_long_log_no_line_is_passed_over_that_needs_others():
    """Where lines have been chosen, what stood around them is gone."""
    chance = random.Random("wide")
    lines = [
        line
        for shape in SHAPES
        for alphabet in shape.alphabets
        for line in make_case(shape, alphabet, chance)[1].split("\n")
    ]
    lines += [line.upper() for line in lines] + [
        f"{before}pw{behind}" for before in ("", "db_", "--DB-") for behind in ENDS
    ]
    exact, wide = Scanner.build(HINTS, caseless=False), Scanner.build(WIDE_HINTS)
    needed = {hit.line for hit in exact.scan(lines) if not FINDERS[hit.pattern].needs_one_line}
    assert len(needed) > 500
    assert [lines[number] for number in sorted(needed - {hit.line for hit in wide.scan(lines)})] == []

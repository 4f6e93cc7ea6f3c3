"""Finders are woken by hints that are kept beside them: one that is stale would let a secret pass."""

from __future__ import annotations

from calivet.redaction.finders import FINDERS
from calivet.redaction.hints import HINTS


def test_the_hints_are_those_of_the_finders_in_their_order():
    assert tuple(finder.hint for finder in FINDERS) == HINTS

"""Every expression of the tree, where it is used, on lines made against it: twice the length, about twice the time.

They are not found by a list but by looking at all modules; each call is timed in the run of the whole pipeline, so an
expression that is only ever asked at the beginning of a line is measured there. Redaction is measured by its own tests.
"""

from __future__ import annotations

import gc
import io
import pkgutil
import random
import sys
import time
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from typing import Any

import pytest

import calivet
from calivet.evidence.artifact import Document
from calivet.evidence.gather import gather, gather_documents
from calivet.pipeline import examine
from calivet.search.expressions import _LazyPattern
from tests.fuzz.targets import knowledge
from tests.hostile.stretching import from_expression, from_real_lines

LENGTH = 1 << 10
WORTH_A_LOOK = 0.002
"""Seconds of the processor for one call, from which on it is compared with one on half of the text."""
STEEP = 3.0
"""Times the cost for twice the length: 2 is linear, 4 grows with the square."""
TRIES = 3
AT_ONCE = 25
SHARES = 6
METHODS = {"search": 0, "match": 0, "fullmatch": 0, "finditer": 0, "findall": 0, "split": 0, "sub": 1}
"""Where each takes the text."""
OTHERS = "calivet.redaction"


@cache
def expressions() -> list[_LazyPattern]:
    """All of them, from whichever module."""
    for module in pkgutil.walk_packages(calivet.__path__, "calivet."):
        if not module.name.endswith("__main__") and "_cluster" not in module.name:
            import_module(module.name)
    return [one for one in gc.get_objects() if type(one) is _LazyPattern and isinstance(one._source[0], str)]


def lines(share: int) -> list[str]:
    found = {line for one in expressions() for line in from_expression(one._source[0], one._source[1], LENGTH)}
    ordered = sorted(found | from_real_lines(LENGTH, seed=1))
    random.Random(1).shuffle(ordered)
    return ordered[share::SHARES]


def cost(call: Callable[..., Any], details: list[Any], tries: int = TRIES) -> float:
    """Seconds of the processor, at best."""

    def once() -> float:
        start = time.thread_time()
        found = call(*details)
        if isinstance(found, Iterator):
            list(found)
        return time.thread_time() - start

    return min(once() for _ in range(tries))


def is_steep(call: Callable[..., Any], details: list[Any], place: int) -> bool:
    text = details[place]
    half = [*details[:place], text[: len(text) // 2], *details[place + 1 :]]
    # Most are not: one look at each is enough for these, and several for those that seem so.
    if cost(call, details, 1) <= STEEP * cost(call, half, 1):
        return False
    long = cost(call, details)
    return long > WORTH_A_LOOK and long > STEEP * cost(call, half)


@pytest.fixture
def steep(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The expressions that were asked and grew too fast, each with the beginning of its text."""
    found: dict[str, str] = {}

    def watched(one: _LazyPattern, name: str, place: int) -> Callable[..., Any]:
        call = getattr(one._compiled, name)

        def timed(*details: Any, **more: Any) -> Any:
            start = time.thread_time()
            answer = call(*details, **more)
            answer = iter(list(answer)) if name == "finditer" else answer
            pattern = one._source[0]
            took = time.thread_time() - start
            if took < WORTH_A_LOOK or sys._getframe(1).f_globals["__name__"].startswith(OTHERS):
                return answer
            if pattern not in found and is_steep(call, list(details), place):
                found[pattern] = f"{name}: {details[place][:60]}"
            return answer

        return timed

    for one in expressions():
        for name, place in METHODS.items():
            monkeypatch.setattr(one, name, watched(one, name, place))
    return found


@pytest.mark.parametrize("share", range(SHARES))
def test_twice_the_length_costs_about_twice_the_time(share: int, steep: dict[str, str]) -> None:
    hostile = lines(share)
    for first in range(0, len(hostile), AT_ONCE):
        some = hostile[first : first + AT_ONCE]
        examine(gather_documents([Document("node.log", some), Document("paste.txt", [*some])]), *knowledge())
        gather(["-"], io.BytesIO("\n".join(some).encode("utf-8", "replace")))
    assert steep == {}


def test_there_are_as_many_as_one_would_think() -> None:
    assert len(expressions()) > 900


def test_what_grows_with_the_square_is_noticed() -> None:
    import re

    assert is_steep(re.compile(r"a+b").search, ["a" * 12_000], 0)
    assert not is_steep(re.compile(r"(?<!a)a+b").search, ["a" * 300_000], 0)

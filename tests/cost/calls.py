"""Work counted in calls of functions, so that no clock and no slow machine matters."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from types import FrameType

TIMES = 4
"""How many times as large the larger input is."""
GROWTH = TIMES * 1.35
"""What grows with the square would be sixteen times as much."""
ONCE = ("/calivet/search/", "/re/_")
"""Where something is made once, when enough lines have been seen that it pays: patterns for the forms of lines."""
FEW = 1_500
"""Whoever is called less often costs nothing, however it grows."""


def calls_of(run: Callable[[], object]) -> Counter[str]:
    counts: Counter[object] = Counter()

    def count(frame: FrameType, event: str, _: object) -> None:
        if event in ("call", "c_call"):
            counts[frame.f_code] += 1

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        run()
    finally:
        sys.setprofile(before)
    return Counter({str(code): calls for code, calls in counts.items()})


def grown(small: Counter[str], large: Counter[str]) -> dict[str, tuple[int, int]]:
    """The functions that are called too much more often."""
    return {
        code: (small[code], calls)
        for code, calls in large.items()
        if calls > FEW and calls > GROWTH * max(small[code], 1) and not any(place in code for place in ONCE)
    }

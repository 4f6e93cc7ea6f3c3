"""Pieces are worked on by all cores, and nobody notices but by the clock."""

from __future__ import annotations

import threading
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calivet.evidence.long_logs.workers import WAITING, run_in_parallel

HANDS = 3


@given(st.lists(st.integers(), max_size=60))
def test_results_come_in_the_order_of_the_pieces(pieces):
    assert list(run_in_parallel(lambda piece: piece * 2, pieces, HANDS)) == [piece * 2 for piece in pieces]


def test_work_is_done_by_several_threads():
    together = threading.Barrier(HANDS)  # nobody gets past it alone

    def work(piece: int) -> int:
        if piece < HANDS:
            together.wait(60)
        return piece

    assert list(run_in_parallel(work, range(50), HANDS)) == list(range(50))


def test_no_more_is_read_than_may_wait():
    read = count()
    slow = threading.Event()

    def work(piece: int) -> int:
        if piece == 0:
            slow.wait(60)
        elif piece == HANDS * WAITING - 1:
            slow.set()  # all that may be read is read by now
        return piece

    results = run_in_parallel(work, (next(read) for _ in range(1000)), HANDS)
    assert next(results) == 0
    assert next(read) <= HANDS * WAITING + 1
    results.close()


@pytest.mark.parametrize("where", ["reading", "work"])
def test_what_goes_wrong_anywhere_is_told(where):
    def pieces():
        yield from range(20)
        if where == "reading":
            raise MemoryError("no more")

    def work(piece: int) -> int:
        if where == "work" and piece == 11:
            raise MemoryError("no more")
        return piece

    with pytest.raises(MemoryError, match="no more"):
        list(run_in_parallel(work, pieces(), HANDS))


def test_whoever_wants_no_more_stops_the_others():
    before = threading.active_count()
    results = run_in_parallel(lambda piece: piece, count(), HANDS)
    assert [next(results) for _ in range(40)] == list(range(40))
    helpers = [thread for thread in threading.enumerate() if thread.name.endswith("(help)")]
    assert len(helpers) >= 1
    results.close()
    for thread in helpers:
        thread.join(60)
    assert threading.active_count() <= before

"""What is kept whole, and what goes through the sieve."""

from __future__ import annotations

import io

import pytest

from calivet.evidence.artifact import Document
from calivet.evidence.long_logs import intake
from calivet.evidence.long_logs.intake import PLENTY, SHORT, take_document
from calivet.evidence.sources.budget import Limits, ReadingBudget
from calivet.evidence.sources.stream import Stream
from calivet.search.scanner import Scanner

SCANNER = Scanner.build(["frobnicator gone"])
LOG = b"2024-05-06 07:08:09.123 [INFO][61] felix/x.go 1: nothing to see\n"
TABLE = b"shop          web-0   1/1     Running   0          5d     10.244.1.5   worker-1   <none>           <none>        \n"


def taken(data, **budget):
    kept = ReadingBudget(matcher=SCANNER, **budget)
    return take_document("x.log", Stream(io.BytesIO(data).read), kept), kept


def times(line, size):
    return line * (size // len(line) + 1)


@pytest.mark.parametrize(("line", "size"), [(LOG, SHORT // 2), (TABLE, SHORT * 2), (TABLE, PLENTY // 2)])
def test_short_documents_and_tables_are_kept_whole(line, size):
    found, budget = taken(times(line, size))
    assert found == times(line, size)
    assert budget.held == max(len(found), intake.ROW * found.count(b"\n"))


@pytest.mark.parametrize(("line", "size"), [(LOG, SHORT), (TABLE, PLENTY)])
def test_long_ones_go_through_the_sieve(line, size):
    found, budget = taken(times(line, size))
    assert isinstance(found, Document)
    assert found.numbers[-1] == size // len(line) + 1
    assert budget.held == sum(map(len, found.lines)) // intake.CHEAPER < size / 10
    assert budget.used == len(times(line, size))


def test_so_do_more_rows_than_there_is_memory_for():
    rows = PLENTY // intake.ROW
    assert isinstance(taken(b"x\n" * (rows + 1))[0], Document)
    assert isinstance(taken(b"x\n" * (rows - 1))[0], bytes)
    assert isinstance(taken(b"{\n" * (rows + 1))[0], bytes)


def test_where_much_is_kept_already_only_tiny_ones_are_kept_whole():
    found, _ = taken(times(TABLE, intake.TINY), held=PLENTY)
    assert isinstance(found, Document)
    assert taken(b"tiny", held=PLENTY)[0] == b"tiny"


def test_where_the_room_is_used_up_documents_are_only_searched():
    found, budget = taken(times(TABLE, SHORT) + b"frobnicator gone\n" + TABLE, held=intake.FULL)
    assert isinstance(found, Document)
    assert "frobnicator gone" in found.lines
    assert len(found.lines) < 10
    assert "only searched" in str(budget.unreadable[0].why)
    assert taken(b"tiny\n", held=intake.FULL)[0].lines == []


def test_a_document_is_kept_whole_only_where_there_is_room_for_it():
    assert isinstance(taken(times(TABLE, PLENTY // 2))[0], bytes)
    assert isinstance(taken(times(TABLE, PLENTY // 2), held=PLENTY - PLENTY // 4)[0], Document)


def test_programs_are_not_let_through():
    found, _ = taken(b"\x7fELF" + bytes(range(256)) * (PLENTY // 128))
    assert isinstance(found, bytes)


def test_a_document_beyond_all_bounds_is_cut_and_named():
    found, budget = taken(times(LOG, 4 * SHORT), limits=Limits(document=2 * SHORT))
    assert isinstance(found, Document)
    assert "is larger than" in str(budget.unreadable[0].why)


def test_without_a_lookout_all_is_kept():
    data = times(LOG, 2 * SHORT)
    assert take_document("x.log", Stream(io.BytesIO(data).read), ReadingBudget()) == data

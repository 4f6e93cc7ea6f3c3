"""What is kept whole, and what goes through the sieve."""

from __future__ import annotations

import io

import pytest

from calivet.evidence import intake
from calivet.evidence.artifact import Document
from calivet.evidence.intake import LONG, PLENTY, SHORT, take
from calivet.evidence.ledger import Ledger, Limits
from calivet.evidence.scanner import Scanner
from calivet.evidence.stream import Stream

SCANNER = Scanner.build(["frobnicator gone"])
LOG = b"2024-05-06 07:08:09.123 [INFO][61] felix/x.go 1: nothing to see\n"
TABLE = b"web-0   1/1   Running   0   5d\n"


def taken(data, **ledger):
    kept = Ledger(lookout=SCANNER, **ledger)
    return take("x.log", Stream(io.BytesIO(data).read), kept), kept


def times(line, size):
    return line * (size // len(line) + 1)


@pytest.mark.parametrize(("line", "size"), [(LOG, SHORT // 2), (TABLE, SHORT * 2), (TABLE, LONG // 2)])
def test_short_documents_and_tables_are_kept_whole(line, size):
    found, ledger = taken(times(line, size))
    assert found == times(line, size)
    assert ledger.whole == len(found)


@pytest.mark.parametrize(("line", "size"), [(LOG, SHORT), (TABLE, LONG)])
def test_long_ones_go_through_the_sieve(line, size):
    found, ledger = taken(times(line, size))
    assert isinstance(found, Document)
    assert found.numbers[-1] == size // len(line) + 1
    assert ledger.whole == 0
    assert ledger.used == len(times(line, size))


def test_where_much_is_kept_already_only_tiny_ones_are_kept_whole():
    found, _ = taken(times(TABLE, intake.TINY), whole=PLENTY)
    assert isinstance(found, Document)
    assert taken(b"tiny", whole=PLENTY)[0] == b"tiny"


def test_programs_are_not_let_through():
    found, _ = taken(b"\x7fELF" + bytes(range(256)) * (LONG // 128))
    assert isinstance(found, bytes)


def test_a_document_beyond_all_bounds_is_cut_and_named():
    found, ledger = taken(times(LOG, 4 * SHORT), limits=Limits(document=2 * SHORT))
    assert isinstance(found, Document)
    assert "is larger than" in ledger.unreadable[0].why


def test_without_a_lookout_all_is_kept():
    data = times(LOG, 2 * SHORT)
    assert take("x.log", Stream(io.BytesIO(data).read), Ledger()) == data

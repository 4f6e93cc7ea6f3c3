"""One document from a stream: whole where it is short, through the sieve where it is long."""

from __future__ import annotations

from calivet.evidence.artifact import Document
from calivet.evidence.blocks import blocks
from calivet.evidence.charset import is_binary
from calivet.evidence.heads import STAMPED
from calivet.evidence.ledger import Ledger
from calivet.evidence.lookout import Lookout
from calivet.evidence.names import printable
from calivet.evidence.sieve import Sieve
from calivet.evidence.stream import Stream

SHORT = 1 << 20
"""Bytes up to which any document is kept whole."""
LONG = 16 << 20
"""The same for what is no log: cut out of an object or a table, lines tell little."""
PLENTY = 64 << 20
"""Once so much is kept whole, of further documents only tiny ones are."""
TINY = 1 << 16
_SAMPLE = 200
_MOST = 0.8


def take(name: str, stream: Stream, ledger: Ledger) -> bytes | Document:
    """Its bytes, or what the sieve left of them."""
    if ledger.lookout is None:
        return _whole(name, stream, ledger)
    plenty = ledger.whole >= PLENTY
    short = TINY if plenty else SHORT
    head = stream.read(short + 1)
    if len(head) > short and not plenty and not _is_log(head):
        short = LONG
        head += stream.read(short + 1 - len(head))
    if len(head) <= short or is_binary(head):
        ledger.count(len(head), whole=True)
        return head
    return _sieved(name, head, stream, ledger, ledger.lookout)


def _whole(name: str, stream: Stream, ledger: Ledger) -> bytes:
    limit = ledger.limits.document
    data = stream.read(limit + 1)
    if len(data) > limit:
        ledger.refuse(name, f"is larger than {limit:,} bytes; the rest was not read")
        data = data[:limit]
    ledger.count(len(data), whole=True)
    return data


def _sieved(name: str, head: bytes, stream: Stream, ledger: Ledger, lookout: Lookout) -> Document:
    sieve, size = Sieve(lookout), 0
    for part in sieve.pour(blocks(stream, head)):
        size += part
        if size > ledger.limits.document:
            ledger.refuse(name, f"is larger than {ledger.limits.document:,} bytes; the rest was not read")
            break
    ledger.count(size)
    return sieve.document(printable(name))


def _is_log(head: bytes) -> bool:
    """Most lines bring their own time."""
    lines = [line for line in head[: 1 << 16].decode("utf-8", "replace").split("\n")[:_SAMPLE] if line.strip()]
    return sum(STAMPED.match(line) is not None for line in lines) >= _MOST * len(lines)

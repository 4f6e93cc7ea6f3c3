"""One document from a stream: whole where it is short, through the sieve where it is long."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.evidence.artifact import Document
from calivet.evidence.charset import is_binary, is_chinese, wide
from calivet.evidence.expressions import expression
from calivet.evidence.heads import STAMPED
from calivet.evidence.ledger import Ledger
from calivet.evidence.lookout import Lookout
from calivet.evidence.names import printable
from calivet.evidence.stream import Stream

SHORT = 1 << 20
"""Bytes up to which a log is kept whole. Of an object or a table lines tell little: they get all the room there is."""
PLENTY = 14 << 20
"""So much is kept whole of all documents together: what is understood of it takes ten times the memory."""
FULL = 15 << 20
"""So much with tiny ones, which are mostly what commands print; the others are only searched."""
TINY = 1 << 13
ROW = 100
"""Bytes for which a line counts at least."""
CHEAPER = 2
"""Lines of a log take so much less memory than what objects and tables become."""
_OBJECT = expression(rb"\s*(?:\{|\[\s*[\[{\"])")
_SAMPLE = 200
_MOST = 0.8


def take(name: str, stream: Stream, ledger: Ledger) -> bytes | Document:
    """Its bytes, or what the sieve left of them."""
    if ledger.lookout is None:
        return _whole(name, stream, ledger)
    room = _room(ledger.held)
    short = min(SHORT, room)
    head = stream.read(max(short, TINY) + 1)
    if len(head) > short and (encoding := wide(head)):
        from calivet.evidence.transcoding import from_wide

        stream = from_wide(head, stream, encoding)
        head = stream.read(max(short, TINY) + 1)
    if len(head) > short and room > SHORT and not _is_log(head):
        short = room
        head += stream.read(short + 1 - len(head))
    if is_binary(head):
        ledger.count(len(head))
        return head
    if len(head) <= short and (weight := _weight(head)) <= max(room, TINY):
        ledger.count(len(head), kept=weight)
        return head
    return _sieved(name, head, stream, ledger, ledger.lookout, room)


def _weight(text: bytes) -> int:
    """What it will take, in bytes of ordinary text: a row of a table becomes a fact, however short it is."""
    if _OBJECT.match(text) or b"apiVersion:" in text[: 1 << 12]:
        return len(text)
    return max(len(text), ROW * text.count(b"\n"))


def _room(held: int) -> int:
    """How long a document may be to be kept whole."""
    if held < PLENTY:
        return max(PLENTY - held, TINY)
    return TINY if held < FULL else 0


def _whole(name: str, stream: Stream, ledger: Ledger) -> bytes:
    limit = ledger.limits.document
    data = stream.read(limit + 1)
    if len(data) > limit:
        ledger.refuse(name, f"is larger than {limit:,} bytes; the rest was not read")
        data = data[:limit]
    ledger.count(len(data), kept=len(data))
    return data


def _sieved(name: str, head: bytes, stream: Stream, ledger: Ledger, lookout: Lookout, room: int) -> Document:
    # Most documents are short and need none of these.
    from calivet.evidence.blocks import blocks
    from calivet.evidence.sieve import LITTLE, USUAL, Sieve
    from calivet.evidence.transcoding import from_chinese

    sieve = Sieve(lookout, USUAL if room else LITTLE)
    text = _within(name, blocks(stream, head), ledger)
    is_old = is_chinese(head[: head.rfind(b"\n") + 1])  # without a character that the head cuts in two
    size = sum(sieve.pour(from_chinese(text) if is_old else text))
    document = sieve.document(printable(name))
    ledger.count(size, kept=sum(map(len, document.lines)) // CHEAPER)
    if not room:
        ledger.refuse(
            name, f"was only searched for known messages: {FULL >> 20} MiB of other evidence are kept already"
        )
    return document


def _within(name: str, text: Iterator[bytes], ledger: Ledger) -> Iterator[bytes]:
    size = 0
    for block in text:
        yield block
        size += len(block)
        if size > ledger.limits.document:
            ledger.refuse(name, f"is larger than {ledger.limits.document:,} bytes; the rest was not read")
            return


def _is_log(head: bytes) -> bool:
    """Most lines bring their own time."""
    lines = [line for line in head[: 1 << 16].decode("utf-8", "replace").split("\n")[:_SAMPLE] if line.strip()]
    return sum(STAMPED.match(line) is not None for line in lines) >= _MOST * len(lines)

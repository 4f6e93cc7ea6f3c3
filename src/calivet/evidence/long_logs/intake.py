"""One document from a stream: whole where it is short, through the sieve where it is long."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.evidence.archives.member_names import make_printable
from calivet.evidence.artifact import Document, LineMatcher
from calivet.evidence.decoding.charset import detect_utf16, is_binary, is_chinese
from calivet.evidence.decoding.line_prefixes import STAMPED
from calivet.evidence.layouts.origins import is_bulk
from calivet.evidence.sources.budget import TIME_IS_UP, ReadingBudget
from calivet.evidence.sources.stream import Stream
from calivet.messages.message import message
from calivet.search.expressions import expression

BLOCK = 1 << 19


def read_blocks(stream: Stream, head: bytes = b"") -> Iterator[bytes]:
    """Each ends with a newline, but perhaps the last; of a line longer than a block only the beginning is given."""
    rest = head
    while chunk := stream.read(BLOCK):
        if cut := chunk.rfind(b"\n") + 1:
            yield b"".join((rest, memoryview(chunk)[:cut]))
            rest = chunk[cut:]
        elif len(rest) < BLOCK:
            rest += chunk
    if rest:
        yield rest


SHORT = 1 << 20
"""Bytes up to which a log is kept whole. Of an object or a table lines tell little: they get all the room there is."""
PLENTY = 14 << 20
"""So much is kept whole of all documents together: what is understood of it takes ten times the memory."""
FULL = 15 << 20
"""So much with tiny ones, which are mostly what commands print; the others are only searched."""
BULK = 3 << 20
"""So much of files that no reader knows, of which a machine's report has thousands."""
TINY = 1 << 13
ROW = 100
"""Bytes for which a line counts at least."""
CHEAPER = 2
"""Lines of a log take so much less memory than what objects and tables become."""
_OBJECT = expression(rb"\s*(?:\{|\[\s*[\[{\"])")
_SAMPLE = 200
_MOST = 0.8


def take_document(name: str, stream: Stream, budget: ReadingBudget) -> bytes | Document:
    """Its bytes, or what the sieve left of them."""
    if budget.matcher is None:
        return _read_whole(name, stream, budget)
    room = _find_room(budget, name)
    if not room and is_bulk(name) and budget.held_of_bulk >= 2 * BULK:
        budget.refuse(name, message("evidence.no_room", limit=2 * BULK))
        return Document(make_printable(name), [])
    short = min(SHORT, room)
    head = stream.read(max(short, TINY) + 1)
    if len(head) > short and (encoding := detect_utf16(head)):
        from calivet.evidence.decoding.charset import transcode_utf16

        stream = transcode_utf16(head, stream, encoding)
        head = stream.read(max(short, TINY) + 1)
    if len(head) > short and room > SHORT and not _is_log(head):
        short = room
        head += stream.read(short + 1 - len(head))
    if is_binary(head):
        budget.count(len(head))
        return head
    if len(head) <= short and (weight := _estimate_weight(head)) <= max(room, TINY):
        budget.count(len(head), kept=weight, is_bulk=is_bulk(name))
        return head
    return _sieve_document(name, head, stream, budget, budget.matcher, room)


def _estimate_weight(text: bytes) -> int:
    """What it will take, in bytes of ordinary text: a row of a table becomes a fact, however short it is."""
    if _OBJECT.match(text) or b"apiVersion:" in text[: 1 << 12]:
        return len(text)
    return max(len(text), ROW * text.count(b"\n"))


def _find_room(budget: ReadingBudget, name: str) -> int:
    """How long a document may be to be kept whole; bulk, wherever it stands, leaves room for what tells something."""
    if is_bulk(name):
        return max(0, min(BULK - budget.held_of_bulk, PLENTY - budget.held))
    if budget.held < PLENTY:
        return max(PLENTY - budget.held, TINY)
    return TINY if budget.held < FULL else 0


def _read_whole(name: str, stream: Stream, budget: ReadingBudget) -> bytes:
    limit = budget.limits.document
    data = stream.read(limit + 1)
    if len(data) > limit:
        budget.refuse(name, message("evidence.larger", limit=limit))
        data = data[:limit]
    budget.count(len(data), kept=len(data))
    return data


def _sieve_document(
    name: str, head: bytes, stream: Stream, budget: ReadingBudget, matcher: LineMatcher, room: int
) -> Document:
    # Most documents are short and need none of these.
    from calivet.evidence.decoding.charset import transcode_gb18030
    from calivet.evidence.long_logs.sieve import LITTLE, USUAL, Sieve

    sieve = Sieve(matcher, USUAL if room else LITTLE, budget.redactor)
    text = _read_within(name, read_blocks(stream, head), budget)
    is_old = is_chinese(head[: head.rfind(b"\n") + 1])  # without a character that the head cuts in two
    text = transcode_gb18030(text) if is_old else text
    size = sum(sieve.pour(text, make_printable(name)))
    document = sieve.document(make_printable(name))
    budget.count(size, kept=sum(map(len, document.lines)) // CHEAPER, is_bulk=is_bulk(name))
    if not room:
        budget.refuse(name, message("evidence.only_searched", limit=FULL >> 20))
    return document


def _read_within(name: str, text: Iterator[bytes], budget: ReadingBudget) -> Iterator[bytes]:
    size = 0
    for block in text:
        yield block
        size += len(block)
        if size > budget.limits.document:
            budget.refuse(name, message("evidence.larger", limit=budget.limits.document))
            return
        if budget.is_late:
            budget.refuse(name, TIME_IS_UP)
            return


def _is_log(head: bytes) -> bool:
    """Most lines bring their own time."""
    lines = [line for line in head[: 1 << 16].decode("utf-8", "replace").split("\n")[:_SAMPLE] if line.strip()]
    return sum(STAMPED.match(line) is not None for line in lines) >= _MOST * len(lines)

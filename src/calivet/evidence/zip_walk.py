"""The members of a zip archive one after the other, without its directory: it is lost, or still to come."""

from __future__ import annotations

from calivet.evidence.stream import Stream, first
from calivet.evidence.zip_layout import (
    CENTRAL,
    DEFLATED,
    DESCRIBED_BEHIND,
    DESCRIPTION,
    LOCAL,
    LOCAL_HEADER,
    Entry,
    Found,
    decoded,
    widened,
)

WINDOW = 1 << 16


def one_by_one(stream: Stream) -> Found:
    """From one member's own header to the next one's; whoever takes a member is done with it when he asks for more."""
    while _skip_to_header(stream):
        header = stream.read(LOCAL_HEADER.size)
        if len(header) < LOCAL_HEADER.size:
            return
        _, _, flags, method, _, _, crc, packed, full, *lengths = LOCAL_HEADER.unpack(header)
        name, extra = (stream.read(length) for length in lengths)
        if len(name) + len(extra) < sum(lengths):
            return
        _, packed = widened(extra, full, packed)
        untold = bool(flags & DESCRIBED_BEHIND) and not packed
        content = _untold(stream, method) if untold else first(stream, packed)
        yield Entry(decoded(name, flags), flags, method, None if untold else crc), content
        if untold:
            stream.unread(content.ahead)
        while not untold and content.read(WINDOW):
            pass


def _untold(stream: Stream, method: int) -> Stream:
    """Deflated data know their own end; anything else goes on to where the next part seems to begin."""
    return Stream(stream.read) if method == DEFLATED else Stream(lambda wanted: _before_signature(stream, wanted))


def _before_signature(stream: Stream, wanted: int) -> bytes:
    window = stream.peek(WINDOW)
    found = [at for mark in (DESCRIPTION, LOCAL, CENTRAL) if (at := window.find(mark)) >= 0]
    sure = min(found) if found else len(window) - len(LOCAL) + 1 if len(window) == WINDOW else len(window)
    return stream.read(min(sure, wanted))


def _skip_to_header(stream: Stream) -> bool:
    while len(window := stream.peek(WINDOW)) >= len(LOCAL):
        at = window.find(LOCAL)
        if at >= 0:
            stream.read(at)
            return True
        stream.read(len(window) - len(LOCAL) + 1)
    return False

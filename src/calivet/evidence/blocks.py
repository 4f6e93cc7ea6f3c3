"""A stream in blocks of whole lines, whatever the length of stream or line."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.evidence.stream import Stream

BLOCK = 1 << 20


def blocks(stream: Stream, head: bytes = b"") -> Iterator[bytes]:
    """Each ends with a newline, but perhaps the last; of a line longer than a block only the beginning is given."""
    rest = head
    while chunk := stream.read(BLOCK):
        lines, newline, beginning = chunk.rpartition(b"\n")
        if newline:
            yield rest + lines + newline
            rest = beginning
        elif len(rest) < BLOCK:
            rest += chunk
    if rest:
        yield rest

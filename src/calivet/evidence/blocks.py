"""A stream in blocks of whole lines, whatever the length of stream or line."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.evidence.stream import Stream

BLOCK = 1 << 19


def blocks(stream: Stream, head: bytes = b"") -> Iterator[bytes]:
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

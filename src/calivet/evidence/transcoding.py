"""A long log in another encoding than UTF-8, as if it had been written in that: piece by piece, with the same lines."""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Iterator

from calivet.evidence.charset import text_by_line
from calivet.evidence.stream import CHUNK, Stream


def from_wide(head: bytes, stream: Stream, encoding: str) -> Stream:
    """UTF-16, of which the head has been read already."""
    decoder = codecs.getincrementaldecoder(encoding)("replace")
    ready = decoder.decode(head).removeprefix("\ufeff").encode()

    def pull(size: int) -> bytes:
        nonlocal ready
        while not ready and (chunk := stream.read(CHUNK)):
            ready = decoder.decode(chunk).encode()
        ready = ready or decoder.decode(b"", final=True).encode()
        taken, ready = ready[:size], ready[size:]
        return taken

    return Stream(pull)


def from_chinese(blocks: Iterable[bytes]) -> Iterator[bytes]:
    """GB 18030, at least for the most part, in blocks of whole lines."""
    for block in blocks:
        yield block if block.isascii() else text_by_line(block, chinese=True).encode("utf-8", "replace")

"""Opens one layer of compression as a stream, within bounds."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import partial
from typing import Protocol, cast

from calivet.evidence.sources.budget import ReadingBudget
from calivet.evidence.sources.stream import CutShortError, Pull, Stream
from calivet.messages.message import MessageError, message

BITE = 1 << 17
"""Packed bytes taken at a time."""
CHECKSUM = 8
WORKING_MEMORY = 256 << 20
"""What a stream of xz may ask for: four times as much as `xz -9` does."""


class SwollenError(MessageError):
    """The layer unpacks to more than any honest evidence would."""


def decompress_stream(kind: str, source: Stream, budget: ReadingBudget) -> Stream:
    """What this stream of gzip, bzip2, xz or zstd data unpacks to."""
    begin, failure = OPENERS[kind]()
    return _bound_stream(_pull_frames(source, begin, budget), failure, source, budget)


def _bound_stream(pull: Pull, failure: type[Exception], source: Stream, budget: ReadingBudget) -> Stream:
    limits, unpacked = budget.limits, 0

    def bounded(size: int) -> bytes:
        nonlocal unpacked
        chunk = pull(size)
        unpacked += len(chunk)
        budget.unpacked += len(chunk)
        if budget.overspent or (unpacked > limits.swollen and unpacked > limits.ratio * source.taken):
            raise SwollenError(message("archive.swollen.ratio", ratio=limits.ratio))
        if unpacked > limits.total:
            raise SwollenError(message("archive.swollen.total", limit=limits.total))
        return chunk

    return Stream(bounded, (failure, EOFError, ValueError, CutShortError, SwollenError))


class Frame(Protocol):
    """How all these libraries unpack one frame, whatever they call it."""

    @property
    def eof(self) -> bool:
        """The frame is complete."""

    @property
    def needs_input(self) -> bool:
        """It gives nothing more without data."""

    @property
    def unused_data(self) -> bytes:
        """What stands behind the frame."""

    def decompress(self, data: bytes, max_length: int) -> bytes:
        """So much at most; what is left comes with the next calls, which bring no data while none is needed."""


def inflate_stream(source: Stream, budget: ReadingBudget) -> Stream:
    """What one stretch of bare deflate data unpacks to; what stands behind it is given back to the source."""
    from isal import igzip_lib

    frame, more, given_back = igzip_lib.IgzipDecompressor(flag=igzip_lib.DECOMP_DEFLATE), False, False

    def pull(size: int) -> bytes:
        nonlocal more, given_back
        while not frame.eof:
            hungry = frame.needs_input and not more
            packed = source.read(BITE) if hungry else b""
            if hungry and not packed:
                raise CutShortError(message("archive.packed_short"))
            chunk = frame.decompress(packed, size)
            more = len(chunk) == size
            if chunk:
                return chunk
        if not given_back:
            source.unread(frame.unused_data)
            given_back = True
        return b""

    return _bound_stream(pull, cast("type[Exception]", igzip_lib.error), source, budget)


def _pull_frames(source: Stream, begin: Callable[[], Frame], budget: ReadingBudget) -> Pull:
    """Frame after frame, with nothing but padding between them."""
    frame, bites, more = begin(), _read_bites(source), False

    def pull(size: int) -> bytes:
        nonlocal frame, more
        while True:
            packed = b""
            if frame.eof:
                packed = frame.unused_data.lstrip(b"\0") or next(bites, b"").lstrip(b"\0")
                if not packed:
                    return b""
                frame = begin()
                # Frames of nothing give no bytes that would be counted, but each is handed all that is left.
                budget.unpacked += len(packed)
                if budget.overspent:
                    raise SwollenError(message("archive.frames"))
            elif frame.needs_input and not more:
                packed = next(bites, b"")
                if not packed:
                    raise CutShortError(message("archive.packed_short"))
            chunk = frame.decompress(packed, size)
            more = len(chunk) == size  # some hold more of it, and ask for data all the same
            if chunk:
                return chunk

    return pull


def _read_bites(source: Stream) -> Iterator[bytes]:
    """The checksum at the very end by itself: where it is wrong, all that comes before it is unpacked already."""
    bite = source.read(BITE)
    while bite:
        following = source.read(BITE)
        yield from (bite,) if following else filter(None, (bite[:-CHECKSUM], bite[-CHECKSUM:]))
        bite = following


def _open_gzip() -> tuple[Callable[[], Frame], type[Exception]]:
    """Intel's library needs half the time of zlib."""
    from isal import igzip_lib

    failure = cast("type[Exception]", igzip_lib.error)
    return partial(igzip_lib.IgzipDecompressor, flag=igzip_lib.DECOMP_GZIP), failure


def _open_bzip2() -> tuple[Callable[[], Frame], type[Exception]]:
    import bz2

    return bz2.BZ2Decompressor, OSError


def _open_xz() -> tuple[Callable[[], Frame], type[Exception]]:
    import lzma

    return partial(lzma.LZMADecompressor, memlimit=WORKING_MEMORY), lzma.LZMAError


def _open_zstd() -> tuple[Callable[[], Frame], type[Exception]]:
    if sys.version_info >= (3, 14):
        from compression import zstd
    else:
        from backports import zstd

    return zstd.ZstdDecompressor, zstd.ZstdError


OPENERS = {"gzip": _open_gzip, "bzip2": _open_bzip2, "xz": _open_xz, "zstd": _open_zstd}

"""Opens one layer of compression as a stream, within bounds."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import partial
from typing import Protocol, cast

from calivet.evidence.ledger import Limits
from calivet.evidence.stream import Pull, Stream

BITE = 1 << 17
"""Packed bytes taken at a time."""
CHECKSUM = 8


class SwollenError(Exception):
    """The layer unpacks to more than any honest evidence would."""


def decompressed(kind: str, source: Stream, limits: Limits) -> Stream:
    """What this stream of gzip, bzip2, xz or zstd data unpacks to."""
    begin, failure = OPENERS[kind]()
    return _bounded(_pull(source, begin), failure, source, limits)


def _bounded(pull: Pull, failure: type[Exception], source: Stream, limits: Limits) -> Stream:
    unpacked = 0

    def bounded(size: int) -> bytes:
        nonlocal unpacked
        chunk = pull(size)
        unpacked += len(chunk)
        if unpacked > limits.swollen and unpacked > limits.ratio * source.taken:
            raise SwollenError(f"unpacks to more than {limits.ratio} times its size; the rest was not read")
        if unpacked > limits.total:
            raise SwollenError(f"unpacks to more than {limits.total:,} bytes; the rest was not read")
        return chunk

    return Stream(bounded, (failure, EOFError, ValueError, SwollenError))


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


def inflated(source: Stream, limits: Limits) -> Stream:
    """What one stretch of bare deflate data unpacks to; what stands behind it is given back to the source."""
    from isal import igzip_lib

    frame, more, given_back = igzip_lib.IgzipDecompressor(flag=igzip_lib.DECOMP_DEFLATE), False, False

    def pull(size: int) -> bytes:
        nonlocal more, given_back
        while not frame.eof:
            hungry = frame.needs_input and not more
            packed = source.read(BITE) if hungry else b""
            if hungry and not packed:
                raise EOFError("the packed data ends too early")
            chunk = frame.decompress(packed, size)
            more = len(chunk) == size
            if chunk:
                return chunk
        if not given_back:
            source.unread(frame.unused_data)
            given_back = True
        return b""

    return _bounded(pull, cast("type[Exception]", igzip_lib.error), source, limits)


def _pull(source: Stream, begin: Callable[[], Frame]) -> Pull:
    """Frame after frame, with nothing but padding between them."""
    frame, bites, more = begin(), _bites(source), False

    def pull(size: int) -> bytes:
        nonlocal frame, more
        while True:
            packed = b""
            if frame.eof:
                packed = frame.unused_data.lstrip(b"\0") or next(bites, b"").lstrip(b"\0")
                if not packed:
                    return b""
                frame = begin()
            elif frame.needs_input and not more:
                packed = next(bites, b"")
                if not packed:
                    raise EOFError("the packed data ends too early")
            chunk = frame.decompress(packed, size)
            more = len(chunk) == size  # some hold more of it, and ask for data all the same
            if chunk:
                return chunk

    return pull


def _bites(source: Stream) -> Iterator[bytes]:
    """The checksum at the very end by itself: where it is wrong, all that comes before it is unpacked already."""
    bite = source.read(BITE)
    while bite:
        following = source.read(BITE)
        yield from (bite,) if following else filter(None, (bite[:-CHECKSUM], bite[-CHECKSUM:]))
        bite = following


def _gzip() -> tuple[Callable[[], Frame], type[Exception]]:
    """Intel's library needs half the time of zlib."""
    from isal import igzip_lib

    failure = cast("type[Exception]", igzip_lib.error)
    return partial(igzip_lib.IgzipDecompressor, flag=igzip_lib.DECOMP_GZIP), failure


def _bzip2() -> tuple[Callable[[], Frame], type[Exception]]:
    import bz2

    return bz2.BZ2Decompressor, OSError


def _xz() -> tuple[Callable[[], Frame], type[Exception]]:
    import lzma

    return lzma.LZMADecompressor, lzma.LZMAError


def _zstd() -> tuple[Callable[[], Frame], type[Exception]]:
    if sys.version_info >= (3, 14):
        from compression import zstd
    else:
        from backports import zstd

    return zstd.ZstdDecompressor, zstd.ZstdError


OPENERS = {"gzip": _gzip, "bzip2": _bzip2, "xz": _xz, "zstd": _zstd}

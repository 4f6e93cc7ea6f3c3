"""Opens one layer of compression as a stream, within bounds."""

from __future__ import annotations

from collections.abc import Callable
from typing import IO, cast

from calivet.evidence.ledger import Limits
from calivet.evidence.stream import Pull, Stream

# A zstd block of four bytes can stand for 128 KiB; so little at a time keeps even that small.
ZSTD_BITE = 1 << 10


class SwollenError(Exception):
    """The layer unpacks to more than any honest evidence would."""


def decompressed(kind: str, source: Stream, limits: Limits) -> Stream:
    """What this stream of gzip, bzip2, xz or zstd data unpacks to."""
    pull, failures = OPENERS[kind](source)
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

    return Stream(bounded, (*failures, SwollenError))


def _gzip(source: Stream) -> tuple[Pull, tuple[type[Exception], ...]]:
    import gzip
    import zlib

    return gzip.GzipFile(fileobj=cast("IO[bytes]", source)).read1, (OSError, EOFError, zlib.error)


def _bzip2(source: Stream) -> tuple[Pull, tuple[type[Exception], ...]]:
    import bz2

    return bz2.BZ2File(cast("IO[bytes]", source)).read1, (OSError, EOFError, ValueError)


def _xz(source: Stream) -> tuple[Pull, tuple[type[Exception], ...]]:
    import lzma

    return lzma.LZMAFile(cast("IO[bytes]", source)).read1, (OSError, EOFError, lzma.LZMAError)


def _zstd(source: Stream) -> tuple[Pull, tuple[type[Exception], ...]]:
    """The library's own reader takes a truncated frame for a complete one; this one does not."""
    import zstandard

    frame = zstandard.ZstdDecompressor().decompressobj()
    rest = b""
    ready = bytearray()

    def pull(size: int) -> bytes:
        nonlocal frame, rest
        while not ready:
            bite = rest or source.read(ZSTD_BITE)
            if frame.eof:
                if not bite:
                    return b""
                frame = zstandard.ZstdDecompressor().decompressobj()
            elif not bite:
                raise EOFError("the zstd data ends too early")
            ready.extend(frame.decompress(bite))
            rest = frame.unused_data
        chunk = bytes(ready[:size])
        del ready[:size]
        return chunk

    return pull, (EOFError, zstandard.ZstdError)


OPENERS: dict[str, Callable[[Stream], tuple[Pull, tuple[type[Exception], ...]]]] = {
    "gzip": _gzip,
    "bzip2": _bzip2,
    "xz": _xz,
    "zstd": _zstd,
}

"""The members of a zip archive as the directory at its end tells them, read piece by piece."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from calivet.evidence.stream import Stream, Whole, first
from calivet.evidence.zip_layout import (
    CENTRAL,
    CENTRAL_HEADER,
    END,
    END_RECORD,
    LOCAL,
    LOCAL_HEADER,
    LONGEST_COMMENT,
    WIDE_END,
    WIDE_END_RECORD,
    WIDE_LOCATOR,
    WIDE_LOCATOR_RECORD,
    Entry,
    Found,
    decoded,
    widened,
)


class DamagedError(Exception):
    """The archive is not as its own words say."""


def by_directory(whole: Whole) -> Found:
    """Each member, wherever it lies; nothing is given of a directory that is damaged anywhere."""
    deque(_headers(whole), maxlen=0)
    for entry, offset, packed in _headers(whole):
        yield entry, _packed(whole, offset, packed)


def _headers(whole: Whole) -> Iterator[tuple[Entry, int, int]]:
    """Each member, where it begins, and its packed size."""
    start, size, shift = _directory(whole)
    directory = Stream(whole.after(start))
    while directory.taken < size:
        header = directory.read(CENTRAL_HEADER.size)
        if not header.startswith(CENTRAL) or len(header) < CENTRAL_HEADER.size:
            raise DamagedError("its directory is damaged")
        fields = CENTRAL_HEADER.unpack(header)
        flags, method, crc, packed, full = fields[3], fields[4], *fields[7:10]
        name, extra, _ = (directory.read(length) for length in fields[10:13])
        _, packed, offset = widened(extra, full, packed, fields[16])
        yield Entry(decoded(name, flags), flags, method, crc, fields[15] >> 16), offset + shift, packed


def _directory(whole: Whole) -> tuple[int, int, int]:
    """Where it begins, its size, and how much was put before the archive."""
    tail_at = max(0, whole.size - END_RECORD.size - LONGEST_COMMENT)
    tail = whole.read_at(whole.size - tail_at, tail_at)
    at = tail.rfind(END)
    if at < 0 or len(tail) - at < END_RECORD.size:
        raise DamagedError("it has no directory")
    *_, size, offset, _ = END_RECORD.unpack_from(tail, at)
    end = tail_at + at
    locator_at = end - WIDE_LOCATOR_RECORD.size
    locator = whole.read_at(WIDE_LOCATOR_RECORD.size, locator_at) if locator_at >= 0 else b""
    if locator.startswith(WIDE_LOCATOR):
        end = locator_at - WIDE_END_RECORD.size
        record = whole.read_at(WIDE_END_RECORD.size, max(0, end))
        if not record.startswith(WIDE_END) or len(record) < WIDE_END_RECORD.size:
            raise DamagedError("it has no directory")
        *_, size, offset = WIDE_END_RECORD.unpack(record)
    start = end - size
    if start < offset:
        raise DamagedError("its directory lies outside of it")
    return start, size, start - offset


def _packed(whole: Whole, offset: int, size: int) -> Stream:
    """The bytes behind the member's own header."""

    def missing(_: int) -> bytes:
        raise DamagedError("it is not where the directory says")

    header = whole.read_at(LOCAL_HEADER.size, offset)
    if not header.startswith(LOCAL) or len(header) < LOCAL_HEADER.size:
        return Stream(missing, (DamagedError,))
    *_, name, extra = LOCAL_HEADER.unpack(header)
    return first(Stream(whole.after(offset + LOCAL_HEADER.size + name + extra)), size)

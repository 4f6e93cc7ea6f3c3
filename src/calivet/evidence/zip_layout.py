"""The parts of a zip archive, byte for byte."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from itertools import count

from msgspec import Struct

from calivet.evidence.stream import Stream

LOCAL, CENTRAL, END = b"PK\x03\x04", b"PK\x01\x02", b"PK\x05\x06"
DESCRIPTION, WIDE_END, WIDE_LOCATOR = b"PK\x07\x08", b"PK\x06\x06", b"PK\x06\x07"
LOCAL_HEADER = struct.Struct("<4sHHHHHLLLHH")
CENTRAL_HEADER = struct.Struct("<4sHHHHHHLLLHHHHHLL")
END_RECORD = struct.Struct("<4sHHHHLLH")
WIDE_LOCATOR_RECORD = struct.Struct("<4sLQL")
WIDE_END_RECORD = struct.Struct("<4sQHHLLQQQQ")
LONGEST_COMMENT = 1 << 16
STORED, DEFLATED, BZIP2, ZSTD, XZ = 0, 8, 12, 93, 95
ENCRYPTED, DESCRIBED_BEHIND, UNICODE = 1, 8, 1 << 11
WIDE = 1
_FULL = 0xFFFFFFFF
"""In place of a number that is too wide for its field."""


class Entry(Struct, frozen=True):
    """What the archive says of a member."""

    name: str
    flags: int
    method: int
    crc: int | None = None
    mode: int = 0


Found = Iterator[tuple[Entry, Stream]]
"""Each member, and its packed bytes."""


def decoded(name: bytes, flags: int) -> str:
    """As its maker meant it: old ones write in the alphabet of DOS, and some say so of what is UTF-8 all the same."""
    try:
        return name.decode("utf-8")
    except UnicodeDecodeError:
        return name.decode("utf-8", "replace") if flags & UNICODE else name.decode("cp437")


def widened(extra: bytes, *numbers: int) -> list[int]:
    """The numbers, with those that were too wide taken from where they then stand."""
    field = _field(extra, WIDE)
    wide = (int.from_bytes(field[at : at + 8], "little") for at in count(0, 8))
    return [next(wide) if number == _FULL else number for number in numbers]


def _field(extra: bytes, wanted: int) -> bytes:
    while len(extra) >= 4:
        kind, size = struct.unpack_from("<HH", extra)
        if kind == wanted:
            return extra[4 : 4 + size]
        extra = extra[4 + size :]
    return b""

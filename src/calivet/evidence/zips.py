"""The members of a zip archive, also of one whose directory at the end is lost."""

from __future__ import annotations

import stat
from collections.abc import Iterator

from calivet.evidence.compression import decompressed, inflated
from calivet.evidence.ledger import Ledger, Limits
from calivet.evidence.names import is_clutter, tidy, trap
from calivet.evidence.stream import Stream, Whole
from calivet.evidence.zip_directory import DamagedError, by_directory
from calivet.evidence.zip_layout import BZIP2, DEFLATED, ENCRYPTED, STORED, XZ, ZSTD, Entry, Found
from calivet.evidence.zip_walk import one_by_one

HELD = 32 << 20
"""An archive that comes through a pipe or lies in another one is held in memory up to this size."""
OTHER_METHODS = {BZIP2: "bzip2", ZSTD: "zstd", XZ: "xz"}


def members(name: str, stream: Stream, ledger: Ledger) -> Iterator[tuple[str, Stream]]:
    """Each regular file of the archive; links, encrypted members and traps are listed instead.

    What cannot be read from any place is too long to hold: its members are taken as they come, without what only the
    directory at the end says.
    """
    whole = (stream.whole and stream.whole()) or _held(stream)
    if whole is None:
        yield from _opened(name, one_by_one(stream), ledger)
        return
    try:
        yield from _opened(name, by_directory(whole), ledger)
    except DamagedError as failure:
        ledger.refuse(name, f"is a damaged zip archive: {failure}")
        yield from _opened(name, one_by_one(Stream(whole.after(0))), ledger)


def _held(stream: Stream) -> Whole | None:
    data = stream.read(HELD + 1)
    if len(data) > HELD:
        stream.unread(data)
        return None
    return Whole(len(data), lambda size, place: data[place : place + size])


def _opened(name: str, found: Found, ledger: Ledger) -> Iterator[tuple[str, Stream]]:
    for entry, packed in found:
        if entry.name.endswith("/") or is_clutter(entry.name):
            continue
        member = f"{name}/{tidy(entry.name)}"
        if why := _unfit(entry):
            ledger.refuse(member, why)
        else:
            yield member, _checked(entry, _content(entry, packed, ledger.limits))


def _unfit(entry: Entry) -> str | None:
    if stat.S_ISLNK(entry.mode):
        return "is a link and is not followed"
    if entry.mode and stat.S_IFMT(entry.mode) not in {0, stat.S_IFREG}:
        return "is not a regular file and is not read"
    if entry.flags & ENCRYPTED:
        return "is encrypted"
    if entry.method not in {STORED, DEFLATED, *OTHER_METHODS}:
        return "is packed in a way that is not read"
    return trap(entry.name)


def _content(entry: Entry, packed: Stream, limits: Limits) -> Stream:
    """A member ends where it has swollen beyond reason; the members after it are still read."""
    if entry.method == STORED:
        return packed
    if entry.method == DEFLATED:
        return inflated(packed, limits)
    return decompressed(OTHER_METHODS[entry.method], packed, limits)


def _checked(entry: Entry, content: Stream) -> Stream:
    """The same bytes; at their end it is told if they are not those that were packed."""
    from isal.isal_zlib import crc32

    seen = 0

    def pull(size: int) -> bytes:
        nonlocal seen
        chunk = content.read(size)
        if content.damage and not chunk:
            raise DamagedError(content.damage)
        seen = crc32(chunk, seen)
        if not chunk and entry.crc is not None and seen != entry.crc:
            raise DamagedError("its CRC-32 is wrong")
        return chunk

    return Stream(pull, (DamagedError,))

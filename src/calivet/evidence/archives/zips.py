"""The members of a zip archive: as the directory at its end tells them, or one after the other where that is lost."""

from __future__ import annotations

import stat
import struct
from bisect import bisect_right
from collections.abc import Iterator
from itertools import count, islice

from msgspec import Struct, structs

from calivet.evidence.archives.compression import decompress_stream, inflate_stream
from calivet.evidence.archives.member_names import clean_name, find_trap, is_clutter
from calivet.evidence.sources.budget import ReadingBudget
from calivet.evidence.sources.stream import Stream, Whole, take_first
from calivet.messages.message import Message, MessageError, message

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
WINDOWS = frozenset((0, 10, 11))
"""The systems of an archive's maker on which a backslash parts folders: DOS, NTFS and VFAT."""
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
    overlaps: bool = False
    """Its bytes, or a part of them, are another member's too, as only bombs have it."""


Found = Iterator[tuple[Entry, Stream]]
"""Each member, and its packed bytes."""


def decode_name(name: bytes, flags: int) -> str:
    """As its maker meant it: old ones write in the alphabet of DOS, and some say so of what is UTF-8 all the same."""
    try:
        return name.decode("utf-8")
    except UnicodeDecodeError:
        return name.decode("utf-8", "replace") if flags & UNICODE else name.decode("cp437")


def separate_folders(name: str, maker: int) -> str:
    """Windows PowerShell parts folders by backslashes; on other systems one may be a letter of a name."""
    return name.replace("\\", "/") if maker >> 8 in WINDOWS else name


def read_wide_numbers(extra: bytes, *numbers: int) -> list[int]:
    """The numbers, with those that were too wide taken from where they then stand."""
    field = _find_field(extra, WIDE)
    wide = (int.from_bytes(field[at : at + 8], "little") for at in count(0, 8))
    return [next(wide) if number == _FULL else number for number in numbers]


def _find_field(extra: bytes, wanted: int) -> bytes:
    while len(extra) >= 4:
        kind, size = struct.unpack_from("<HH", extra)
        if kind == wanted:
            return extra[4 : 4 + size]
        extra = extra[4 + size :]
    return b""


class DamagedError(MessageError):
    """The archive is not as its own words say."""


def read_by_directory(whole: Whole, most: int) -> Found:
    """Each member, wherever it lies; nothing is given of a directory that is damaged within the first so many."""
    begins = sorted(offset for _, offset, _ in islice(_read_headers(whole), most))
    seen: set[int] = set()
    for entry, offset, packed in _read_headers(whole):
        later = bisect_right(begins, offset)
        ends = begins[later] if later < len(begins) else whole.size
        start = _find_content(whole, offset)
        overlaps = offset in seen or (start is not None and start + packed > ends)
        seen.add(offset)
        yield structs.replace(entry, overlaps=overlaps), _open_packed(whole, start, packed)


def _read_headers(whole: Whole) -> Iterator[tuple[Entry, int, int]]:
    """Each member, where it begins, and its packed size."""
    start, size, shift = _find_directory(whole)
    directory = Stream(whole.after(start))
    while directory.taken < size:
        header = directory.read(CENTRAL_HEADER.size)
        if not header.startswith(CENTRAL) or len(header) < CENTRAL_HEADER.size:
            raise DamagedError(message("archive.directory.damaged"))
        fields = CENTRAL_HEADER.unpack(header)
        flags, method, crc, packed, full = fields[3], fields[4], *fields[7:10]
        name, extra, _ = (directory.read(length) for length in fields[10:13])
        _, packed, offset = read_wide_numbers(extra, full, packed, fields[16])
        member = separate_folders(decode_name(name, flags), fields[1])
        yield Entry(member, flags, method, crc, fields[15] >> 16), offset + shift, packed


def _find_directory(whole: Whole) -> tuple[int, int, int]:
    """Where it begins, its size, and how much was put before the archive."""
    tail_at = max(0, whole.size - END_RECORD.size - LONGEST_COMMENT)
    tail = whole.read_at(whole.size - tail_at, tail_at)
    at = tail.rfind(END)
    if at < 0 or len(tail) - at < END_RECORD.size:
        raise DamagedError(message("archive.directory.missing"))
    *_, size, offset, _ = END_RECORD.unpack_from(tail, at)
    end = tail_at + at
    locator_at = end - WIDE_LOCATOR_RECORD.size
    locator = whole.read_at(WIDE_LOCATOR_RECORD.size, locator_at) if locator_at >= 0 else b""
    if locator.startswith(WIDE_LOCATOR):
        end = locator_at - WIDE_END_RECORD.size
        record = whole.read_at(WIDE_END_RECORD.size, max(0, end))
        if not record.startswith(WIDE_END) or len(record) < WIDE_END_RECORD.size:
            raise DamagedError(message("archive.directory.missing"))
        *_, size, offset = WIDE_END_RECORD.unpack(record)
    start = end - size
    if start < offset:
        raise DamagedError(message("archive.directory.outside"))
    return start, size, start - offset


def _find_content(whole: Whole, offset: int) -> int | None:
    """Where the member's own header ends; None where there is none."""
    header = whole.read_at(LOCAL_HEADER.size, offset)
    if not header.startswith(LOCAL) or len(header) < LOCAL_HEADER.size:
        return None
    *_, name, extra = LOCAL_HEADER.unpack(header)
    return int(offset + LOCAL_HEADER.size + name + extra)


def _open_packed(whole: Whole, start: int | None, size: int) -> Stream:
    def missing(_: int) -> bytes:
        raise DamagedError(message("archive.directory.wrong"))

    return Stream(missing, (DamagedError,)) if start is None else take_first(Stream(whole.after(start)), size)


WINDOW = 1 << 16


def read_one_by_one(stream: Stream) -> Found:
    """From one member's own header to the next one's; whoever takes a member is done with it when he asks for more."""
    while _skip_to_header(stream):
        header = stream.read(LOCAL_HEADER.size)
        if len(header) < LOCAL_HEADER.size:
            return
        _, _, flags, method, _, _, crc, packed, full, *lengths = LOCAL_HEADER.unpack(header)
        name, extra = (stream.read(length) for length in lengths)
        if len(name) + len(extra) < sum(lengths):
            return
        _, packed = read_wide_numbers(extra, full, packed)
        untold = bool(flags & DESCRIBED_BEHIND) and not packed
        content = _open_untold(stream, method) if untold else take_first(stream, packed)
        yield Entry(decode_name(name, flags), flags, method, None if untold else crc), content
        if untold:
            stream.unread(content.ahead)
        while not untold and content.read(WINDOW):
            pass


def _open_untold(stream: Stream, method: int) -> Stream:
    """Deflated data know their own end; anything else goes on to where the next part seems to begin."""
    return Stream(stream.read) if method == DEFLATED else Stream(lambda wanted: _read_before_signature(stream, wanted))


def _read_before_signature(stream: Stream, wanted: int) -> bytes:
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


HELD = 32 << 20
"""An archive that comes through a pipe or lies in another one is held in memory up to this size."""
OTHER_METHODS = {BZIP2: "bzip2", ZSTD: "zstd", XZ: "xz"}


def list_members(name: str, stream: Stream, budget: ReadingBudget) -> Iterator[tuple[str, Stream | None]]:
    """Each regular file of the archive; folders, links, encrypted members and traps have no content.

    What cannot be read from any place is too long to hold: its members are taken as they come, without what only the
    directory at the end says.
    """
    whole = (stream.whole and stream.whole()) or _hold_whole(stream)
    if whole is None:
        yield from _open_members(name, read_one_by_one(stream), budget)
        return
    try:
        yield from _open_members(name, read_by_directory(whole, budget.limits.entries + 1), budget)
    except DamagedError as failure:
        budget.refuse(name, message("archive.damaged.archive", kind="zip", why=failure.message))
        yield from _open_members(name, read_one_by_one(Stream(whole.after(0))), budget)


def _hold_whole(stream: Stream) -> Whole | None:
    data = stream.read(HELD + 1)
    if len(data) > HELD:
        stream.unread(data)
        return None
    return Whole(len(data), lambda size, place: data[place : place + size])


def _open_members(name: str, found: Found, budget: ReadingBudget) -> Iterator[tuple[str, Stream | None]]:
    for entry, packed in found:
        member, content = f"{name}/{clean_name(entry.name)}", None
        if not entry.name.endswith("/") and not is_clutter(entry.name):
            if why := _explain_unfit(entry):
                budget.refuse(member, why)
            else:
                content = _check_content(entry, _open_content(entry, packed, budget))
        yield member, content


def _explain_unfit(entry: Entry) -> Message | None:
    if stat.S_ISLNK(entry.mode):
        return message("archive.link")
    if entry.mode and stat.S_IFMT(entry.mode) not in {0, stat.S_IFREG}:
        return message("evidence.not_regular")
    if entry.overlaps:
        return message("archive.overlaps")
    if entry.flags & ENCRYPTED:
        return message("archive.encrypted")
    if entry.method not in {STORED, DEFLATED, *OTHER_METHODS}:
        return message("archive.packing.method")
    return find_trap(entry.name)


def _open_content(entry: Entry, packed: Stream, budget: ReadingBudget) -> Stream:
    """A member ends where it has swollen beyond reason; the members after it are still read."""
    if entry.method == STORED:
        return packed
    if entry.method == DEFLATED:
        return inflate_stream(packed, budget)
    return decompress_stream(OTHER_METHODS[entry.method], packed, budget)


def _check_content(entry: Entry, content: Stream) -> Stream:
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
            raise DamagedError(message("archive.checksum"))
        return chunk

    return Stream(pull, (DamagedError,))

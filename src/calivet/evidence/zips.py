"""The members of a zip archive, also of one whose directory at the end is lost."""

from __future__ import annotations

import io
import stat
import struct
from collections.abc import Iterator
from typing import TYPE_CHECKING

from calivet.evidence.ledger import Ledger, Limits
from calivet.evidence.names import is_clutter, tidy, trap
from calivet.evidence.stream import Stream

if TYPE_CHECKING:
    import zipfile

LOCAL = b"PK\x03\x04"
LOCAL_HEADER = struct.Struct("<4sHHHHHLLLHH")
STORED, DEFLATED = 0, 8
ENCRYPTED = 1


def members(name: str, data: bytes, ledger: Ledger) -> Iterator[tuple[str, Stream]]:
    """Each regular file of the archive; links, encrypted members and traps are listed instead."""
    import zipfile
    import zlib

    failures = (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError, ValueError)
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except failures as failure:
        ledger.refuse(name, f"is a damaged zip archive: {failure}")
        yield from _salvaged(name, data, ledger)
        return
    for entry in archive.infolist():
        member = f"{name}/{tidy(entry.filename)}"
        if entry.filename.endswith("/") or is_clutter(entry.filename):
            continue
        if why := _unfit(entry):
            ledger.refuse(member, why)
            continue
        try:
            content = archive.open(entry)
        except failures as failure:
            ledger.refuse(member, str(failure))
        else:
            yield member, _bounded(Stream(content.read, failures), entry.compress_size, ledger.limits)


def _unfit(entry: zipfile.ZipInfo) -> str | None:
    mode = entry.external_attr >> 16
    if stat.S_ISLNK(mode):
        return "is a link and is not followed"
    if mode and stat.S_IFMT(mode) not in {0, stat.S_IFREG}:
        return "is not a regular file and is not read"
    if entry.flag_bits & ENCRYPTED:
        return "is encrypted"
    return trap(entry.filename)


def _bounded(content: Stream, packed: int, limits: Limits) -> Stream:
    """A member ends where it has swollen beyond reason; the members after it are still read."""

    def pull(size: int) -> bytes:
        chunk = content.read(size)
        if content.damage and not chunk:
            raise ValueError(content.damage)
        if content.taken > limits.swollen and content.taken > limits.ratio * packed:
            raise ValueError(f"unpacks to more than {limits.ratio} times its size; the rest was not read")
        return chunk

    return Stream(pull, (ValueError,))


def _salvaged(name: str, data: bytes, ledger: Ledger) -> Iterator[tuple[str, Stream]]:
    """Walks from one local header to the next, as far as they go."""
    at = data.find(LOCAL)
    while 0 <= at <= len(data) - LOCAL_HEADER.size:
        header = LOCAL_HEADER.unpack_from(data, at)
        flags, method, packed, name_size, extra_size = header[2], header[3], header[7], header[9], header[10]
        start = at + LOCAL_HEADER.size + name_size + extra_size
        if start > len(data):  # cut inside the name
            return
        entry = data[at + LOCAL_HEADER.size : at + LOCAL_HEADER.size + name_size].decode("utf-8", "replace")
        at = data.find(LOCAL, max(start + packed, at + len(LOCAL)))
        if entry.endswith("/") or is_clutter(entry):
            continue
        member = f"{name}/{tidy(entry)}"
        end = start + packed if packed else (at if at >= 0 else len(data))
        why = trap(entry) or ("is encrypted" if flags & ENCRYPTED else None)
        if why or method not in {STORED, DEFLATED}:
            ledger.refuse(member, why or "is packed in a way that is not read")
        elif method == STORED:
            yield member, Stream(io.BytesIO(data[start:end]).read)
        else:
            yield member, _bounded(_inflated(data[start:end]), end - start, ledger.limits)


def _inflated(packed: bytes) -> Stream:
    import zlib

    inflater = zlib.decompressobj(-zlib.MAX_WBITS)
    rest = packed

    def pull(size: int) -> bytes:
        nonlocal rest
        chunk = inflater.decompress(rest, size)
        rest = inflater.unconsumed_tail
        if not chunk and not inflater.eof:
            raise EOFError("the data ends too early")
        return chunk

    return Stream(pull, (EOFError, zlib.error))

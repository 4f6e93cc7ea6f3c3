"""The members of a tar archive, read forwards; damage costs only what it hit."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from posixpath import dirname, normpath
from typing import IO, TYPE_CHECKING, Self, cast

from calivet.evidence.ledger import Ledger, Limits
from calivet.evidence.names import is_clutter, tidy, trap
from calivet.evidence.stream import Stream, first

if TYPE_CHECKING:
    import tarfile

BLOCK = 512
# How far to look for the next header behind a damaged one.
SEARCHED_BLOCKS = 1 << 17
BITE = 1 << 18
LONGEST_DESCRIPTION = 1 << 20
# The library's own classes for these are not public.
END, NO_MORE, TRUNCATED = "EOFHeaderError", "EmptyHeaderError", "TruncatedHeaderError"


class Forwards:
    """A stream as the library wants a file to be; it never needs to go back."""

    def __init__(self, stream: Stream) -> None:
        self._stream = stream
        self.read = stream.read

    def tell(self) -> int:
        """Bytes behind."""
        return self._stream.taken

    def seek(self, offset: int) -> None:
        """Skips what lies before it; beyond the end it stays there, however far a damaged size leads."""
        while (left := offset - self._stream.taken) > 0 and self._stream.read(min(left, BITE)):
            pass


def members(name: str, stream: Stream, ledger: Ledger) -> Iterator[tuple[str, Stream]]:
    """Each regular file of the archive; links, devices and traps are listed instead."""
    import tarfile

    try:
        archive = tarfile.TarFile(fileobj=cast("IO[bytes]", Forwards(stream)), tarinfo=_entry_type())
    except (tarfile.TarError, ValueError, RecursionError) as failure:
        ledger.refuse(name, f"is a damaged tar archive: {failure}")
        return
    for entry in _entries(name, archive, stream, ledger):
        member = f"{name}/{tidy(entry.name)}"
        if entry.isdir() or is_clutter(entry.name) or _stays_inside(entry):
            continue
        if why := _unfit(entry, ledger.limits):
            ledger.refuse(member, why)
        else:
            yield member, _content(archive, entry, stream)


def _stays_inside(entry: tarfile.TarInfo) -> bool:
    """A link to another member, as sosreports have many: what it leads to is read anyway."""
    if entry.islnk():
        return trap(entry.linkname) is None
    target = f"{dirname(entry.name)}/{entry.linkname}" if entry.issym() else ""
    return bool(target) and not entry.linkname.startswith("/") and trap(normpath(target).lstrip("/")) is None


def _unfit(entry: tarfile.TarInfo, limits: Limits) -> str | None:
    if entry.issym() or entry.islnk():
        return f"is a link to {entry.linkname} and is not followed"
    if not entry.isreg():
        return "is not a regular file and is not read"
    # Holes cost nothing in the archive and everything in memory.
    filled = sum(size for _, size in cast("list[tuple[int, int]]", entry.sparse or []))
    if entry.sparse and entry.size > max(limits.swollen, limits.ratio * filled):
        return f"unpacks to more than {limits.ratio} times its size and is not read"
    return trap(entry.name)


def _content(archive: tarfile.TarFile, entry: tarfile.TarInfo, stream: Stream) -> Stream:
    """Read here, because the library gives nothing of a stretch that is cut; holes alone are left to it."""
    import tarfile

    if not entry.sparse:
        cast("IO[bytes]", archive.fileobj).seek(entry.offset_data)
        return first(stream, max(0, entry.size))
    file = cast("IO[bytes]", archive.extractfile(entry))
    return first(Stream(file.read, (tarfile.TarError, OSError, EOFError)), max(0, entry.size))


def _entries(name: str, archive: tarfile.TarFile, stream: Stream, ledger: Ledger) -> Iterator[tarfile.TarInfo]:
    """Like iterating the archive, which would end silently at a damaged header: this says so and looks further."""
    import tarfile

    entry = archive.next()
    bad_blocks = 0
    file = cast("IO[bytes]", archive.fileobj)
    while bad_blocks < SEARCHED_BLOCKS:
        if entry is not None:
            yield entry
        try:
            file.seek(archive.offset)
            entry = archive.tarinfo.fromtarfile(archive)
        except tarfile.HeaderError as failure:
            kind = type(failure).__name__
            if kind == NO_MORE and not stream.damage:
                ledger.refuse(name, "ends without the mark of its end; more may have followed")
            if kind in (END, NO_MORE):
                file.read(BITE)  # padding, and behind it the checksum of what the archive is packed in
                return
            if not bad_blocks:
                ledger.refuse(name, f"is damaged at byte {archive.offset:,}: {failure}")
            if kind == TRUNCATED:
                return
            entry = None
            bad_blocks += 1
            archive.offset += BLOCK
        except (tarfile.TarError, OSError, EOFError, ValueError, RecursionError) as failure:
            ledger.refuse(name, f"is damaged at byte {archive.offset:,}: {failure}")
            return


@cache
def _entry_type() -> type[tarfile.TarInfo]:
    """An entry whose own description is not read whole into memory, however long it claims to be."""
    import tarfile

    describing = (*tarfile.GNU_TYPES[:2], tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.SOLARIS_XHDTYPE)

    class Entry(tarfile.TarInfo):
        @classmethod
        def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> Self:
            entry = super().frombuf(buf, encoding, errors)
            if entry.type in describing and entry.size > LONGEST_DESCRIPTION:
                raise tarfile.HeaderError("a header of absurd length")
            return entry

    return Entry

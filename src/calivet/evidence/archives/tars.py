"""The members of a tar archive, read forwards; damage costs only what it hit."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from posixpath import dirname, normpath
from typing import IO, TYPE_CHECKING, Self, cast

from calivet.evidence.archives.member_names import clean_name, find_trap, is_clutter
from calivet.evidence.sources.budget import Limits, ReadingBudget
from calivet.evidence.sources.stream import Stream, take_first
from calivet.messages.message import Message, make_verbatim, message
from calivet.search.expressions import expression

if TYPE_CHECKING:
    import tarfile

BLOCK = 512
# How far to look for the next header behind a damaged one.
SEARCHED_BLOCKS = 1 << 17
BITE = 1 << 18
LONGEST_DESCRIPTION = 1 << 20
LONGEST_HEADER = 2 << 20
LONG_NUMBER = expression(rb"[0-9]{40}")
# The library's own classes for these are not public.
END, NO_MORE, TRUNCATED = "EOFHeaderError", "EmptyHeaderError", "TruncatedHeaderError"


class Forwards:
    """A stream as the library wants a file to be; it never needs to go back."""

    def __init__(self, stream: Stream) -> None:
        self._stream = stream
        self.header_left: int | None = LONGEST_HEADER
        """Bytes that the header at hand, with all that belongs to it, may still have; None between headers."""

    def read(self, size: int) -> bytes:
        """Of a header only what can be bearable; until 3.11.10 the library's time grows with the square of a number."""
        import tarfile

        if self.header_left is None:
            return self._stream.read(size)
        self.header_left -= size
        data = self._stream.read(size) if self.header_left >= 0 else b""
        if self.header_left < 0 or (len(data) > BLOCK and LONG_NUMBER.search(data)):
            raise tarfile.ReadError("a header of absurd length")
        return data

    def tell(self) -> int:
        """Bytes behind."""
        return self._stream.taken

    def seek(self, offset: int) -> None:
        """Skips what lies before it; beyond the end it stays there, however far a damaged size leads."""
        while (left := offset - self._stream.taken) > 0 and self._stream.read(min(left, BITE)):
            pass


def list_members(name: str, stream: Stream, budget: ReadingBudget) -> Iterator[tuple[str, Stream | None]]:
    """Each regular file of the archive; folders, links, devices and traps have no content."""
    import tarfile

    try:
        archive = tarfile.TarFile(fileobj=cast("IO[bytes]", Forwards(stream)), tarinfo=_build_entry_type())
    except (tarfile.TarError, ValueError, RecursionError) as failure:
        budget.refuse(name, message("archive.damaged.archive", kind="tar", why=make_verbatim(str(failure))))
        return
    for entry in _read_entries(name, archive, stream, budget):
        member, content = f"{name}/{clean_name(entry.name)}", None
        if not entry.isdir() and not is_clutter(entry.name) and not _does_stay_inside(entry):
            if why := _explain_unfit(entry, budget.limits):
                budget.refuse(member, why)
            else:
                content = _open_content(archive, entry, stream)
        yield member, content


def _does_stay_inside(entry: tarfile.TarInfo) -> bool:
    """A link to another member, as sosreports have many: what it leads to is read anyway."""
    if entry.islnk():
        return find_trap(entry.linkname) is None
    target = f"{dirname(entry.name)}/{entry.linkname}" if entry.issym() else ""
    return bool(target) and not entry.linkname.startswith("/") and find_trap(normpath(target).lstrip("/")) is None


def _explain_unfit(entry: tarfile.TarInfo, limits: Limits) -> Message | None:
    if entry.issym() or entry.islnk():
        return message("archive.link.to", target=entry.linkname)
    if not entry.isreg():
        return message("evidence.not_regular")
    # Holes cost nothing in the archive and everything in memory.
    filled = sum(size for _, size in cast("list[tuple[int, int]]", entry.sparse or []))
    if entry.sparse and entry.size > max(limits.swollen, limits.ratio * filled):
        return message("archive.swollen.holes", ratio=limits.ratio)
    return find_trap(entry.name)


def _open_content(archive: tarfile.TarFile, entry: tarfile.TarInfo, stream: Stream) -> Stream:
    """Read here, because the library gives nothing of a stretch that is cut; holes alone are left to it."""
    import tarfile

    if not entry.sparse:
        cast("IO[bytes]", archive.fileobj).seek(entry.offset_data)
        return take_first(stream, max(0, entry.size))
    file = cast("IO[bytes]", archive.extractfile(entry))
    return take_first(Stream(file.read, (tarfile.TarError, OSError, EOFError)), max(0, entry.size))


def _read_entries(
    name: str, archive: tarfile.TarFile, stream: Stream, budget: ReadingBudget
) -> Iterator[tarfile.TarInfo]:
    """Like iterating the archive, which would end silently at a damaged header: this says so and looks further."""
    import tarfile

    entry = archive.next()
    bad_blocks = 0
    file = cast("Forwards", archive.fileobj)
    while bad_blocks < SEARCHED_BLOCKS:
        if entry is not None:
            file.header_left = None
            yield entry
        try:
            file.seek(archive.offset)
            file.header_left = LONGEST_HEADER
            entry = archive.tarinfo.fromtarfile(archive)
        except tarfile.HeaderError as failure:
            kind = type(failure).__name__
            if kind == NO_MORE and not stream.damage:
                budget.refuse(name, message("archive.no_end"))
            if kind in (END, NO_MORE):
                stream.read(BITE)  # padding, and behind it the checksum of what the archive is packed in
                return
            if not bad_blocks:
                budget.refuse(name, _describe_damage(archive, failure))
            if kind == TRUNCATED:
                return
            entry = None
            bad_blocks += 1
            archive.offset += BLOCK
        except (tarfile.TarError, OSError, EOFError, ValueError, RecursionError) as failure:
            budget.refuse(name, _describe_damage(archive, failure))
            return


def _describe_damage(archive: tarfile.TarFile, failure: Exception) -> Message:
    return message("archive.damaged.at", offset=archive.offset, why=make_verbatim(str(failure)))


@cache
def _build_entry_type() -> type[tarfile.TarInfo]:
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

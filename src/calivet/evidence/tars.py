"""The members of a tar archive, read forwards; damage costs only what it hit."""

from __future__ import annotations

from collections.abc import Iterator
from posixpath import dirname, normpath
from typing import IO, TYPE_CHECKING, cast

from calivet.evidence.ledger import Ledger
from calivet.evidence.names import is_clutter, tidy, trap
from calivet.evidence.stream import Stream

if TYPE_CHECKING:
    import tarfile
    from io import BufferedReader

BLOCK = 512
# How far to look for the next header behind a damaged one.
SEARCHED_BLOCKS = 1 << 17
# The library's own classes for these are not public.
END = frozenset(("EOFHeaderError", "EmptyHeaderError"))
TRUNCATED = "TruncatedHeaderError"


def is_tar(head: bytes) -> bool:
    """By the magic or, for archives older than it, by the header's checksum."""
    if head[257:262] == b"ustar":
        return True
    if len(head) < BLOCK or not head[0]:
        return False
    total = sum(head[:148]) + sum(head[156:BLOCK]) + 8 * ord(" ")
    try:
        return int(head[148:156].strip(b" \0"), 8) == total
    except ValueError:
        return False


def members(name: str, stream: Stream, ledger: Ledger) -> Iterator[tuple[str, Stream]]:
    """Each regular file of the archive; links, devices and traps are listed instead."""
    import tarfile

    try:
        archive = tarfile.open(fileobj=cast("IO[bytes]", stream), mode="r|", bufsize=1 << 18)  # noqa: SIM115
    except tarfile.TarError as failure:
        ledger.refuse(name, f"is a damaged tar archive: {failure}")
        return
    for entry in _entries(name, archive, ledger):
        member = f"{name}/{tidy(entry.name)}"
        if entry.isdir() or is_clutter(entry.name) or _stays_inside(entry):
            continue
        if why := _unfit(entry):
            ledger.refuse(member, why)
        elif content := archive.extractfile(entry):
            yield member, _content(cast("BufferedReader", content), entry.size)


def _stays_inside(entry: tarfile.TarInfo) -> bool:
    """A link to another member, as sosreports have many: what it leads to is read anyway."""
    if entry.islnk():
        return trap(entry.linkname) is None
    target = f"{dirname(entry.name)}/{entry.linkname}" if entry.issym() else ""
    return bool(target) and not entry.linkname.startswith("/") and trap(normpath(target).lstrip("/")) is None


def _unfit(entry: tarfile.TarInfo) -> str | None:
    if entry.issym() or entry.islnk():
        return f"is a link to {entry.linkname} and is not followed"
    if not entry.isreg():
        return "is not a regular file and is not read"
    return trap(entry.name)


def _content(file: BufferedReader, size: int) -> Stream:
    """The library takes the end of a cut archive for the end of the member; the header knows better."""
    import tarfile

    left = size

    def pull(wanted: int) -> bytes:
        nonlocal left
        chunk = file.read1(wanted)
        left -= len(chunk)
        if not chunk and left > 0:
            raise EOFError("the archive ends inside it")
        return chunk

    return Stream(pull, (tarfile.TarError, OSError, EOFError))


def _entries(name: str, archive: tarfile.TarFile, ledger: Ledger) -> Iterator[tarfile.TarInfo]:
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
            entry = tarfile.TarInfo.fromtarfile(archive)
        except tarfile.HeaderError as failure:
            kind = type(failure).__name__
            if kind in END:
                return
            if not bad_blocks:
                ledger.refuse(name, f"is damaged at byte {archive.offset:,}: {failure}")
            if kind == TRUNCATED:
                return
            entry = None
            bad_blocks += 1
            archive.offset += BLOCK
        except (tarfile.TarError, OSError, EOFError) as failure:
            ledger.refuse(name, f"is damaged at byte {archive.offset:,}: {failure}")
            return

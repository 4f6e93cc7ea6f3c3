"""Where documents come from: files, directories, archives, standard input."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial
from pathlib import PurePath
from posixpath import join
from stat import S_ISDIR, S_ISREG
from typing import BinaryIO

from calivet.evidence import files
from calivet.evidence.archives import Raw, unpack
from calivet.evidence.ledger import Ledger
from calivet.evidence.mounts import Ask, Mounts, at_once, mounts
from calivet.evidence.names import is_clutter
from calivet.evidence.patience import HangingError
from calivet.evidence.stream import Stream, Whole

STDIN = "-"


def read_sources(paths: Sequence[str], stdin: BinaryIO | None, ledger: Ledger) -> Iterator[Raw]:
    """Every document of these paths; a directory gives its files in sorted order, `-` is standard input."""
    mounted = mounts()
    for path in paths:
        ledger.open_source()
        if path == STDIN:
            yield from _unpack_from("stdin", Stream((stdin or sys.stdin.buffer).read), ledger)
            continue
        ask = mounted.asking(mounted.place(path))
        try:
            mode = ask(files.mode, path)
        except OSError as failure:
            _refuse(path, failure, ledger)
            continue
        if S_ISDIR(mode):
            yield from _directory(path, mounted, alone=len(paths) == 1, ledger=ledger)
        else:
            # The operator names it himself: a pipe of the shell's `<(...)` is as good as a file, and may take its time.
            yield from _file(path, path, ask if S_ISREG(mode) else at_once, ledger)


def _file(path: str, name: str, ask: Ask, ledger: Ledger) -> Iterator[Raw]:
    try:
        file = ask(files.opened, path)
    except (OSError, ValueError) as failure:
        _refuse(name, failure, ledger)
        return
    try:
        yield from _unpack_from(name, Stream(partial(ask, files.read, file), whole=partial(_whole, ask, file)), ledger)
    finally:
        with suppress(OSError):
            ask(files.close, file)


def _whole(ask: Ask, file: int) -> Whole | None:
    size = ask(files.length, file)
    return None if size is None else Whole(size, partial(ask, files.read_at, file))


def _unpack_from(name: str, stream: Stream, ledger: Ledger) -> Iterator[Raw]:
    yield from unpack(name, stream, ledger)
    if stream.damage:
        ledger.refuse(name, f"could not be read to its end: {stream.damage}")


def _directory(root: str, mounted: Mounts, *, alone: bool, ledger: Ledger) -> Iterator[Raw]:
    """Names are relative to the only directory given; with several paths they keep the path as it was given."""
    some = False
    for name, ask in _walk(root, mounted, ledger):
        some = True
        if why := ledger.exhausted():
            ledger.refuse(root, why)
            return
        yield from _file(join(root, name), name if alone else PurePath(root, name).as_posix(), ask, ledger)
    if not some and not ledger.refused[-1]:
        ledger.refuse(root, "is a directory without files")


def _walk(root: str, mounted: Mounts, ledger: Ledger) -> Iterator[tuple[str, Ask]]:
    """Each file below, and how to ask for it; a directory's files come before those of the directories in it."""
    place = mounted.place(root)
    pending = [""]
    while pending:
        folder = pending.pop()
        ask = mounted.asking(join(place, folder))
        try:
            found = [entry for entry in ask(files.entries, join(root, folder)) if not is_clutter(entry[0])]
        except OSError as failure:
            _refuse(PurePath(root, folder).as_posix(), failure, ledger)
            continue
        entries = [(join(folder, name), kind) for name, kind in found]
        pending += [name for name, kind in reversed(entries) if kind == files.FOLDER]
        for name, kind in entries:
            if kind == files.FILE:
                yield name, mounted.asking_below(ask, join(place, name))
            elif kind == files.LINK:
                _refuse_link(join(root, name), root, ask, mounted, ledger)
            elif kind == files.OTHER:
                ledger.refuse(join(root, name), "is not a regular file and is not read")


def _refuse_link(link: str, root: str, ask: Ask, mounted: Mounts, ledger: Ledger) -> None:
    """A link that stays inside leads to what is read anyway, so only the others are worth a word."""
    end = mounted.place(link)
    try:
        if ask is not at_once or not mounted.hanging_at(end):
            end = ask(files.target, link)
        inside = PurePath(end).is_relative_to(ask(files.real, root))
    except HangingError as failure:
        _refuse(link, failure, ledger)
    except OSError:
        ledger.refuse(link, "is a link that leads nowhere")
    else:
        if not inside:
            ledger.refuse(link, "is a link that leads out of the directory and is not followed")


def _refuse(name: str, failure: OSError | ValueError, ledger: Ledger) -> None:
    if not isinstance(failure, HangingError):
        ledger.refuse(name, _reason(failure))
    elif all(refused.what != failure.mount for refused in ledger.refused[-1]):
        ledger.refuse(
            failure.mount,
            f"is a file system that gave no answer within {failure.limit:.0f} s; the rest of it was not read",
        )


def _reason(failure: OSError | ValueError) -> str:
    if isinstance(failure, FileNotFoundError):
        return "no such file"
    if isinstance(failure, PermissionError):
        return "may not be read: permission denied"
    return getattr(failure, "strerror", None) or str(failure)

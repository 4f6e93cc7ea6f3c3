"""Where documents come from: files, directories, archives, standard input."""

from __future__ import annotations

import stat
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

from calivet.evidence.archives import Raw, unpack
from calivet.evidence.ledger import Ledger
from calivet.evidence.names import is_clutter
from calivet.evidence.stream import Stream

STDIN = "-"


def read_sources(paths: Sequence[str], stdin: BinaryIO | None, ledger: Ledger) -> Iterator[Raw]:
    """Every document of these paths; a directory gives its files in sorted order, `-` is standard input."""
    for path in paths:
        ledger.open_source()
        if path == STDIN:
            yield from _unpack_from("stdin", stdin or sys.stdin.buffer, ledger)
        elif path and stat.S_ISDIR(_mode(Path(path), follow=True)):
            yield from _directory(Path(path), alone=len(paths) == 1, ledger=ledger)
        else:
            # The operator names it himself: a pipe of the shell's `<(...)` is as good as a file.
            yield from _file(Path(path), path, ledger)


def _file(path: Path, name: str, ledger: Ledger) -> Iterator[Raw]:
    try:
        if not name:
            raise FileNotFoundError
        file = path.open("rb")
    except (OSError, ValueError) as failure:
        ledger.refuse(name, _reason(failure))
        return
    with file:
        yield from _unpack_from(name, file, ledger)


def _unpack_from(name: str, file: BinaryIO, ledger: Ledger) -> Iterator[Raw]:
    stream = Stream(file.read)
    yield from unpack(name, stream, ledger)
    if stream.damage:
        ledger.refuse(name, f"could not be read to its end: {stream.damage}")


def _directory(root: Path, *, alone: bool, ledger: Ledger) -> Iterator[Raw]:
    """Names are relative to the only directory given; with several paths they keep the path as it was given."""
    some = False
    for path in _walk(root, ledger):
        some = True
        if why := ledger.exhausted():
            ledger.refuse(str(root), why)
            return
        yield from _file(path, path.relative_to(root).as_posix() if alone else path.as_posix(), ledger)
    if not some:
        ledger.refuse(str(root), "is a directory without files")


def _walk(root: Path, ledger: Ledger) -> Iterator[Path]:
    """A directory's files come before those of the directories in it."""
    inside = root.resolve()
    pending = [root]
    while pending:
        folder = pending.pop()
        try:
            entries = sorted(entry for entry in folder.iterdir() if not is_clutter(entry.name))
        except OSError as failure:
            ledger.refuse(str(folder), _reason(failure))
            continue
        modes = {entry: _mode(entry) for entry in entries}
        pending += [entry for entry in reversed(entries) if stat.S_ISDIR(modes[entry])]
        for entry, mode in modes.items():
            if stat.S_ISLNK(mode):
                _refuse_link(entry, inside, ledger)
            elif stat.S_ISREG(mode):
                yield entry
            elif not stat.S_ISDIR(mode):
                ledger.refuse(str(entry), "is not a regular file and is not read")


def _refuse_link(link: Path, root: Path, ledger: Ledger) -> None:
    """A link that stays inside leads to what is read anyway, so only the others are worth a word."""
    try:
        inside = link.resolve(strict=True).is_relative_to(root)
    except (OSError, RuntimeError):
        ledger.refuse(str(link), "is a link that leads nowhere")
        return
    if not inside:
        ledger.refuse(str(link), "is a link that leads out of the directory and is not followed")


def _mode(path: Path, *, follow: bool = False) -> int:
    """What it is; where that may not be known, opening it as a file will tell the reason."""
    try:
        return (path.stat() if follow else path.lstat()).st_mode
    except (OSError, ValueError):
        return stat.S_IFREG


def _reason(failure: OSError | ValueError) -> str:
    if isinstance(failure, FileNotFoundError):
        return "no such file"
    if isinstance(failure, PermissionError):
        return "may not be read: permission denied"
    return getattr(failure, "strerror", None) or str(failure)

"""The few questions that a file system is asked; also a program that asks them for somebody else.

A question to a server that is gone may stay in the kernel for ever, and then neither a thread nor its process can be
ended. So whoever cannot risk that (`patience.py`) has this file run as a process of its own and leaves it behind.
"""

from __future__ import annotations

import marshal
import os
import sys
from collections.abc import Callable
from stat import S_IFREG, S_ISREG
from typing import Any

# As in calivet.search.open_flags, which is not found where this runs as a program.
_READ = sum(getattr(os, name, 0) for name in ("O_RDONLY", "O_BINARY", "O_CLOEXEC", "O_NOINHERIT", "O_NOCTTY"))

FILE, FOLDER, LINK, OTHER = "file", "folder", "link", "other"


def read_mode(path: str) -> int:
    """What it is, links followed; where that may not be known, opening it as a file will tell the reason."""
    try:
        return os.stat(path).st_mode  # noqa: PTH116 - it starts fast because it imports little
    except (OSError, ValueError):
        return S_IFREG


def list_entries(folder: str) -> list[tuple[str, str]]:
    """Names and kinds, as the folder itself tells them: nothing in it is touched, for that may hang as well."""
    with os.scandir(folder) as found:
        return sorted((entry.name, _read_kind(entry)) for entry in found)


def _read_kind(entry: os.DirEntry[str]) -> str:
    try:
        if entry.is_symlink():
            return LINK
        if entry.is_dir(follow_symlinks=False):
            return FOLDER
        return FILE if entry.is_file(follow_symlinks=False) else OTHER
    except OSError:
        return FILE


def resolve_path(path: str) -> str:
    """The path without links, also where there is nothing."""
    return os.path.realpath(path)


def resolve_target(link: str) -> str:
    """What it leads to in the end; an error where there is nothing."""
    return os.path.realpath(link, strict=True)


def open_file(path: str) -> int:
    """The number by which it is read."""
    return os.open(path, _READ)


def read(file: int, size: int) -> bytes:
    """What comes next, at most so much."""
    return os.read(file, size)


def read_length(file: int) -> int | None:
    """Its size, if it can be read from any place."""
    found = os.fstat(file)
    return found.st_size if S_ISREG(found.st_mode) else None


def read_at(file: int, size: int, place: int) -> bytes:
    """So much from this place on."""
    return os.pread(file, size, place)


def close(file: int) -> None:
    """Read to its end, or far enough."""
    os.close(file)


QUESTIONS: dict[str, Callable[..., Any]] = {
    question.__name__: question
    for question in (
        read_mode,
        list_entries,
        resolve_path,
        resolve_target,
        open_file,
        read,
        read_length,
        read_at,
        close,
    )
}


def _serve() -> None:
    """Until whoever asks has gone."""
    asked, answers = sys.stdin.buffer, sys.stdout.buffer
    while True:
        name, details = marshal.load(asked)  # noqa: S302 - calivet itself asks
        try:
            marshal.dump((QUESTIONS[name](*details), None), answers)
        except OSError as failure:
            marshal.dump((None, (failure.errno, failure.strerror)), answers)
        answers.flush()


if __name__ == "__main__":
    try:
        _serve()
    except (EOFError, OSError):
        os._exit(0)

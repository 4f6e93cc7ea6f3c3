"""The user's own cause files: a folder may hold anything, so it is judged before and while it is read."""

from __future__ import annotations

import os
import stat
from itertools import islice
from pathlib import Path

from calivet.cli.exits import CalivetError

MOST_FILES = 1_000
MOST_BYTES = 20_000_000
"""Of all files together."""
_SUFFIXES = (".yaml", ".yml")
# A pipe that nobody writes to would keep us waiting for ever.
_WITHOUT_WAITING = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY


def own_files(directory: str | None) -> dict[str, bytes]:
    """The user's cause files by name."""
    if directory is None:
        return {}
    folder = Path(directory)
    if not folder.is_dir():
        raise CalivetError(f"{directory}: no such directory of causes")
    contents: dict[str, bytes] = {}
    try:
        for path in _paths(folder):
            contents[path.with_suffix(".yaml").name] = _content(path)
            if sum(map(len, contents.values())) > MOST_BYTES:
                raise CalivetError(f"{directory}: holds more than {MOST_BYTES:,} bytes of causes")
    except OSError as error:
        raise CalivetError(f"{error.filename}: {error.strerror}") from None
    return contents


def _paths(folder: Path) -> list[Path]:
    found = list(islice((path for path in folder.iterdir() if path.suffix in _SUFFIXES), MOST_FILES + 1))
    if len(found) > MOST_FILES:
        raise CalivetError(f"{folder}: holds more than {MOST_FILES:,} files of causes")
    return sorted(found)


def _content(path: Path) -> bytes:
    """Not more of it than tells that it is too large; the catalogue says so with its name."""
    from calivet.catalogue.parsing import FILE_BYTES

    with open(path, "rb", opener=lambda name, _: os.open(name, _WITHOUT_WAITING)) as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise CalivetError(f"{path}: is not a regular file and is not read")
        return file.read(FILE_BYTES + 1)

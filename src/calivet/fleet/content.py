"""A bundle's content in one short text: the same content is not diagnosed twice, wherever it lies."""

from __future__ import annotations

import os
from hashlib import blake2b, file_digest
from pathlib import Path

from calivet.evidence.names import is_clutter

SIZE = 16


def digest(path: str) -> bytes:
    """Of a file its bytes; of a folder the names and bytes of all its files. Work for an engine."""
    place = Path(path)
    if place.exists() and not place.is_dir() and not place.is_file():
        raise OSError("is not a regular file and is not read")
    if not place.is_dir():
        return _of_file(place).encode()
    whole = blake2b(digest_size=SIZE)
    for file in _files(place):
        name = os.fsencode(file.relative_to(place).as_posix())
        whole.update(b"%d %b %b\n" % (len(name), name, _of_file(file).encode()))
    return whole.hexdigest().encode()


def _files(root: Path) -> list[Path]:
    """As evidence is gathered: links lead to nothing that is read."""
    found = []
    for folder, inner, names in os.walk(root):
        inner[:] = [name for name in inner if not is_clutter(name)]
        files = (Path(folder) / name for name in names if not is_clutter(name))
        found += [file for file in files if file.is_file() and not file.is_symlink()]
    return sorted(found)


def _of_file(path: Path) -> str:
    with path.open("rb") as file:
        return file_digest(file, lambda: blake2b(digest_size=SIZE)).hexdigest()

"""The catalogue as the command line asks for it: shipped, and the user's own cause files.

The user's folder may hold anything, so it is judged before and while it is read.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from calivet.cli.exits import CalivetError
from calivet.cli.terminal.output import tell
from calivet.messages.message import make_verbatim, message, say
from calivet.search.open_flags import READ_AT_ONCE

if TYPE_CHECKING:
    from calivet.catalogue.model import Catalogue
    from calivet.signs.sign_detector import SignDetector

MOST_FILES = 1_000
MOST_BYTES = 20_000_000
"""Of all files together."""
_SUFFIXES = (".yaml", ".yml")


def load_causes(directory: str | None) -> Catalogue:
    """The catalogue alone, for what only reads it; a file that cannot be used is named with key and line."""
    from calivet.catalogue.load import load_ready_catalogue

    with _translate_errors():
        return load_ready_catalogue(read_own_files(directory))


@cache
def load_knowledge(directory: str | None, language: str = "en") -> tuple[Catalogue, SignDetector]:
    """Catalogue and scanner: what a diagnosis needs."""
    from calivet.search.cache import tell_before_making
    from calivet.signs.sign_detector import prepare_detector

    tell_before_making(lambda _: announce_first_run(language))
    with _translate_errors():
        return prepare_detector(read_own_files(directory))


@cache
def announce_first_run(language: str) -> None:
    """Whoever waits at a terminal for the first answer knows what for: once, before the first thing is made."""
    if sys.stderr.isatty():
        tell(f"calivet: {say('cli.first_run', language)}\n")


def read_own_files(directory: str | None) -> dict[str, bytes]:
    """The user's cause files by name."""
    if directory is None:
        return {}
    folder = Path(directory)
    if not folder.is_dir():
        raise CalivetError(message("catalogue.folder.missing", folder=directory))
    contents: dict[str, bytes] = {}
    try:
        for path in _list_paths(folder):
            contents[path.with_suffix(".yaml").name] = _read_content(path)
            if sum(map(len, contents.values())) > MOST_BYTES:
                raise CalivetError(message("catalogue.folder.bytes", folder=directory, limit=MOST_BYTES))
    except OSError as error:
        raise CalivetError(make_verbatim(f"{error.filename}: {error.strerror}")) from None
    return contents


def _list_paths(folder: Path) -> list[Path]:
    found = list(islice((path for path in folder.iterdir() if path.suffix in _SUFFIXES), MOST_FILES + 1))
    if len(found) > MOST_FILES:
        raise CalivetError(message("catalogue.folder.files", folder=str(folder), limit=MOST_FILES))
    return sorted(found)


def _read_content(path: Path) -> bytes:
    """Not more of it than tells that it is too large; the catalogue says so with its name."""
    from calivet.catalogue.parsing import FILE_BYTES

    with open(path, "rb", opener=lambda name, _: os.open(name, READ_AT_ONCE)) as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise CalivetError(message("catalogue.file.not_regular", path=str(path)))
        return file.read(FILE_BYTES + 1)


@contextmanager
def _translate_errors() -> Iterator[None]:
    from calivet.catalogue.load import CatalogueError

    try:
        yield
    except CatalogueError as error:
        raise CalivetError(error.message) from None

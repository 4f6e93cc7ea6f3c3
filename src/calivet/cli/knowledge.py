"""The catalogue as the command line asks for it: shipped, and the user's own files."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from calivet.cli.exits import CalivetError

if TYPE_CHECKING:
    from calivet.catalogue.model import Catalogue
    from calivet.signs.collect import Watch


def known_causes(directory: str | None) -> Catalogue:
    """The catalogue alone, for what only reads it; a file that cannot be used is named with key and line."""
    from calivet.catalogue.ready import ready_catalogue

    with _complaints():
        return ready_catalogue(own_files(directory))


@cache
def knowledge(directory: str | None) -> tuple[Catalogue, Watch]:
    """Catalogue and scanner: what a diagnosis needs."""
    from calivet.signs.ready import ready

    with _complaints():
        return ready(own_files(directory))


@contextmanager
def _complaints() -> Iterator[None]:
    from calivet.catalogue.load import CatalogueError

    try:
        yield
    except CatalogueError as error:
        raise CalivetError(str(error)) from None


def own_files(directory: str | None) -> dict[str, bytes]:
    """The user's cause files by name."""
    if directory is None:
        return {}
    folder = Path(directory)
    if not folder.is_dir():
        raise CalivetError(f"{directory}: no such directory of causes")
    try:
        found = sorted(path for path in folder.iterdir() if path.suffix in (".yaml", ".yml"))
        return {path.with_suffix(".yaml").name: path.read_bytes() for path in found}
    except OSError as error:
        raise CalivetError(f"{error.filename}: {error.strerror}") from None

"""The catalogue as the command line asks for it: shipped, and the user's own files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from calivet.cli.exits import CalivetError

if TYPE_CHECKING:
    from calivet.catalogue.model import Catalogue
    from calivet.signs.collect import Watch


def knowledge(directory: str | None) -> tuple[Catalogue, Watch]:
    """Catalogue and scanner; a file that cannot be used is a failure that names file, key and line."""
    from calivet.catalogue.load import CatalogueError
    from calivet.signs.ready import ready

    try:
        return ready(_own_files(directory))
    except CatalogueError as error:
        raise CalivetError(str(error)) from None


def _own_files(directory: str | None) -> dict[str, bytes]:
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

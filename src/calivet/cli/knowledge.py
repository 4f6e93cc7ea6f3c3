"""The catalogue as the command line asks for it: shipped, and the user's own files."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING

from calivet.cli.exits import CalivetError
from calivet.cli.own_causes import own_files

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

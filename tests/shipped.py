"""The catalogue as its files stand, read and checked once in a process: that takes seconds, and many tests ask for it."""

from __future__ import annotations

from functools import cache

from calivet.catalogue.load import load_catalogue, read_shipped_files
from calivet.catalogue.model import Catalogue


@cache
def load_shipped_catalogue() -> Catalogue:
    """Nothing in it can be changed, so all tests may share it."""
    return load_catalogue(read_shipped_files())

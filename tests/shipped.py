"""The catalogue as its files stand, checked once and then kept as for any run: that takes seconds, and many tests ask for it."""

from __future__ import annotations

from functools import cache

from calivet.catalogue.load import load_ready_catalogue
from calivet.catalogue.model import Catalogue


@cache
def load_shipped_catalogue() -> Catalogue:
    """Nothing in it can be changed, so all tests may share it."""
    return load_ready_catalogue()

"""What a worker knows: taken once, however many paths it works on."""

from __future__ import annotations

from functools import lru_cache

from calivet.catalogue.model import Catalogue
from calivet.signs.collect import Watch
from calivet.signs.ready import ready

OwnFiles = tuple[tuple[str, bytes], ...]
"""The user's own cause files, by name: they travel with the work, for another machine does not have them."""


@lru_cache(maxsize=1)
def knowledge(own: OwnFiles) -> tuple[Catalogue, Watch]:
    """Catalogue and scanner."""
    return ready(dict(own))

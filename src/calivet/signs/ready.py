"""The catalogue and its scanner, ready to look."""

from __future__ import annotations

from collections.abc import Mapping

from calivet.catalogue.model import Catalogue
from calivet.catalogue.ready import ready_catalogue
from calivet.signs.collect import Watch


def ready(own: Mapping[str, bytes] | None = None) -> tuple[Catalogue, Watch]:
    """The shipped catalogue, with the user's own cause files where given."""
    catalogue = ready_catalogue(own)
    return catalogue, Watch(catalogue)

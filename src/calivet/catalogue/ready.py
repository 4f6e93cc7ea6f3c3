"""The catalogue ready for use: kept from the last run where nothing has changed."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from calivet import __version__
from calivet.catalogue.load import SHARED, load_catalogue, shipped_files, shipped_state
from calivet.catalogue.model import Catalogue
from calivet.evidence.cache import kept


def ready_catalogue(own: Mapping[str, bytes] | None = None) -> Catalogue:
    """The shipped catalogue, with the user's own cause files where given."""
    own = own or {}
    named = [part for name in sorted(own) for part in (name.encode(), own[name])]
    # Taken before the files are read: what changes in between is another state and is read anew the next time.
    made_from = [__version__.encode(), shipped_state(), *named]
    encoded = kept("catalogue", made_from, lambda: msgspec.msgpack.encode(load_catalogue(_sources(own))))
    return msgspec.msgpack.decode(encoded, type=Catalogue)


def _sources(own: Mapping[str, bytes]) -> dict[str, bytes]:
    """Lists that causes share grow; a cause file of the same name takes the shipped one's place."""
    sources = shipped_files()
    for name, content in own.items():
        sources[name] = sources[name] + b"\n" + content if name in SHARED else content
    return sources

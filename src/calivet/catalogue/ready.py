"""The catalogue ready for use: kept from the last run where nothing has changed."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from calivet import __version__
from calivet.catalogue.load import SHARED, load_catalogue, shipped_files
from calivet.catalogue.model import Catalogue
from calivet.evidence.cache import kept


def ready_catalogue(own: Mapping[str, bytes] | None = None) -> Catalogue:
    """The shipped catalogue, with the user's own cause files where given."""
    sources = shipped_files()
    for name, content in (own or {}).items():
        # Lists that causes share grow; a cause file of the same name takes the shipped one's place.
        sources[name] = sources[name] + b"\n" + content if name in SHARED else content
    named = [part for name in sorted(sources) for part in (name.encode(), sources[name])]
    made_from = [__version__.encode(), *named]
    encoded = kept("catalogue", made_from, lambda: msgspec.msgpack.encode(load_catalogue(sources)))
    return msgspec.msgpack.decode(encoded, type=Catalogue)

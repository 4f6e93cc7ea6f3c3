"""Which lists calivet asks for: taken from what it really asks, so that the comparison cannot drift from it."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from msgspec import Struct

from calivet.cli.terminal.progress import Silence
from calivet.live.collecting import Collector, Scope
from calivet.live.connection import Access, Connection, connect

LATER = ("continue", "resourceVersion")
"""In which the requests for the pages of one list differ."""
TRIES = 5
"""An API server that has just started refuses lists that it is loading, or knows none of Calico's resources yet."""
LONG = ("nodes", "pods", "blockaffinities", "ipamblocks")
"""What a fair comparison cannot do without."""


class Listing(Struct):
    """One list, as its first page is asked for, and how many pages of it are."""

    path: str
    query: dict[str, str]
    accept: str
    pages: int = 1


class Recorder:
    """Passes every request on to a connection and remembers those for lists."""

    def __init__(self, connection: Connection) -> None:
        self.server, self.context = connection.server, connection.context
        self._connection = connection
        self._lock = threading.Lock()
        self._listings: dict[object, Listing] = {}

    def get(self, path: str, query: Mapping[str, str] | None = None, accept: str = "", **bounds: Any) -> bytes:
        """The answer of the connection."""
        accept = accept or "application/json"
        if query and "limit" in query:
            same = path, accept, frozenset(pair for pair in query.items() if pair[0] not in LATER)
            with self._lock:
                if known := self._listings.get(same):
                    known.pages += 1
                else:
                    self._listings[same] = Listing(path, dict(query), accept)
        return self._connection.get(path, query, accept, **bounds)

    def listings(self) -> list[Listing]:
        """Every list that was asked for."""
        return list(self._listings.values())


def asked(kubeconfig: Path) -> list[Listing]:
    """The lists that a diagnosis of this cluster needs."""
    for _ in range(TRIES):
        recorder = Recorder(connect(Access(kubeconfig=str(kubeconfig))))
        # It answers all that a collector asks of a connection.
        failed = Collector(cast("Connection", recorder), Scope(), Silence()).collect().failed
        listings = recorder.listings()
        there = {listing.path.rpartition("/")[2] for listing in listings}
        if not failed and there.issuperset(LONG):
            return listings
        time.sleep(1)
    raise RuntimeError(f"the cluster does not answer: {failed or sorted(set(LONG) - there)}")

"""Merely downloading: every list over one connection with the standard library, and nothing made of it."""

from __future__ import annotations

import http.client
import ssl
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urlencode, urlsplit

from bench.big_cluster.recording import Listing

PIECE = 1 << 16
MARK = b'"continue":"'


def download(server: str, ca: Path, token: str, listings: Sequence[Listing]) -> int:
    """How many bytes there were."""
    place = urlsplit(server)
    context = ssl.create_default_context(cafile=str(ca))
    connection = http.client.HTTPSConnection(place.hostname or "", place.port, context=context)
    headers = {"Authorization": f"Bearer {token}", "Accept-Encoding": "identity"}
    try:
        return sum(_list(connection, headers | {"Accept": listing.accept}, listing) for listing in listings)
    finally:
        connection.close()


def _list(connection: http.client.HTTPSConnection, headers: dict[str, str], listing: Listing) -> int:
    query, total = listing.query, 0
    for _ in range(listing.pages):
        connection.request("GET", f"{listing.path}?{urlencode(query)}", headers=headers)
        answer = connection.getresponse()
        ends, size = _discard(answer)
        if answer.status != 200:
            raise RuntimeError(f"{listing.path}: {answer.status} {ends[:300]!r}")
        total += size
        if not (following := _token(ends)):
            break
        query = {key: value for key, value in query.items() if key != "resourceVersion"} | {"continue": following}
    return total


def _discard(answer: http.client.HTTPResponse) -> tuple[bytes, int]:
    """The first and the last pieces of a body, and its size."""
    first = last = before = b""
    size = 0
    while piece := answer.read(PIECE):
        first = first or piece
        before, last = last, piece
        size += len(piece)
    return first + before + last, size


def _token(ends: bytes) -> str:
    """Where the next page begins: told at the head of a list, or at the end for custom resources."""
    _, found, rest = ends.partition(MARK)
    return rest[: rest.find(b'"')].decode() if found else ""

"""Lists, decoded straight into the few fields that are wanted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Protocol, TypeVar

import msgspec

from calivet.live.connection import Connection
from calivet.live.tables import ACCEPT, AnnotatedMeta, ListMeta, Meta, Table
from calivet.live.trouble import Trouble

PAGE = 1000

FROM_MEMORY = {"resourceVersion": "0"}
"""What the API server has in its own memory: a hundred thousand pods cost neither it nor etcd any trouble, and the
answer comes even while etcd is ill. It may be a moment old."""
NO_HEADS = {"includeObject": "None"}


class Page(Protocol):
    """Anything that tells where the next page begins."""

    @property
    def metadata(self) -> ListMeta:
        """The list's own head."""


Kind = TypeVar("Kind", bound=Page)
Anything = TypeVar("Anything")


def table(connection: Connection, path: str, query: Mapping[str, str] | None = None) -> Iterator[Table[Meta]]:
    """A list as the table that the server makes of it, from its memory; in one piece where it has it there."""
    return pages(connection, path, Table[Meta], ACCEPT, FROM_MEMORY | dict(query or {}))


def annotated(connection: Connection, path: str) -> Iterator[Table[AnnotatedMeta]]:
    """The same with annotations."""
    return pages(connection, path, Table[AnnotatedMeta], ACCEPT, FROM_MEMORY)


def pages(
    connection: Connection,
    path: str,
    kind: type[Kind],
    accept: str = "application/json",
    query: Mapping[str, str] | None = None,
    size: int = PAGE,
) -> Iterator[Kind]:
    """Every page of a list, decoded straight into this type.

    A list that outlives its snapshot on the server goes on from the token that comes with the refusal: what was
    read so far stays good, and a list of a busy cluster need not be of one moment.
    """
    decoder = msgspec.json.Decoder(kind)
    wanted = {**(query or {}), "limit": str(size)}
    while True:
        try:
            body = connection.get(path, wanted, accept)
        except Trouble as trouble:
            if trouble.kind != "gone" or not trouble.token or trouble.token == wanted.get("continue"):
                raise
            token = trouble.token
        else:
            page = decoded(decoder, body, path)
            yield page
            token = page.metadata.next
        if not token:
            return
        # A token stands for its snapshot; the server refuses one beside a version.
        wanted = {name: value for name, value in wanted.items() if name != "resourceVersion"} | {"continue": token}


def decoded(decoder: msgspec.json.Decoder[Anything], body: bytes, path: str) -> Anything:
    """The body in its type; a proxy's page of HTML or a foreign server is trouble like any other."""
    try:
        return decoder.decode(body)
    except ValueError as error:
        raise Trouble("broken", f"the answer to {path} is not what a Kubernetes API server sends: {error}") from None

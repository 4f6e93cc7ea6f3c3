"""The one door through which anything in a cluster is changed; an import contract lets only `fix` through it."""

from __future__ import annotations

from typing import Any

import msgspec

from calivet.live.connection import JSON, Connection

MANAGER = "calivet"
"""Who changed a field, as the server keeps it."""
MERGE = "application/merge-patch+json"


def send_change(
    connection: Connection, method: str, path: str, body: object = None, *, dry_run: bool = False
) -> dict[str, Any]:
    """The object as the server has it afterwards, or what it says of a deletion; raises Trouble."""
    query = {} if method == "DELETE" else {"fieldManager": MANAGER}
    if dry_run:
        query["dryRun"] = "All"
    content = MERGE if method == "PATCH" else JSON
    sent = None if body is None else msgspec.json.encode(body)
    answer: dict[str, Any] = msgspec.json.decode(connection.ask_once(method, path, query, sent, content))
    return answer

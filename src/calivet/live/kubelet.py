"""What the kubelet of a node tells through the API server: its settings, its load, its health and its log."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import msgspec
from msgspec import Struct

from calivet.live import needs
from calivet.live.connection import Connection
from calivet.live.errands import SERVER_ERROR, Errand
from calivet.live.trouble import Trouble

LOG_LINES = 2000
LOG_BYTES = 2 << 20


class _Summary(Struct, frozen=True):
    """Of the summary only the node: its pods would be most of the bulk."""

    node: msgspec.Raw


def answers(connection: Connection, node: str) -> list[Errand]:
    """The errands for one node."""
    asked: tuple[tuple[str, str, Callable[[Connection, str], list[str]]], ...] = (
        ("healthz.txt", "healthz", _health),
        ("configz.json", "configz", _settings),
        ("stats.json", "stats/summary", _load),
        ("kubelet.log", f"logs/?query=kubelet&tailLines={LOG_LINES}", _log),
    )
    return [
        Errand(
            f"kubelets/{node}/{name}",
            f"kubectl get --raw '/api/v1/nodes/{node}/proxy/{path}'",
            needs.KUBELET,
            partial(fetch, connection, f"/api/v1/nodes/{node}/proxy/{path}"),
            optional=True,
            node=node,
        )
        for name, path, fetch in asked
    ]


def _health(connection: Connection, path: str) -> list[str]:
    """That the API server cannot reach a kubelet is evidence: written down as kubectl would have printed it."""
    try:
        return _text(connection.get(path, None, "*/*"))
    except Trouble as trouble:
        if (trouble.status or 0) < SERVER_ERROR:
            raise
        return [f"Error from server: {trouble.message}"]


def _settings(connection: Connection, path: str) -> list[str]:
    return _pretty(connection.get(path))


def _load(connection: Connection, path: str) -> list[str]:
    node = msgspec.json.decode(connection.get(path), type=_Summary).node
    return _pretty(b'{"node":' + bytes(node) + b"}")


def _log(connection: Connection, path: str) -> list[str]:
    """Where the kubelet may not be asked for its log it lists the files of a folder instead."""
    bare, _, query = path.partition("?")
    body = connection.get(bare, dict(pair.split("=", 1) for pair in query.split("&")), "*/*", limit=LOG_BYTES)
    return [] if body.lstrip().startswith(b"<") else _text(body)


def _pretty(body: bytes) -> list[str]:
    return _text(msgspec.json.format(body, indent=2))


def _text(body: bytes) -> list[str]:
    return body.decode("utf-8", "replace").splitlines()

"""What the kubelet of a node tells through the API server: its settings, its load, its health and its log."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

import msgspec
from msgspec import Struct

from calivet.evidence.archives.member_names import build_member_name
from calivet.live import needs
from calivet.live.connection import Connection
from calivet.live.fetch_tasks import SERVER_ERROR, FetchTask
from calivet.live.objects import decode_body
from calivet.live.trouble import Trouble
from calivet.messages.command_line import build_command

SECONDS = 6.0
"""For a kubelet's first answer, which takes a moment where there is a kubelet."""
NODES = "/api/v1/nodes/"
LOG_LINES = 2000
LOG_BYTES = 2 << 20


class _Summary(Struct, frozen=True):
    """Of the summary only the node: its pods would be most of the bulk."""

    node: msgspec.Raw


def fetch_answers(connection: Connection, node: str) -> list[FetchTask]:
    """The tasks for one node."""
    asked: tuple[tuple[str, str, Callable[[Connection, str], list[str]]], ...] = (
        ("healthz.txt", "healthz", _fetch_health),
        ("configz.json", "configz", _fetch_settings),
        ("stats.json", "stats/summary", _load),
        ("kubelet.log", f"logs/?query=kubelet&tailLines={LOG_LINES}", _log),
    )
    return [
        FetchTask(
            build_member_name("kubelets", node, name),
            build_command("kubelet", node=node, path=path),
            needs.KUBELET,
            partial(fetch, connection, f"{NODES}{node}/proxy/{path}"),
            optional=True,
            node=node,
        )
        for name, path, fetch in asked
    ]


def _fetch_health(connection: Connection, path: str) -> list[str]:
    """That the API server cannot reach a kubelet is evidence: written down as kubectl would have printed it.

    Its own patience with a machine that is gone is longer than ours with it: that nothing came is written down too.
    """
    start = time.monotonic()
    try:
        return _decode_lines(connection.get(path, None, "*/*", deadline=start + SECONDS))
    except Trouble as trouble:
        if (trouble.status or 0) >= SERVER_ERROR:
            trouble.lines = (f"Error from server: {trouble.message}",)
        elif trouble.kind == "timeout":
            node = path.removeprefix(NODES).partition("/")[0]
            trouble.lines = (f"{node}: kubelet gave no answer in {time.monotonic() - start:.0f} s",)
        raise


def _fetch_settings(connection: Connection, path: str) -> list[str]:
    return _format_json(connection.get(path), path)


def _load(connection: Connection, path: str) -> list[str]:
    node = decode_body(_Summary, connection.get(path), path).node
    return _format_json(b'{"node":' + bytes(node) + b"}", path)


def _log(connection: Connection, path: str) -> list[str]:
    """Where the kubelet may not be asked for its log it lists the files of a folder instead."""
    bare, _, query = path.partition("?")
    body = connection.get(bare, dict(pair.split("=", 1) for pair in query.split("&")), "*/*", limit=LOG_BYTES)
    return [] if body.lstrip().startswith(b"<") else _decode_lines(body)


def _format_json(body: bytes, path: str) -> list[str]:
    decode_body(dict[str, msgspec.Raw], body, path)
    return _decode_lines(msgspec.json.format(body, indent=2))


def _decode_lines(body: bytes) -> list[str]:
    return body.decode("utf-8", "replace").splitlines()

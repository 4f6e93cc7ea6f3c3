"""The close look at single pods: the object in full, then the logs of every container that has run."""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial

import msgspec
from msgspec import Struct, field

from calivet.evidence.archives.member_names import build_member_name
from calivet.live import needs, objects
from calivet.live.connection import Connection
from calivet.live.fetch_tasks import FetchTask
from calivet.live.objects import FROM_MEMORY, decode_body
from calivet.live.overview import PodRow
from calivet.live.trouble import Trouble
from calivet.messages.command_line import build_command

HEAD_BYTES = 1 << 20
"""Of each log its beginning, where a start goes wrong..."""
TAIL_LINES = 5000
TAIL_BYTES = 4 << 20
"""...and, where it is longer, its end."""
AGENT = "calico-node"
"""The container that is called so in every installation."""
BRIEF = 64 * 1024, 600, 256 * 1024
"""The same limits for a pod that is well and one of many."""

# What a kubelet answers that has no such log to show.
_NOTHING = ("previous terminated container", "is waiting to start", "is not available", "not found")


class _Status(Struct, frozen=True):
    name: str
    restarts: int = field(default=0, name="restartCount")
    state: dict[str, msgspec.Raw] = field(default_factory=dict)
    last: dict[str, msgspec.Raw] = field(default_factory=dict, name="lastState")

    def ran_before(self) -> bool:
        return self.restarts > 0 or bool(self.last)

    def ran(self) -> bool:
        return self.ran_before() or "waiting" not in self.state


class _Statuses(Struct, frozen=True):
    init: list[_Status] = field(default_factory=list, name="initContainerStatuses")
    main: list[_Status] = field(default_factory=list, name="containerStatuses")


class _Pod(Struct, frozen=True):
    status: _Statuses


class Container(Struct, frozen=True):
    """A container whose log can be asked for."""

    namespace: str
    pod: str
    node: str
    name: str
    again: bool
    """It has run before, so there is a log of that run too."""
    essential: bool = False
    """It is calico-node itself: what it says of its work is part of the proof that all is well."""
    brief: bool = False


def name_agent(row: PodRow) -> Container:
    """calico-node of a pod that is well and need not be looked at for more."""
    return Container(row.namespace, row.name, row.node, AGENT, again=False, essential=True, brief=True)


def fetch_pod(connection: Connection, row: PodRow, containers: list[Container]) -> FetchTask:
    """The pod in full; on the way, notes which of its containers have a log.

    Of a healthy one the log is enough: its settings are those of all, and would only be taken for this node's own.
    """
    path = f"/api/v1/namespaces/{row.namespace}/pods/{row.name}"

    def fetch() -> list[str]:
        body = connection.get(path, FROM_MEMORY)
        status = decode_body(_Pod, body, path).status
        started = [one for one in (*status.init, *status.main) if one.ran()]
        place = row.namespace, row.name, row.node
        is_agent = row.role == AGENT
        containers.extend(
            Container(*place, one.name, one.ran_before(), is_agent and one.name == AGENT) for one in started
        )
        return [] if row.well else objects.write_lines([decode_body(objects.WHOLE, body, path)])

    command = build_command("object", resource="pods", namespace=row.namespace, name=row.name)
    return FetchTask(
        build_member_name("pods", row.namespace, f"{row.name}.yaml"), command, needs.PODS, fetch, optional=True
    )


def fetch_node(connection: Connection, name: str) -> FetchTask:
    """The node in full."""
    path = f"/api/v1/nodes/{name}"
    return FetchTask(
        build_member_name("nodes", f"{name}.yaml"),
        build_command("node", node=name),
        needs.NODES,
        lambda: objects.fetch_one(connection, path),
        optional=True,
    )


def fetch_logs(connection: Connection, container: Container, since: int | None, patience: float) -> Iterator[FetchTask]:
    """The log of this run and of the one before; the kubelet has so many seconds to begin with it."""
    for previous in (False, True) if container.again else (False,):
        file = f"{container.name}{'.previous' if previous else ''}.log"
        name = build_member_name("logs", container.namespace, container.pod, file)
        command = build_command(
            f"log{'-before' if previous else ''}{'-since' if since else ''}",
            namespace=container.namespace,
            pod=container.pod,
            container=container.name,
            seconds=str(since),
        )
        fetch = partial(_log, connection, container, since, patience, previous=previous)
        essential = container.essential and not previous
        yield FetchTask(name, command, needs.LOGS, fetch, optional=True, node=container.node, essential=essential)


def _log(
    connection: Connection, container: Container, since: int | None, patience: float, *, previous: bool
) -> list[str]:
    path = f"/api/v1/namespaces/{container.namespace}/pods/{container.pod}/log"
    query = {"container": container.name, "previous": str(previous).lower()}
    if since:
        query["sinceSeconds"] = str(since)
    most, tail_lines, tail_bytes = BRIEF if container.brief else (HEAD_BYTES, TAIL_LINES, TAIL_BYTES)
    try:
        end = time.monotonic() + patience
        head = connection.get(path, {**query, "limitBytes": str(most)}, "*/*", deadline=end, limit=most)
    except Trouble as trouble:
        if any(words in str(trouble) for words in _NOTHING):
            return []
        raise
    if len(head) < most:
        return _decode_lines(head)
    bounds = {"tailLines": str(tail_lines), "limitBytes": str(tail_bytes)}
    return join_log_ends(
        _decode_lines(head), _decode_lines(connection.get(path, {**query, **bounds}, "*/*", limit=tail_bytes))
    )


def join_log_ends(head: list[str], tail: list[str]) -> list[str]:
    """The beginning and the end of a log; where they overlap the lines stand once."""
    whole = head[:-1]  # the last line was cut by the limit on bytes
    if whole and tail and whole[-1] in tail:
        return whole + tail[tail.index(whole[-1]) + 1 :]
    return whole + tail


def _decode_lines(body: bytes) -> list[str]:
    return body.decode("utf-8", "replace").splitlines()

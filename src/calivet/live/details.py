"""The close look at single pods: the object in full, then the logs of every container that has run."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import msgspec
from msgspec import Struct, field

from calivet.live import needs, objects
from calivet.live.connection import Connection
from calivet.live.errands import Errand
from calivet.live.pages import FROM_MEMORY
from calivet.live.survey import PodRow
from calivet.live.trouble import Trouble

HEAD_BYTES = 1 << 20
"""Of each log its beginning, where a start goes wrong..."""
TAIL_LINES = 5000
TAIL_BYTES = 4 << 20
"""...and, where it is longer, its end."""

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


def pod(connection: Connection, row: PodRow, containers: list[Container]) -> Errand:
    """The pod in full; on the way, notes which of its containers have a log.

    Of a healthy one the log is enough: its settings are those of all, and would only be taken for this node's own.
    """
    path = f"/api/v1/namespaces/{row.namespace}/pods/{row.name}"

    def fetch() -> list[str]:
        body = connection.get(path, FROM_MEMORY)
        status = msgspec.json.decode(body, type=_Pod).status
        started = [one for one in (*status.init, *status.main) if one.ran()]
        containers.extend(Container(row.namespace, row.name, row.node, one.name, one.ran_before()) for one in started)
        return [] if row.well else objects.lines([msgspec.json.decode(body)])

    command = f"kubectl get pods -n {row.namespace} {row.name} -o yaml"
    return Errand(f"pods/{row.namespace}/{row.name}.yaml", command, needs.PODS, fetch, optional=True)


def node(connection: Connection, name: str) -> Errand:
    """The node in full."""
    path = f"/api/v1/nodes/{name}"
    return Errand(
        f"nodes/{name}.yaml",
        f"kubectl get nodes {name} -o yaml",
        needs.NODES,
        lambda: objects.one(connection, path),
        optional=True,
    )


def logs(connection: Connection, container: Container, since: int | None) -> Iterator[Errand]:
    """The log of this run and of the one before."""
    for previous in (False, True) if container.again else (False,):
        name = f"logs/{container.namespace}/{container.pod}/{container.name}{'.previous' if previous else ''}.log"
        command = f"kubectl logs -n {container.namespace} {container.pod} -c {container.name}"
        command += " --previous" if previous else ""
        command += f" --since={since}s" if since else ""
        fetch = partial(_log, connection, container, since, previous=previous)
        yield Errand(name, command, needs.LOGS, fetch, optional=True, node=container.node)


def _log(connection: Connection, container: Container, since: int | None, *, previous: bool) -> list[str]:
    path = f"/api/v1/namespaces/{container.namespace}/pods/{container.pod}/log"
    query = {"container": container.name, "previous": str(previous).lower()}
    if since:
        query["sinceSeconds"] = str(since)
    try:
        head = connection.get(path, {**query, "limitBytes": str(HEAD_BYTES)}, "*/*", limit=HEAD_BYTES)
    except Trouble as trouble:
        if any(words in trouble.message for words in _NOTHING):
            return []
        raise
    if len(head) < HEAD_BYTES:
        return _text(head)
    bounds = {"tailLines": str(TAIL_LINES), "limitBytes": str(TAIL_BYTES)}
    return joined(_text(head), _text(connection.get(path, {**query, **bounds}, "*/*", limit=TAIL_BYTES)))


def joined(head: list[str], tail: list[str]) -> list[str]:
    """The beginning and the end of a log; where they overlap the lines stand once."""
    whole = head[:-1]  # the last line was cut by the limit on bytes
    if whole and tail and whole[-1] in tail:
        return whole + tail[tail.index(whole[-1]) + 1 :]
    return whole + tail


def _text(body: bytes) -> list[str]:
    return body.decode("utf-8", "replace").splitlines()

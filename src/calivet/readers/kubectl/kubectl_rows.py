"""What a row of a kubectl table states: a pod, a node, or a row of something else."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.evidence.artifact import Line
from calivet.evidence.expressions import expression
from calivet.facts.fact import Fact
from calivet.facts.kubernetes import Condition, Node, Pod, Row
from calivet.facts.times import parse_age
from calivet.readers.kubectl.images import image_version
from calivet.readers.kubectl.kubectl_command import Request
from calivet.readers.kubectl.kubectl_resources import singular

_READY = expression(r"^(\d+)/(\d+)$")
_RESTARTS = expression(r"^(\d+)(?:\s+\((.+) ago\))?$")
_LABEL = expression(r"([\w./-]+)=([\w.-]*)")
_ABSENT = ("", "<none>", "<unknown>", "<invalid>", "<pending>")

_POD_COLUMNS = set("NAMESPACE NAME READY STATUS RESTARTS AGE IP NODE LABELS".split())
_POD_COLUMNS |= {"NOMINATED NODE", "READINESS GATES"}
_NODE_COLUMNS = set("NAME STATUS ROLES AGE VERSION INTERNAL-IP EXTERNAL-IP LABELS".split())
_NODE_COLUMNS |= {"OS-IMAGE", "KERNEL-VERSION", "CONTAINER-RUNTIME"}


def row_facts(cells: dict[str, str], resource: str | None, asked: Request, at: Line) -> Iterator[Fact]:
    """The facts of one row; columns that a narrower fact has no place for are kept as a row as well."""
    prefix, slash, name = cells.get("NAME", "").rpartition("/")
    if slash:
        resource = singular(prefix)
        cells = cells | {"NAME": name}
    namespace = cells.get("NAMESPACE") or asked.namespace
    host = None
    if resource == "pod":
        host = _present(cells, "NODE")
        yield _pod(cells, namespace, at)
    elif resource == "node":
        host = name
        yield _node(cells, at)
    elif resource == "tigerastatus":
        yield from _conditions(cells, at)
    known = {"pod": _POD_COLUMNS, "node": _NODE_COLUMNS}.get(resource or "", set())
    others = [column for column in cells if column not in known]
    if others:
        yield Row(at=at, host=host, resource=resource, name=name or None, namespace=namespace, cells=cells)
    for image in ",".join(cells[column] for column in others).split(","):
        if "/" in image and (version := image_version(image, at, name, host)):
            yield version


def _conditions(cells: dict[str, str], at: Line) -> Iterator[Condition]:
    for column in ("AVAILABLE", "PROGRESSING", "DEGRADED"):
        if status := _present(cells, column):
            message = _present(cells, "MESSAGE")
            kind, name = column.capitalize(), cells["NAME"]
            yield Condition(at=at, kind="tigerastatus", object=name, type=kind, status=status, message=message)


def _pod(cells: dict[str, str], namespace: str | None, at: Line) -> Pod:
    ready = _READY.match(cells.get("READY", ""))
    restarts = _RESTARTS.match(cells.get("RESTARTS", ""))
    return Pod(
        at=at,
        host=_present(cells, "NODE"),
        name=cells["NAME"],
        namespace=namespace,
        node=_present(cells, "NODE"),
        ready=int(ready[1]) if ready else None,
        containers=int(ready[2]) if ready else None,
        status=_present(cells, "STATUS"),
        restarts=int(restarts[1]) if restarts else None,
        last_restart=parse_age(restarts[2]) if restarts and restarts[2] else None,
        age=parse_age(cells.get("AGE", "")),
        ip=_present(cells, "IP"),
        labels=dict(_LABEL.findall(cells.get("LABELS", ""))),
    )


def _node(cells: dict[str, str], at: Line) -> Node:
    status = _present(cells, "STATUS")
    words = (status or "").split(",")
    return Node(
        at=at,
        host=cells["NAME"],
        name=cells["NAME"],
        ready=words[0] == "Ready" if words[0] in ("Ready", "NotReady") else None,
        status=status,
        roles=_present(cells, "ROLES"),
        version=_present(cells, "VERSION"),
        internal_ip=_present(cells, "INTERNAL-IP"),
        external_ip=_present(cells, "EXTERNAL-IP"),
        os=_present(cells, "OS-IMAGE"),
        kernel=_present(cells, "KERNEL-VERSION"),
        runtime=_present(cells, "CONTAINER-RUNTIME"),
        age=parse_age(cells.get("AGE", "")),
        labels=dict(_LABEL.findall(cells.get("LABELS", ""))),
    )


def _present(cells: dict[str, str], column: str) -> str | None:
    value = cells.get(column, "")
    return None if value in _ABSENT else value

"""What a row of a kubectl table states: a pod, a node, or a row of something else."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

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

# Those that a narrower fact has a place for, or that tell nothing.
_COLUMNS = {
    "pod": {*"NAMESPACE NAME READY STATUS RESTARTS AGE IP NODE LABELS".split(), "NOMINATED NODE", "READINESS GATES"},
    "node": {
        *"NAME STATUS ROLES AGE VERSION INTERNAL-IP EXTERNAL-IP LABELS".split(),
        *"OS-IMAGE KERNEL-VERSION CONTAINER-RUNTIME".split(),
    },
}
_NONE: set[str] = set()


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
    known = _COLUMNS.get(resource or "", _NONE)
    if known.issuperset(cells):
        return
    others = [column for column in cells if column not in known]
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
    ready, containers = _counts(cells.get("READY", ""))
    restarts = _RESTARTS.match(cells.get("RESTARTS", ""))
    return Pod(
        at=at,
        host=_present(cells, "NODE"),
        name=cells["NAME"],
        namespace=namespace,
        node=_present(cells, "NODE"),
        ready=ready,
        containers=containers,
        status=_present(cells, "STATUS"),
        restarts=int(restarts[1]) if restarts else None,
        last_restart=parse_age(restarts[2]) if restarts and restarts[2] else None,
        age=parse_age(cells.get("AGE", "")),
        ip=_present(cells, "IP"),
        labels=_labels(cells),
    )


@lru_cache(1024)
def _counts(ready: str) -> tuple[int, int] | tuple[None, None]:
    found = _READY.match(ready)
    return (int(found[1]), int(found[2])) if found else (None, None)


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
        labels=_labels(cells),
    )


def _labels(cells: dict[str, str]) -> dict[str, str]:
    return dict(_LABEL.findall(cells["LABELS"])) if "LABELS" in cells else {}


def _present(cells: dict[str, str], column: str) -> str | None:
    value = cells.get(column, "")
    return None if value in _ABSENT else value

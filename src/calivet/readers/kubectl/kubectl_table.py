"""Tables that `kubectl get` prints, of any resource, with their header or filtered; and pods counted by node."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from calivet.evidence.artifact import Artifact, Line
from calivet.facts.fact import Fact
from calivet.facts.kubernetes import Condition, CutRow, Node, Pod, PodCount, Row
from calivet.facts.times import parse_age
from calivet.readers.columns import Header, parse_row, split_header
from calivet.readers.kubectl.kubectl_command import Request, parse_loose_row, parse_request
from calivet.readers.kubectl.kubectl_resources import find_resource, find_singular
from calivet.readers.reader import Reader, Reading
from calivet.readers.runtime.runtime_containers import parse_image_version
from calivet.search.expressions import expression

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


def read_row(cells: dict[str, str], resource: str | None, asked: Request, at: Line) -> Iterator[Fact]:
    """The facts of one row; columns that a narrower fact has no place for are kept as a row as well."""
    prefix, slash, name = cells.get("NAME", "").rpartition("/")
    if slash:
        resource = find_singular(prefix)
        cells = cells | {"NAME": name}
    namespace = cells.get("NAMESPACE") or asked.namespace
    host = None
    if resource == "pod":
        host = _present(cells, "NODE")
        yield _build_pod(cells, namespace, at)
    elif resource == "node":
        host = name
        yield _build_node(cells, at)
    elif resource == "tigerastatus":
        yield from _read_conditions(cells, at)
    known = _COLUMNS.get(resource or "", _NONE)
    if known.issuperset(cells):
        return
    others = [column for column in cells if column not in known]
    yield Row(at=at, host=host, resource=resource, name=name or None, namespace=namespace, cells=cells)
    for image in ",".join(cells[column] for column in others).split(","):
        if "/" in image and (version := parse_image_version(image, at, name, host)):
            yield version


def _read_conditions(cells: dict[str, str], at: Line) -> Iterator[Condition]:
    for column in ("AVAILABLE", "PROGRESSING", "DEGRADED"):
        if status := _present(cells, column):
            message = _present(cells, "MESSAGE")
            kind, name = column.capitalize(), cells["NAME"]
            yield Condition(at=at, kind="tigerastatus", object=name, type=kind, status=status, message=message)


def _build_pod(cells: dict[str, str], namespace: str | None, at: Line) -> Pod:
    ready, containers = _parse_counts(cells.get("READY", ""))
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
        labels=_parse_labels(cells),
    )


@lru_cache(1024)
def _parse_counts(ready: str) -> tuple[int, int] | tuple[None, None]:
    found = _READY.match(ready)
    return (int(found[1]), int(found[2])) if found else (None, None)


def _build_node(cells: dict[str, str], at: Line) -> Node:
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
        os=_present(cells, "OS-IMAGE"),
        kernel=_present(cells, "KERNEL-VERSION"),
        runtime=_present(cells, "CONTAINER-RUNTIME"),
        arch=_present(cells, "ARCH"),
        age=parse_age(cells.get("AGE", "")),
        labels=_parse_labels(cells),
    )


def _parse_labels(cells: dict[str, str]) -> dict[str, str]:
    return dict(_LABEL.findall(cells["LABELS"])) if "LABELS" in cells else {}


def _present(cells: dict[str, str], column: str) -> str | None:
    value = cells.get(column, "")
    return None if value in _ABSENT else value


_HEADER = expression(r"^[ \t]*(?:(?:NAMESPACE|POD)[ \t]+)?NAME[ \t]+\S")
_TABLE_ANCHOR = expression(
    rf"{_HEADER.pattern}"
    r"|^[ \t]*(?:[a-z0-9][\w.:/-]*[ \t]+){1,2}(?:\d+/\d+[ \t]+[A-Z]|(?:Ready|NotReady|Unknown)[ \t,]"
    r"|(?:ClusterIP|NodePort|LoadBalancer|ExternalName)[ \t]|(?:\d+[ \t]+){5}(?:<none>|\S+=))",
    re.MULTILINE,
)
_WORD_OF_HEADER = expression(r"^[A-Z][A-Z0-9%()/:_. -]*(?:\((?:cores|bytes)\))?$")
_SIGNATURES = {"AGE", "CREATED AT", "CPU(cores)", "AUTHINFO", "APIVERSION"}
# calicoctl's tables begin with NAME too; they have a reader of their own, as custom columns have.
_CALICOCTL = {"ASN", "IPIP", "IPIPMODE", "PEERIP", "MESHENABLED", "IPV4"}
# Other tables are too alike to trust their headers more than the command.
_SURE = {"pod", "node", "podmetrics", "nodemetrics"}
_ROW_NAME = expression(r"^[a-z0-9][\w.:/-]*$")
_OWNER = expression(r"^[a-z][a-z0-9]*(?:-[a-z][a-z0-9]*)*-")
_ELISION = expression(r"^\s*(?:\.{3,}|…+|<snip>|\[\.\.\.\])\s*$")


def read_tables(artifact: Artifact, anchors: list[int]) -> Reading:
    """Reads the tables that begin at the anchors, and single rows whose shape is unmistakable."""
    reading = Reading()
    asked = parse_request(artifact)
    for index in anchors:
        if index in reading.claimed:
            continue
        if _HEADER.match(artifact.lines[index]):
            columns = split_header(artifact.lines[index])
            if _is_ours([column.name for column in columns], asked):
                _read_table(artifact, index, columns, asked, reading)
        elif found := parse_loose_row(artifact.lines[index]):
            reading.claim(index, index + 1)
            reading.facts += read_row(found[1], found[0], asked, artifact.at(index))
    reading.facts += _read_cut_row(artifact, reading)
    return reading


def _read_cut_row(artifact: Artifact, reading: Reading) -> Iterator[CutRow]:
    """The last line, where it begins as the row above it does and ends too early."""
    last = len(artifact.lines) - 1
    while last > 0 and not artifact.lines[last].strip():
        last -= 1
    above = artifact.lines[last - 1].split() if last - 1 in reading.claimed else []
    words = artifact.lines[last].split()
    if not above or not words or len(words) > 2 or len(above) < len(words) + 2:
        return
    owner, beside = _OWNER.match(words[-1]), above[len(words) - 1]
    is_within_name = words[:-1] == above[: len(words) - 1] and len(words[-1]) < len(beside)
    if (owner and beside.startswith(owner[0])) or (is_within_name and beside.startswith(words[-1])):
        yield CutRow(at=artifact.at(last), name=words[-1])


def _is_ours(headers: list[str], asked: Request) -> bool:
    if len(headers) < 2 or _CALICOCTL & set(headers) or (asked.output or "").startswith("custom-columns"):
        return False
    if not all(_WORD_OF_HEADER.match(header) for header in headers):
        return False
    return bool(asked.verb in ("get", "top") or find_resource(headers) or _SIGNATURES & set(headers))


def _read_table(artifact: Artifact, start: int, columns: Header, asked: Request, reading: Reading) -> None:
    told = find_resource([column.name for column in columns])
    resource = told if told in _SURE else asked.resource or told
    index = start + 1
    while index < len(artifact.lines):
        if found := _find_cells(artifact.lines[index], columns, resource):
            reading.facts += read_row(found, resource, asked, artifact.at(index))
        elif not _ELISION.match(artifact.lines[index]):
            following = artifact.lines[index + 1 : index + 2]
            if not artifact.lines[index].strip() or not following or not _find_cells(following[0], columns, resource):
                break
            reading.unread.add(index)
        index += 1
    reading.claim(start, index)


def _find_cells(line: str, columns: Header, resource: str | None) -> dict[str, str] | None:
    """The cells, where the line is a row of this table at all; a crooked line must look like one more clearly."""
    found, straight = parse_row(line, columns)
    filled = len(found) - list(found.values()).count("")
    if not straight and (loose := parse_loose_row(line)):
        shaped = loose[1] if loose[0] == resource else None
        return found if shaped and resource not in _SURE and filled == len(columns) else shaped
    enough = 2 if straight else max(2, len(columns) - 2)
    return found if filled >= enough and _ROW_NAME.match(found["NAME"]) else None


TABLE_READER = Reader(kind="kubectl-get", anchor=_TABLE_ANCHOR, read=read_tables)


# Pods counted by node: how calivet writes down what a large cluster has too many of to list.
_POD_COUNTS_HEADER = expression(r"^NODE +PODS +READY +WITHOUT-ADDRESS$")
_POD_COUNTS_ROW = expression(r"^(?P<node>\S+) +(?P<pods>\d+) +(?P<ready>\d+) +(?P<waiting>\d+)$")


def read_pod_counts(artifact: Artifact, anchors: list[int]) -> Reading:
    """One fact a node; the last row, the sum of all, is for people."""
    reading = Reading()
    for anchor in anchors:
        stop = anchor + 1
        while stop < len(artifact.lines) and (row := _POD_COUNTS_ROW.match(artifact.lines[stop].rstrip())):
            if not row["node"].startswith("("):
                reading.facts.append(
                    PodCount(
                        at=artifact.at(stop),
                        host=row["node"],
                        node=row["node"],
                        pods=int(row["pods"]),
                        ready=int(row["ready"]),
                        waiting=int(row["waiting"]),
                    )
                )
            stop += 1
        reading.claim(anchor, stop)
    return reading


POD_COUNTS_READER = Reader(kind="pod-counts", anchor=_POD_COUNTS_HEADER, read=read_pod_counts)

"""Rows that are known without their header, because a filter cut it off and their shape is unmistakable."""

from __future__ import annotations

import re

from calivet.evidence.expressions import expression

AGE = r"(?:(?:\d+[ywdhms])+|<unknown>|<invalid>)"
NAME = r"[a-z0-9][a-z0-9.:-]*"

_GAP = r"[ \t]+"
_START = rf"^[ \t]*(?:(?P<namespace>[a-z][a-z0-9-]*){_GAP})?"
_SHAPES = {
    "pod": expression(
        rf"{_START}(?:pods?/|po/)?(?P<name>{NAME}){_GAP}(?P<ready>\d+/\d+){_GAP}(?P<status>[A-Z][A-Za-z0-9:/]*){_GAP}"
        rf"(?P<restarts>\d+(?:[ \t]+\({AGE} ago\))?){_GAP}(?P<age>{AGE})"
        rf"(?:{_GAP}(?P<ip><none>|[\da-f]*[.:][\da-f.:]+){_GAP}(?P<node>\S+))?(?P<rest>[ \t].*)?$"
    ),
    "node": expression(
        rf"^[ \t]*(?:nodes?/)?(?P<name>{NAME}){_GAP}(?P<status>(?:Ready|NotReady|Unknown)(?:,\w+)*){_GAP}"
        rf"(?:(?P<roles><none>|[a-z][\w,.-]*){_GAP})?(?P<age>{AGE}){_GAP}(?P<version>v\d+\.\d+\.\d+\S*)"
        r"(?P<rest>[ \t].*)?$"
    ),
    "service": expression(
        rf"{_START}(?:service/|svc/)?(?P<name>{NAME}){_GAP}(?P<type>ClusterIP|NodePort|LoadBalancer|ExternalName){_GAP}"
        rf"(?P<cluster_ip>\S+){_GAP}(?P<external_ip>\S+){_GAP}(?P<ports>\S+){_GAP}(?P<age>{AGE})(?:{_GAP}(?P<selector>\S+))?"
    ),
    "daemonset": expression(
        rf"{_START}(?:daemonset[.\w]*/|ds/)?(?P<name>[a-z][a-z0-9.-]*){_GAP}(?P<desired>\d+){_GAP}(?P<current>\d+){_GAP}"
        rf"(?P<ready>\d+){_GAP}(?P<up_to_date>\d+){_GAP}(?P<available>\d+){_GAP}(?P<node_selector><none>|\S+=\S*){_GAP}"
        rf"(?P<age>{AGE})"
    ),
}
_HEADERS = {"ports": "PORT(S)", "up_to_date": "UP-TO-DATE", "node_selector": "NODE SELECTOR"}
_LABELS = expression(r"(?<!\S)[\w./-]+=[\w.-]*(?:,[\w./-]+=[\w.-]*)*$")
_RUNTIME = expression(r"\w+://\S+$")


def loose_row(line: str) -> tuple[str, dict[str, str]] | None:
    """What kind of row this is, and its cells by the headers that kubectl would have printed."""
    for resource, shape in _SHAPES.items():
        if found := shape.match(line):
            groups = {key: value for key, value in found.groupdict().items() if value}
            rest = groups.pop("rest", "").strip()
            cells = {_HEADERS.get(key, key.upper().replace("_", "-")): value for key, value in groups.items()}
            return resource, cells | (_of_node(rest) if resource == "node" else _of_pod(rest))
    return None


def _of_pod(rest: str) -> dict[str, str]:
    labels = _LABELS.search(rest)
    return {"LABELS": labels[0]} if labels else {}


def _of_node(rest: str) -> dict[str, str]:
    """The wide columns: one or two addresses, then the system's name, the kernel and the runtime."""
    cells = _of_pod(rest)
    pieces = [piece for piece in re.split(r"[ \t]{2,}", rest) if piece]
    if len(pieces) == 1:
        pieces = _parted(pieces[0])
    runtime = next((index for index, piece in enumerate(pieces) if _RUNTIME.match(piece)), None)
    if runtime is None:
        return cells
    headers = ["INTERNAL-IP", "EXTERNAL-IP", "OS-IMAGE", "KERNEL-VERSION", "CONTAINER-RUNTIME"]
    return cells | dict(zip(reversed(headers), reversed(pieces[: runtime + 1]), strict=False))


def _parted(squeezed: str) -> list[str]:
    """The wide columns with single blanks between them; only the system's name has blanks of its own."""
    words = squeezed.split()
    runtime = next((index for index, word in enumerate(words) if index > 3 and _RUNTIME.match(word)), None)
    if runtime is None:
        return [squeezed]
    return [*words[:2], " ".join(words[2 : runtime - 1]), words[runtime - 1], words[runtime]]

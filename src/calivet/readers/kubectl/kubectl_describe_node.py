"""`kubectl describe node`, whole or in fragments."""

from __future__ import annotations

import re
from collections.abc import Iterator

from calivet.evidence.artifact import Artifact
from calivet.evidence.expressions import expression
from calivet.facts.calico import NodeAddress
from calivet.facts.fact import Fact
from calivet.facts.kubernetes import Condition, Node, Pod
from calivet.facts.times import parse_time
from calivet.readers.kubectl.describe_blocks import Block, blocks, mapping
from calivet.readers.kubectl.describe_subject import subject
from calivet.readers.kubectl.kubectl_command import request
from calivet.readers.kubectl.tree import Branch
from calivet.readers.reader import Reader, Reading

_TIME = r"[A-Z][a-z]{2}, \d\d? [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d [+-]\d{4}"
_CONDITION = expression(
    rf"^[ \t]*(?P<type>[A-Z]\w+)[ \t]+(?P<status>True|False|Unknown)[ \t]+{_TIME}[ \t]+(?P<since>{_TIME})"
    r"[ \t]+(?P<reason>\w+)[ \t]*(?P<message>.*)$",
    re.MULTILINE,
)
_ANCHOR = expression(
    rf"{_CONDITION.pattern}"
    r"|^[ \t]*(?:Roles?|Taints|Unschedulable|System Info|Kubelet Version|Kernel Version|PodCIDRs?|Non-terminated Pods)"
    r":",
    re.MULTILINE,
)
_POD_ON_NODE = expression(r"^(?P<namespace>[a-z][a-z0-9-]*)\s+(?P<name>[a-z][a-z0-9.-]*)\s+\S+ \(\d+%\)")
_ADDRESS = expression(r"\bprojectcalico\.org/IPv[46]Address(?:=|:\s*)(?P<address>[\da-fA-F.:/]+)")


def read(artifact: Artifact, anchors: list[int]) -> Reading:
    """Reads every described node, and its sections where they were cut out."""
    reading = Reading()
    asked = request(artifact).named("node")
    anchored = set(anchors)
    for block in blocks(artifact.lines, anchors):
        if not anchored.isdisjoint(range(block.start, block.stop)):
            page = subject(block.tree)
            is_node = page.kind == "node"
            name = (page.name if is_node else None) or asked
            if facts := list(_facts(artifact, block, name, is_node=is_node)):
                reading.facts += facts
                reading.claim(block.start, block.stop)
    return reading


def _facts(artifact: Artifact, block: Block, name: str | None, *, is_node: bool) -> Iterator[Fact]:
    conditions = list(_conditions(artifact, block, name))
    if name and (is_node or conditions):
        yield _node(artifact, block.tree, name, conditions)
    yield from conditions
    for index in range(block.start, block.stop):
        if found := _ADDRESS.search(artifact.lines[index]):
            at = artifact.at(index)
            yield NodeAddress(at=at, host=name, node=name, address=found["address"], source="annotation")
    for row in block.tree.below("Non-terminated Pods"):
        if found := _POD_ON_NODE.match(str(row.value)):
            yield Pod(at=artifact.at(row.index), host=name, node=name, name=found["name"], namespace=found["namespace"])


def _conditions(artifact: Artifact, block: Block, name: str | None) -> Iterator[Condition]:
    for index in range(block.start, block.stop):
        if found := _CONDITION.match(artifact.lines[index]):
            yield Condition(
                at=artifact.at(index),
                host=name,
                kind="node",
                object=name or "",
                type=found["type"],
                status=found["status"],
                reason=found["reason"],
                message=found["message"].strip() or None,
                since=parse_time(found["since"]),
            )


def _node(artifact: Artifact, tree: Branch, name: str, conditions: list[Condition]) -> Node:
    ready = next((condition for condition in conditions if condition.type == "Ready"), None)
    line = tree.at("Name") or tree
    taints = tree.at("Taints")
    listed = (tree.text("Addresses") or "").split(",")
    return Node(
        at=ready.at if ready else artifact.at(line.index),
        host=name,
        name=name,
        ready=ready.status == "True" if ready else None,
        status=_status(tree, ready),
        roles=_present(tree.text("Roles") or tree.text("Role")),
        version=tree.text("System Info", "Kubelet Version"),
        internal_ip=tree.text("Addresses", "InternalIP") or _present(listed[0]),
        external_ip=tree.text("Addresses", "ExternalIP"),
        os=tree.text("System Info", "OS Image"),
        kernel=tree.text("System Info", "Kernel Version"),
        runtime=tree.text("System Info", "Container Runtime Version"),
        arch=tree.text("System Info", "Architecture"),
        pod_cidr=tree.text("PodCIDR"),
        taints=tuple(filter(_present, _lines(taints))),
        labels=mapping(tree.at("Labels")),
        annotations=mapping(tree.at("Annotations")),
    )


def _status(tree: Branch, ready: Condition | None) -> str | None:
    """As the STATUS column would show it."""
    if ready is None:
        return None
    word = "Ready" if ready.status == "True" else "NotReady"
    return f"{word},SchedulingDisabled" if tree.text("Unschedulable") == "true" else word


def _lines(branch: Branch | None) -> list[str]:
    return [str(each.value) for each in (branch, *branch.children.values()) if each.value] if branch else []


def _present(text: str | None) -> str | None:
    return None if text in ("", "<none>", None) else text


READER = Reader(kind="kubectl-describe-node", anchor=_ANCHOR, read=read)

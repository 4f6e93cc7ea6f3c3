"""`kubectl describe pod`, whole or in fragments, and the pod templates in `kubectl describe` of a workload."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import structs

from calivet.evidence.artifact import Artifact
from calivet.evidence.expressions import expression
from calivet.facts.fact import Fact, Variable
from calivet.facts.kubernetes import Container, Pod
from calivet.facts.times import parse_time
from calivet.readers.kubectl.describe_blocks import Block, blocks, mapping
from calivet.readers.kubectl.describe_container import container_fact, probe_fact
from calivet.readers.kubectl.describe_subject import Subject, subject
from calivet.readers.kubectl.images import image_version
from calivet.readers.kubectl.kubectl_command import Request, request
from calivet.readers.kubectl.pod_status import shown_status
from calivet.readers.kubectl.tree import Branch
from calivet.readers.reader import Reader, Reading

_ANCHOR = expression(
    r"^[ \t]*(?:(?:Init Containers|Containers|Controlled By|QoS Class|Container ID|Image|Exit Code|Restart Count):"
    r"|(?:Last )?State:[ \t]+(?:Running|Waiting|Terminated)"
    r"|(?:Liveness|Readiness|Startup):[ \t]+(?:exec|http|tcp|grpc))",
    re.MULTILINE,
)
_IMAGE = expression(r"^\s*Image:\s+(\S+)")
_OF_A_CONTAINER = {"Image", "State", "Last State", "Container ID", "Restart Count", "Exit Code"}
_PROBES = {"Liveness": "liveness", "Readiness": "readiness", "Startup": "startup"}
_CONDITION = expression(r"^(\w+)\s+(True|False|Unknown)$")


def read(artifact: Artifact, anchors: list[int]) -> Reading:
    """Reads every described pod, and whatever is left of one whose head or tail was cut off."""
    reading = Reading()
    asked = request(artifact)
    anchored = set(anchors)
    for block in blocks(artifact.lines, anchors):
        if not anchored.isdisjoint(range(block.start, block.stop)):
            facts = list(_facts(artifact, block, asked))
            if facts:
                reading.facts += facts
                reading.claim(block.start, block.stop)
    return reading


def _facts(artifact: Artifact, block: Block, asked: Request) -> Iterator[Fact]:
    tree = block.tree
    page = subject(tree)
    if page.kind == "node":
        return
    page = structs.replace(page, name=page.name or asked.named("pod"), namespace=page.namespace or asked.namespace)
    pod = page.name if page.kind == "pod" or asked.named("pod") else None
    containers = []
    for path, branch in tree.walk():
        if not _OF_A_CONTAINER.isdisjoint(branch.children):
            container = container_fact(artifact, path, branch, pod, page.node)
            containers += [container] if container.state or container.last_state else []
            yield from _probes_and_variables(artifact, branch, container, page.name)
    if pod and page.kind == "pod":
        yield _pod(artifact, tree, page, pod, containers)
    yield from containers
    for index in range(block.start, block.stop):
        if found := _IMAGE.match(artifact.lines[index]):
            version = image_version(found[1], artifact.at(index), page.name, page.node)
            yield from [version] if version else []


def _probes_and_variables(
    artifact: Artifact, branch: Branch, container: Container, owner: str | None
) -> Iterator[Fact]:
    for key, kind in _PROBES.items():
        line = branch.at(key)
        probe = probe_fact(kind, str(line.value), artifact.at(line.index), container) if line else None
        yield from [probe] if probe else []
    environment = branch.at("Environment")
    for name, variable in environment.children.items() if environment else ():
        if isinstance(name, str):
            value = str(variable.value or "")
            at = artifact.at(variable.index)
            inside = container.name or None
            yield Variable(at=at, host=container.host, name=name, value=value, owner=owner, container=inside)


def _pod(artifact: Artifact, tree: Branch, page: Subject, name: str, containers: list[Container]) -> Pod:
    line = tree.at("Status") or tree.at("Name") or tree
    main = [container for container in containers if not container.init]
    restarts = [container.restarts for container in main if container.restarts is not None]
    rows = (_CONDITION.match(str(row.value)) for row in tree.below("Conditions"))
    return Pod(
        at=artifact.at(line.index),
        host=page.node,
        name=name,
        namespace=page.namespace,
        node=page.node,
        ready=sum(bool(container.ready) for container in main) if main else None,
        containers=len(main) or None,
        status=shown_status(tree.text("Status"), containers),
        restarts=sum(restarts) if restarts else None,
        ip=tree.text("IP"),
        started=parse_time(tree.text("Start Time") or ""),
        labels=mapping(tree.at("Labels")),
        owner=tree.text("Controlled By") or tree.text("Controllers"),
        conditions={row[1]: row[2] for row in rows if row},
    )


READER = Reader(kind="kubectl-describe-pod", anchor=_ANCHOR, read=read)

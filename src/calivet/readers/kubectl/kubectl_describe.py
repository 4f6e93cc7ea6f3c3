"""kubectl describe: pods, nodes and other resources."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import structs

from calivet.evidence.artifact import Artifact, Line
from calivet.facts.calico import NodeAddress
from calivet.facts.fact import Fact, Variable
from calivet.facts.kubernetes import Condition, Container, Node, Pod, Probe
from calivet.facts.times import parse_age, parse_time
from calivet.readers.kubectl.describe_blocks import (
    Block,
    Subject,
    find_blocks,
    find_subject,
    parse_mapping,
    split_entry,
)
from calivet.readers.kubectl.kubectl_command import Request, parse_request
from calivet.readers.objects.flow import parse_scalar
from calivet.readers.objects.object_facts import read_object
from calivet.readers.objects.object_pod import format_shown_status
from calivet.readers.objects.tree import Branch, Path, Step
from calivet.readers.reader import Reader, Reading
from calivet.readers.runtime.runtime_containers import parse_image_version
from calivet.search.expressions import expression

_RESOURCE = expression(r"^[ \t]*(?:API Version:[ \t]+\S|Last Transition Time:[ \t]+\d)", re.MULTILINE)
# With a single item these look like a mapping; what repeats its keys is known as a list anyway.
_ALWAYS_LISTS = {"conditions", "ipPools"}
_OF_METADATA = ("name", "namespace", "labels", "annotations")


def read_resource(artifact: Artifact, anchors: list[int]) -> Reading:
    """Reads every described resource as the object that it is."""
    reading = Reading()
    asked = parse_request(artifact)
    anchored = set(anchors)
    for block in find_blocks(artifact.lines, anchors):
        if anchored.isdisjoint(range(block.start, block.stop)):
            continue
        page = _build_object("", block.tree)
        metadata = page.children.setdefault("metadata", Branch(page.index))
        metadata.children |= {key: page.children.pop(key) for key in _OF_METADATA if key in page.children}
        page.children.pop("events", None)
        reading.facts += read_object(artifact, page, asked)
        reading.claim(block.start, block.stop)
    return reading


def _build_object(name: str, branch: Branch) -> Branch:
    """The branch with the field names that the object has; keys that come again begin the next item of a list."""
    items: list[dict[Step, Branch]] = [{}]
    for key, child in _list_members(branch):
        step: Step = len(items[-1]) if key is None else _format_field_name(key)
        if step in items[-1]:
            items.append({})
        items[-1][step] = _build_object(str(step), child)
    value = parse_scalar(branch.value) if isinstance(branch.value, str) else branch.value
    if len(items) == 1 and (name not in _ALWAYS_LISTS or not items[0]):
        return Branch(branch.index, value, items[0])
    return Branch(branch.index, value, {number: _build_item(item) for number, item in enumerate(items)})


def _build_item(members: dict[Step, Branch]) -> Branch:
    first = next(iter(members.values()))
    return Branch(first.index, None, members)


def _list_members(branch: Branch) -> Iterator[tuple[str | None, Branch]]:
    for key, child in branch.children.items():
        if isinstance(key, str):
            yield key, child
        elif entry := split_entry(str(child.value)):
            yield entry[0], Branch(child.index, entry[1], child.children)
        else:
            yield None, child


def _format_field_name(key: str) -> str:
    """`Last Transition Time` as lastTransitionTime; what is no such name stays."""
    if key == "API Version":
        return "apiVersion"
    if not key.replace(" ", "").isalnum():
        return key
    first, *others = key.split(" ")
    return "".join([first[:1].lower() + first[1:], *others])


RESOURCE_READER = Reader(kind="kubectl-describe", anchor=_RESOURCE, read=read_resource)


_TIME = r"[A-Z][a-z]{2}, \d\d? [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d [+-]\d{4}"
_NODE_CONDITION = expression(
    rf"^[ \t]*(?P<type>[A-Z]\w+)[ \t]+(?P<status>True|False|Unknown)[ \t]+{_TIME}[ \t]+(?P<since>{_TIME})"
    r"[ \t]+(?P<reason>\w+)[ \t]*(?P<message>.*)$",
    re.MULTILINE,
)
_NODE = expression(
    rf"{_NODE_CONDITION.pattern}"
    r"|^[ \t]*(?:Roles?|Taints|Unschedulable|System Info|Kubelet Version|Kernel Version|PodCIDRs?|Non-terminated Pods)"
    r":",
    re.MULTILINE,
)
_POD_ON_NODE = expression(r"^(?P<namespace>[a-z][a-z0-9-]*)\s+(?P<name>[a-z][a-z0-9.-]*)\s+\S+ \(\d+%\)")
_ADDRESS = expression(r"\bprojectcalico\.org/IPv[46]Address(?:=|:\s*)(?P<address>[\da-fA-F.:/]+)")


def read_nodes(artifact: Artifact, anchors: list[int]) -> Reading:
    """Reads every described node, and its sections where they were cut out."""
    reading = Reading()
    asked = parse_request(artifact).named("node")
    anchored = set(anchors)
    for block in find_blocks(artifact.lines, anchors):
        if not anchored.isdisjoint(range(block.start, block.stop)):
            page = find_subject(block.tree)
            is_node = page.kind == "node"
            name = (page.name if is_node else None) or asked
            if facts := list(_read_node(artifact, block, name, is_node=is_node)):
                reading.facts += facts
                reading.claim(block.start, block.stop)
    return reading


def _read_node(artifact: Artifact, block: Block, name: str | None, *, is_node: bool) -> Iterator[Fact]:
    conditions = list(_read_conditions(artifact, block, name))
    if name and (is_node or conditions):
        yield _build_node(artifact, block.tree, name, conditions)
    yield from conditions
    for index in range(block.start, block.stop):
        if found := _ADDRESS.search(artifact.lines[index]):
            at = artifact.at(index)
            yield NodeAddress(at=at, host=name, node=name, address=found["address"], source="annotation")
    for row in block.tree.below("Non-terminated Pods"):
        if found := _POD_ON_NODE.match(str(row.value)):
            yield Pod(at=artifact.at(row.index), host=name, node=name, name=found["name"], namespace=found["namespace"])


def _read_conditions(artifact: Artifact, block: Block, name: str | None) -> Iterator[Condition]:
    for index in range(block.start, block.stop):
        if found := _NODE_CONDITION.match(artifact.lines[index]):
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


def _build_node(artifact: Artifact, tree: Branch, name: str, conditions: list[Condition]) -> Node:
    ready = next((condition for condition in conditions if condition.type == "Ready"), None)
    line = tree.at("Name") or tree
    taints = tree.at("Taints")
    listed = (tree.text("Addresses") or "").split(",")
    return Node(
        at=ready.at if ready else artifact.at(line.index),
        host=name,
        name=name,
        ready=ready.status == "True" if ready else None,
        status=_format_status(tree, ready),
        roles=_present(tree.text("Roles") or tree.text("Role")),
        version=tree.text("System Info", "Kubelet Version"),
        internal_ip=tree.text("Addresses", "InternalIP") or _present(listed[0]),
        os=tree.text("System Info", "OS Image"),
        kernel=tree.text("System Info", "Kernel Version"),
        runtime=tree.text("System Info", "Container Runtime Version"),
        arch=tree.text("System Info", "Architecture"),
        pod_cidr=tree.text("PodCIDR"),
        taints=tuple(filter(_present, _list_lines(taints))),
        labels=parse_mapping(tree.at("Labels")),
        annotations=parse_mapping(tree.at("Annotations")),
    )


def _format_status(tree: Branch, ready: Condition | None) -> str | None:
    """As the STATUS column would show it."""
    if ready is None:
        return None
    word = "Ready" if ready.status == "True" else "NotReady"
    return f"{word},SchedulingDisabled" if tree.text("Unschedulable") == "true" else word


def _list_lines(branch: Branch | None) -> list[str]:
    return [str(each.value) for each in (branch, *branch.children.values()) if each.value] if branch else []


def _present(text: str | None) -> str | None:
    return None if text in ("", "<none>", None) else text


NODE_READER = Reader(kind="kubectl-describe-node", anchor=_NODE, read=read_nodes)


# A container and its probes as `kubectl describe` shows them.
#
# These run before the pod's own containers wherever they occur, so a fragment needs no head to tell.
_ALWAYS_FIRST = {"upgrade-ipam", "flexvol-driver", "mount-bpffs", "ebpf-bootstrap", "hostpath-init"}

# What a waiting container says while the true reason stands elsewhere.
_HOLLOW_REASONS = {None, "PodInitializing", "ContainerCreating", "CrashLoopBackOff"}

_PROBE = expression(r"^(?P<action>exec|http-get|tcp-socket|grpc)\s+(?P<target>\S.*)$")
_ACTIONS = {"exec": "exec", "http-get": "http", "tcp-socket": "tcp", "grpc": "grpc"}
_SETTING = expression(r"#?(\w+)=(\S+)")


def build_container(artifact: Artifact, path: Path, branch: Branch, pod: str | None, node: str | None) -> Container:
    """The container at this path; a fragment without its head has no name."""
    name = str(path[-1]) if path and isinstance(path[-1], str) else ""
    ready = branch.text("Ready")
    return Container(
        at=artifact.at(_find_telling_line(branch)),
        host=node,
        name=name,
        pod=pod,
        init="Init Containers" in path or name in _ALWAYS_FIRST,
        image=branch.text("Image"),
        state=_to_lower(branch.text("State")),
        reason=branch.text("State", "Reason"),
        message=branch.text("State", "Message") or branch.text("Last State", "Message"),
        exit_code=branch.number("State", "Exit Code"),
        started=parse_time(branch.text("State", "Started") or ""),
        finished=parse_time(branch.text("State", "Finished") or ""),
        last_state=_to_lower(branch.text("Last State")),
        last_reason=branch.text("Last State", "Reason"),
        last_exit_code=branch.number("Last State", "Exit Code"),
        last_started=parse_time(branch.text("Last State", "Started") or ""),
        last_finished=parse_time(branch.text("Last State", "Finished") or ""),
        ready=ready == "True" if ready else None,
        restarts=branch.number("Restart Count"),
        memory_limit=branch.text("Limits", "memory"),
    )


def probe_fact(kind: str, text: str, at: Line, container: Container) -> Probe | None:
    """The probe that a line such as `exec [/bin/x -y] delay=10s timeout=1s period=10s #success=1 #failure=6` states."""
    what, _, how = text.partition(" delay=")
    found = _PROBE.match(what.strip())
    if not found:
        return None
    settings = dict(_SETTING.findall(f"delay={how}"))
    failures = settings.get("failure", "")
    return Probe(
        at=at,
        host=container.host,
        kind=kind,
        action=_ACTIONS[found["action"]],
        target=found["target"].strip("[]") if found["action"] == "exec" else found["target"],
        pod=container.pod,
        container=container.name or None,
        delay=parse_age(settings.get("delay", "")),
        timeout=parse_age(settings.get("timeout", "")),
        period=parse_age(settings.get("period", "")),
        failures=int(failures) if failures.isdecimal() else None,
    )


def _find_telling_line(branch: Branch) -> int:
    """The line that says most about the container's trouble."""
    reason = branch.at("State", "Reason")
    told = [
        reason if reason and reason.value not in _HOLLOW_REASONS else None,
        branch.at("Last State", "Exit Code"),
        branch.at("Last State"),
        branch.at("State"),
    ]
    return next((line.index for line in told if line), branch.index)


def _to_lower(text: str | None) -> str | None:
    return text.lower() if text else None


_POD = expression(
    r"^[ \t]*(?:(?:Init Containers|Containers|Controlled By|QoS Class|Container ID|Image|Exit Code|Restart Count):"
    r"|(?:Last )?State:[ \t]+(?:Running|Waiting|Terminated)"
    r"|(?:Liveness|Readiness|Startup):[ \t]+(?:exec|http|tcp|grpc))",
    re.MULTILINE,
)
_IMAGE = expression(r"^\s*Image:\s+(\S+)")
_OF_A_CONTAINER = {"Image", "State", "Last State", "Container ID", "Restart Count", "Exit Code"}
_PROBES = {"Liveness": "liveness", "Readiness": "readiness", "Startup": "startup"}
_CONDITION = expression(r"^(\w+)\s+(True|False|Unknown)$")


def read_pods(artifact: Artifact, anchors: list[int]) -> Reading:
    """Reads every described pod, and whatever is left of one whose head or tail was cut off."""
    reading = Reading()
    asked = parse_request(artifact)
    anchored = set(anchors)
    for block in find_blocks(artifact.lines, anchors):
        if not anchored.isdisjoint(range(block.start, block.stop)):
            facts = list(_read_pod(artifact, block, asked))
            if facts:
                reading.facts += facts
                reading.claim(block.start, block.stop)
    return reading


def _read_pod(artifact: Artifact, block: Block, asked: Request) -> Iterator[Fact]:
    tree = block.tree
    page = find_subject(tree)
    if page.kind == "node":
        return
    page = structs.replace(page, name=page.name or asked.named("pod"), namespace=page.namespace or asked.namespace)
    pod = page.name if page.kind == "pod" or asked.named("pod") else None
    containers = []
    for path, branch in tree.walk():
        if not _OF_A_CONTAINER.isdisjoint(branch.children):
            container = build_container(artifact, path, branch, pod, page.node)
            containers += [container] if container.state or container.last_state else []
            yield from _read_probes_and_variables(artifact, branch, container, page.name)
    if pod and page.kind == "pod":
        yield _build_pod(artifact, tree, page, pod, containers)
    yield from containers
    for index in range(block.start, block.stop):
        if found := _IMAGE.match(artifact.lines[index]):
            version = parse_image_version(found[1], artifact.at(index), page.name, page.node)
            yield from [version] if version else []


def _read_probes_and_variables(
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


def _build_pod(artifact: Artifact, tree: Branch, page: Subject, name: str, containers: list[Container]) -> Pod:
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
        status=format_shown_status(tree.text("Status"), containers),
        restarts=sum(restarts) if restarts else None,
        ip=tree.text("IP"),
        started=parse_time(tree.text("Start Time") or ""),
        labels=parse_mapping(tree.at("Labels")),
        owner=tree.text("Controlled By") or tree.text("Controllers"),
        conditions={row[1]: row[2] for row in rows if row},
    )


POD_READER = Reader(kind="kubectl-describe-pod", anchor=_POD, read=read_pods)

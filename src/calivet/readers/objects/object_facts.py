"""What an object from YAML or JSON states: itself, flattened, and the narrower facts that it holds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from sys import intern

from msgspec import Struct, structs

from calivet.evidence.artifact import Artifact, Line
from calivet.facts.calico import BgpPeer, NodeAddress, Pool
from calivet.facts.fact import Fact, Scalar, Variable, Version
from calivet.facts.kubernetes import Condition, Event, Node, Object, Probe
from calivet.facts.times import count_seconds_between, parse_time
from calivet.readers.kubectl.kubectl_command import Request
from calivet.readers.objects.object_pod import read_pod
from calivet.readers.objects.tree import Branch, Path
from calivet.readers.runtime.runtime_containers import parse_image_version
from calivet.search.expressions import expression


def probe_fact(
    kind: str, probe: Branch, at: Line, *, container: str | None, pod: str | None, host: str | None
) -> Probe | None:
    """The probe, in the words of kubectl describe; None where its action was cut off."""
    action = _find_action(probe)
    if action is None:
        return None
    return Probe(
        at=at,
        host=host,
        kind=kind,
        action=action[0],
        target=action[1],
        pod=pod,
        container=container,
        delay=_parse_seconds(probe, "initialDelaySeconds"),
        timeout=_parse_seconds(probe, "timeoutSeconds"),
        period=_parse_seconds(probe, "periodSeconds"),
        failures=probe.number("failureThreshold"),
    )


def _find_action(probe: Branch) -> tuple[str, str] | None:
    if probe.at("exec"):
        return "exec", " ".join(str(word.value) for word in probe.below("exec", "command"))
    if get := probe.at("httpGet"):
        scheme = (get.text("scheme") or "HTTP").lower()
        return "http", f"{scheme}://{get.text('host') or ''}:{get.text('port') or ''}{get.text('path') or ''}"
    if socket := probe.at("tcpSocket"):
        return "tcp", f"{socket.text('host') or ''}:{socket.text('port') or ''}"
    return ("grpc", f":{probe.text('grpc', 'port') or ''}") if probe.at("grpc") else None


def _parse_seconds(probe: Branch, key: str) -> float | None:
    number = probe.number(key)
    return None if number is None else float(number)


def _read_node(artifact: Artifact, root: Branch) -> Iterator[Fact]:
    name = root.text("metadata", "name")
    if (root.text("apiVersion") or "").partition("/")[0].endswith("projectcalico.org"):
        for key in ("ipv4Address", "ipv6Address"):
            if line := root.at("spec", "bgp", key):
                at = artifact.at(line.index)
                yield NodeAddress(at=at, host=name, node=name, address=str(line.value), source="resource")
        return
    if name:
        yield _build_kubernetes_node(artifact, root, name)


def _build_kubernetes_node(artifact: Artifact, root: Branch, name: str) -> Node:
    conditions = {condition.text("type"): condition for condition in root.below("status", "conditions")}
    ready = conditions.get("Ready")
    line = ready.at("status") if ready else root.at("metadata", "name")
    addresses = {each.text("type"): each.text("address") for each in root.below("status", "addresses")}
    is_ready = None if ready is None else ready.text("status") in ("True", "true")
    words = ["Ready" if is_ready else "NotReady"] + ["SchedulingDisabled"] * bool(root.text("spec", "unschedulable"))
    labels = root.texts("metadata", "labels")
    roles = [key.rpartition("/")[2] for key in labels if key.startswith("node-role.kubernetes.io/")]
    return Node(
        at=artifact.at(line.index if line else root.index),
        host=name,
        name=name,
        ready=is_ready,
        status=None if is_ready is None else ",".join(words),
        roles=",".join(roles) or None,
        version=root.text("status", "nodeInfo", "kubeletVersion"),
        internal_ip=addresses.get("InternalIP"),
        os=root.text("status", "nodeInfo", "osImage"),
        kernel=root.text("status", "nodeInfo", "kernelVersion"),
        runtime=root.text("status", "nodeInfo", "containerRuntimeVersion"),
        arch=root.text("status", "nodeInfo", "architecture"),
        pod_cidr=root.text("spec", "podCIDR"),
        taints=tuple(_format_taint(taint) for taint in root.below("spec", "taints")),
        labels=labels,
        annotations=root.texts("metadata", "annotations"),
    )


def _format_taint(taint: Branch) -> str:
    value = taint.text("value")
    return f"{taint.text('key')}{f'={value}' if value else ''}:{taint.text('effect')}"


def _read_pool(artifact: Artifact, root: Branch) -> Iterator[Fact]:
    line = root.at("spec", "cidr") or root.at("metadata", "cidr")
    if line is None:
        return
    yield Pool(
        at=artifact.at(line.index),
        cidr=str(line.value),
        name=root.text("metadata", "name"),
        ipip=root.text("spec", "ipipMode") or root.text("spec", "ipip", "mode"),
        vxlan=root.text("spec", "vxlanMode"),
        disabled=_read_flag(root, "disabled"),
        selector=root.text("spec", "nodeSelector"),
        block_size=root.number("spec", "blockSize"),
        nat_outgoing=_read_nat(root),
    )


def _read_nat(root: Branch) -> bool | None:
    """What is off is left out; that counts where the fields that stand before and behind it follow each other."""
    before, behind = root.at("spec", "ipipMode"), root.at("spec", "nodeSelector")
    if before and behind and behind.index - before.index == 1:
        return False
    written = root.text("spec", "natOutgoing") or root.text("spec", "nat-outgoing")
    return None if written is None else written == "true"


def _read_flag(root: Branch, key: str) -> bool | None:
    text = root.text("spec", key)
    return None if text is None else text == "true"


def _read_event(artifact: Artifact, root: Branch) -> Iterator[Fact]:
    message = root.at("message") or root.at("note")
    about = root.at("involvedObject") or root.at("regarding")
    if message is None or about is None:
        return
    first = parse_time(root.text("firstTimestamp") or root.text("eventTime") or "")
    last = parse_time(root.text("lastTimestamp") or root.text("series", "lastObservedTime") or "")
    node = root.text("source", "host") or root.text("deprecatedSource", "host")
    yield Event(
        at=artifact.at(message.index),
        host=node,
        reason=root.text("reason") or "",
        message=str(message.value),
        type=root.text("type"),
        kind=(about.text("kind") or "").lower() or None,
        object=about.text("name"),
        namespace=about.text("namespace"),
        node=node,
        source=root.text("source", "component") or root.text("reportingComponent"),
        over=count_seconds_between(first, last),
        last=last or first,
        count=root.number("count") or root.number("series", "count") or 1,
    )


def _read_cluster_information(artifact: Artifact, root: Branch) -> Iterator[Fact]:
    if line := root.at("spec", "calicoVersion"):
        yield Version(at=artifact.at(line.index), program="calico", version=str(line.value))


def _read_node_status(artifact: Artifact, root: Branch) -> Iterator[Fact]:
    """The sessions as the agent of one node reports them."""
    node = root.text("spec", "node")
    for family in ("peersV4", "peersV6"):
        for peer in root.below("status", "bgp", family):
            line, address, state = peer.at("state"), peer.text("peerIP"), peer.text("state")
            if line and address and state:
                yield BgpPeer(
                    at=artifact.at(line.index),
                    host=node,
                    address=address,
                    state="up" if state == "Established" else "start",
                    info=state,
                    type=_SESSIONS.get(peer.text("type") or "", peer.text("type")),
                    since=peer.text("since"),
                )


_SESSIONS = {"nodeMesh": "node-to-node mesh", "nodePeer": "node specific", "globalPeer": "global"}

KINDS: dict[str, Callable[[Artifact, Branch], Iterator[Fact]]] = {
    "Pod": read_pod,
    "Node": _read_node,
    "IPPool": _read_pool,
    "ipPool": _read_pool,
    "Event": _read_event,
    "ClusterInformation": _read_cluster_information,
    "CalicoNodeStatus": _read_node_status,
}


_PROBES = {"livenessProbe": "liveness", "readinessProbe": "readiness", "startupProbe": "startup"}
_ADDRESS = expression(r"^projectcalico\.org/IPv[46]Address$")
_VARIABLE = expression(r"^[A-Z][A-Z0-9_]*$")
# Who last wrote which field, and an old copy of the whole object: bulk that states nothing about the cluster now.
_BULK = frozenset(("metadata.managedFields", "metadata.annotations.kubectl.kubernetes.io/last-applied-configuration"))
# What is, and who wrote it: no probe, image or environment that the object asks for stands there.
_NOT_ASKED: frozenset[Path] = frozenset((("status",), ("metadata", "managedFields")))


class _About(Struct, frozen=True):
    kind: str
    name: str | None
    node: str | None
    pod: str | None


def read_object(artifact: Artifact, root: Branch, asked: Request) -> Iterator[Fact]:
    """The object, then what is known about its kind, then what any kind may hold.

    A fragment that no longer names its object gets the one that the command asked for.
    """
    kind = root.text("kind")
    name = root.text("metadata", "name") or asked.name
    is_node = (kind or asked.resource) in ("Node", "node")
    node = root.text("spec", "nodeName") or (name if is_node else None)
    about = _About((kind or asked.resource or "").lower(), name, node, name if kind == "Pod" else None)
    yield _build_object(artifact, root, kind, asked)
    if kind in KINDS:
        yield from KINDS[kind](artifact, root)
    elif kind is None and (status := _find_pod_status(root)):
        yield from (structs.replace(fact, pod=name) for fact in read_pod(artifact, status))
    yield from _read_parts(artifact, root, about)
    if kind not in ("Pod", "Event") and not _find_pod_status(root):
        yield from _read_conditions(artifact, root, about)


def _find_pod_status(root: Branch) -> Branch | None:
    """The status of a pod that was cut off from its head, where it belongs in a pod."""
    for status in (root, root.at("status")):
        if status and (status.at("containerStatuses") or status.at("initContainerStatuses")):
            return Branch(status.index, None, {"status": status})
    return None


def _build_object(artifact: Artifact, root: Branch, kind: str | None, asked: Request) -> Object:
    values: dict[str, Scalar] = {}
    lines: dict[str, int] = {}
    _flatten(root, "", values, lines, artifact.number)
    if kind == "Secret":
        values |= {path: None for path in values if path.startswith(("data.", "stringData."))}
    heading = root.at("metadata", "name") or root.at("kind") or root
    return Object(
        at=artifact.at(heading.index),
        kind=kind,
        name=root.text("metadata", "name") or asked.name,
        namespace=root.text("metadata", "namespace") or asked.namespace,
        api=root.text("apiVersion"),
        values=values,
        lines=lines,
    )


def _flatten(
    branch: Branch, path: str, values: dict[str, Scalar], lines: dict[str, int], number: Callable[[int], int]
) -> None:
    """Every value by its path as people write it, spec.containers[0].image, and the number of its line.

    Thousands of objects have the same paths, so each is kept once.
    """
    for key, child in branch.children.items():
        below = intern(f"{path}[{key}]" if isinstance(key, int) else f"{path}.{key}" if path else key)
        if below in _BULK:
            continue
        if child.children:
            _flatten(child, below, values, lines, number)
        else:
            values[below] = child.value
            lines[below] = number(child.index)


def _read_parts(artifact: Artifact, root: Branch, about: _About) -> Iterator[Fact]:
    """Probes, environment, images and Calico's addresses, wherever in the object or fragment they stand."""
    for path, branch in root.walk(without=_NOT_ASKED):
        key = path[-1] if path else ""
        if isinstance(key, int):
            if _VARIABLE.match(branch.text("name") or ""):
                container = root.text(*path[:-2], "name") if len(path) > 2 else None
                yield from _read_variable(artifact, branch, about, container)
        elif key in _PROBES and branch.children:
            at, container = artifact.at(branch.index), root.text(*path[:-1], "name")
            probe = probe_fact(_PROBES[key], branch, at, container=container, pod=about.pod, host=about.node)
            yield from [probe] if probe else []
        elif key == "image" and isinstance(branch.value, str):
            version = parse_image_version(branch.value, artifact.at(branch.index), about.name, about.node)
            yield from [version] if version else []
        elif branch.value and _ADDRESS.match(key):
            at, address = artifact.at(branch.index), str(branch.value)
            yield NodeAddress(at=at, host=about.node, node=about.node, address=address, source="annotation")


def _read_variable(artifact: Artifact, branch: Branch, about: _About, container: str | None) -> Iterator[Variable]:
    line = branch.at("value") or branch
    value = _format_variable_value(branch)
    if value is not None:
        name = branch.text("name") or ""
        at = artifact.at(line.index)
        yield Variable(at=at, host=about.node, name=name, value=value, owner=about.name, container=container)


def _format_variable_value(branch: Branch) -> str | None:
    """The value, or where it comes from, as kubectl describe says it."""
    if "value" in branch.children:
        return branch.text("value") or ""
    if field := branch.text("valueFrom", "fieldRef", "fieldPath"):
        return f"(v1:{field})"
    for source, words in (("configMapKeyRef", "config map"), ("secretKeyRef", "secret")):
        if reference := branch.at("valueFrom", source):
            return f"<set to the key '{reference.text('key')}' of {words} '{reference.text('name')}'>"
    return None


def _read_conditions(artifact: Artifact, root: Branch, about: _About) -> Iterator[Condition]:
    for condition in root.below("status", "conditions") or root.below("conditions"):
        line = condition.at("message") or condition.at("status")
        if line is None or condition.text("type") is None or condition.text("status") is None:
            continue
        yield Condition(
            at=artifact.at(line.index),
            host=about.node,
            kind=about.kind,
            object=about.name or "",
            type=condition.text("type") or "",
            status=str(condition.text("status")).capitalize(),
            reason=condition.text("reason"),
            message=condition.text("message"),
            since=parse_time(condition.text("lastTransitionTime") or ""),
            heard=parse_time(condition.text("lastHeartbeatTime") or ""),
        )

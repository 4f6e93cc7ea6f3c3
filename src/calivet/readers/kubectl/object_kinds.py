"""The kinds of object that have facts of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from calivet.evidence.artifact import Artifact
from calivet.facts.calico import BgpPeer, NodeAddress, Pool
from calivet.facts.fact import Fact, Version
from calivet.facts.kubernetes import Event, Node
from calivet.facts.times import parse_time, seconds_between
from calivet.readers.kubectl.object_pod import pod_facts
from calivet.readers.kubectl.tree import Branch


def _node(artifact: Artifact, root: Branch) -> Iterator[Fact]:
    name = root.text("metadata", "name")
    if (root.text("apiVersion") or "").partition("/")[0].endswith("projectcalico.org"):
        for key in ("ipv4Address", "ipv6Address"):
            if line := root.at("spec", "bgp", key):
                at = artifact.at(line.index)
                yield NodeAddress(at=at, host=name, node=name, address=str(line.value), source="resource")
        return
    if name:
        yield _kubernetes_node(artifact, root, name)


def _kubernetes_node(artifact: Artifact, root: Branch, name: str) -> Node:
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
        external_ip=addresses.get("ExternalIP"),
        os=root.text("status", "nodeInfo", "osImage"),
        kernel=root.text("status", "nodeInfo", "kernelVersion"),
        runtime=root.text("status", "nodeInfo", "containerRuntimeVersion"),
        arch=root.text("status", "nodeInfo", "architecture"),
        pod_cidr=root.text("spec", "podCIDR"),
        taints=tuple(_taint(taint) for taint in root.below("spec", "taints")),
        labels=labels,
        annotations=root.texts("metadata", "annotations"),
    )


def _taint(taint: Branch) -> str:
    value = taint.text("value")
    return f"{taint.text('key')}{f'={value}' if value else ''}:{taint.text('effect')}"


def _pool(artifact: Artifact, root: Branch) -> Iterator[Fact]:
    line = root.at("spec", "cidr") or root.at("metadata", "cidr")
    if line is None:
        return
    yield Pool(
        at=artifact.at(line.index),
        cidr=str(line.value),
        name=root.text("metadata", "name"),
        ipip=root.text("spec", "ipipMode") or root.text("spec", "ipip", "mode"),
        vxlan=root.text("spec", "vxlanMode"),
        nat=_flag(root, "natOutgoing") if root.at("spec", "natOutgoing") else _flag(root, "nat-outgoing"),
        disabled=_flag(root, "disabled"),
        selector=root.text("spec", "nodeSelector"),
        block_size=root.number("spec", "blockSize"),
    )


def _flag(root: Branch, key: str) -> bool | None:
    text = root.text("spec", key)
    return None if text is None else text == "true"


def _event(artifact: Artifact, root: Branch) -> Iterator[Fact]:
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
        over=seconds_between(first, last),
        last=last or first,
        count=root.number("count") or root.number("series", "count") or 1,
    )


def _cluster_information(artifact: Artifact, root: Branch) -> Iterator[Fact]:
    if line := root.at("spec", "calicoVersion"):
        yield Version(at=artifact.at(line.index), program="calico", version=str(line.value))


def _node_status(artifact: Artifact, root: Branch) -> Iterator[Fact]:
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
    "Pod": pod_facts,
    "Node": _node,
    "IPPool": _pool,
    "ipPool": _pool,
    "Event": _event,
    "ClusterInformation": _cluster_information,
    "CalicoNodeStatus": _node_status,
}

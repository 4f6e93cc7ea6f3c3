"""The first screen: one line for each part of the cluster, as far as it was seen."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from calivet.catalogue.model import Cause
from calivet.facts.calico import BgpPeer
from calivet.facts.cluster_facts import ClusterFacts, is_healthy, is_sick
from calivet.facts.cluster_network import list_latest_sessions
from calivet.facts.host import Unit
from calivet.facts.kubernetes import Node, Pod
from calivet.facts.names import join_names
from calivet.facts.runtime import RuntimeContainer
from calivet.messages.message import find_words
from calivet.messages.words import Words
from calivet.reasoning.diagnosis import Component, Finding
from calivet.reasoning.graph import Observed

# Parts that not every cluster has, or that are seldom looked at: shown where they were seen.
_HELPERS = ("typha", "kube-controllers", "operator", "kube-proxy", "dns")
_RUNTIMES = ("containerd", "docker", "dockerd", "crio", "cri-o")


class _Part(Struct, frozen=True):
    """A part as it was seen, before it is known what the findings blame."""

    id: str
    good: bool | None
    state: Words


# The part that a cause blames: by its layer, or by name where a layer has several.
_BLAMED_LAYERS = {"bgp": "bgp", "kubelet": "node", "felix": "calico-node"}
_BLAMED = {
    "apiserver-down": "datastore",
    "etcd-unhealthy": "datastore",
    "etcd-datastore-unreachable": "datastore",
    "datastore-not-ready-flag": "datastore",
    "crd-missing": "datastore",
    "runtime-unresponsive": "runtime",
    "runtime-config-invalid": "runtime",
    "cgroup-driver-mismatch": "runtime",
    "service-vip-unreachable": "kube-proxy",
    "typha-unreachable": "typha",
    "typha-tls-mismatch": "typha",
    "operator-misconfigured": "operator",
    "node-unreachable": "node",
    "node-overload": "node",
    "no-ip-autodetected": "calico-node",
    # These lie in a layer of the list above and blame none of its parts.
    "network-policy-blocks": "",
    "host-endpoint-policy": "",
    "pod-security-forbidden": "",
    "daemonset-not-scheduled": "calico-node",
    "probe-timeout-too-short": "calico-node",
}


def list_components(picture: ClusterFacts, observed: Observed, findings: Sequence[Finding]) -> list[Component]:
    """The parts that every cluster has, then those that were seen in this one; what a finding blames is not good."""
    always = [
        _describe_nodes(picture),
        _describe_calico_node(picture),
        _describe_bgp(picture, observed),
        _describe_datastore(picture, observed),
        _describe_runtime(picture),
    ]
    helpers = (_describe_helper(picture, role) for role in _HELPERS)
    return [_blame(part, findings) for part in (*always, *filter(None, helpers))]


def _blame(part: _Part, findings: Sequence[Finding]) -> Component:
    """The part as a finding leaves it: a list that calls it good above a finding that blames it contradicts itself."""
    name = Words(part.id, part.id) if part.id in _HELPERS else find_words(f"part.{part.id}")
    blaming = [found.cause.title for found in findings if _find_blamed_part(found.cause) == part.id]
    if part.good is False or not blaming:
        return Component(name, part.good, part.state)
    titles = Words("; ".join(title.en for title in blaming), "；".join(title.zh for title in blaming))
    if part.good is None:
        return Component(name, False, titles)
    return Component(name, False, find_words("part.blamed", state=part.state, causes=titles))


def _find_blamed_part(cause: Cause) -> str:
    return _BLAMED.get(cause.id, _BLAMED_LAYERS.get(cause.layer, ""))


def _describe_nodes(picture: ClusterFacts) -> _Part:
    latest = {node.name: node for node in picture.all(Node)}
    if not latest:
        return _describe_unseen("node")
    bad = [node.name for node in picture.all(Node) if node.ready is False]
    if not bad and not any(node.ready for node in latest.values()):
        return _describe_unseen("node")
    again = [node for node in dict.fromkeys(bad) if latest[node].ready]
    return _count_part("node", len(latest), list(dict.fromkeys(bad)), again)


def _describe_calico_node(picture: ClusterFacts) -> _Part:
    sightings = picture.pods("calico-node")
    if not any(is_sick(pod) or is_healthy(pod) for pod in sightings):
        return _describe_unseen("calico-node")
    latest = {pod.name: pod for pod in sightings if pod.status}
    bad = {pod.name: pod for pod in sightings if is_sick(pod)}
    again = [pod for pod in bad if is_healthy(latest[pod])]
    return _count_part("calico-node", len(latest), [_name_pod(pod) for pod in bad.values()], again)


def _describe_helper(picture: ClusterFacts, role: str) -> _Part | None:
    latest = [pod for pod in picture.list_latest_pods(role) if is_sick(pod) or is_healthy(pod)]
    if not latest:
        return None
    bad = [_name_pod(pod) for pod in latest if is_sick(pod)]
    return _count_part(role, len(latest), bad)


def _name_pod(pod: Pod) -> str:
    where = f" @ {pod.node}" if pod.node else ""
    count = f" {pod.ready}/{pod.containers}" if pod.status == "Running" and pod.containers else ""
    return f"{pod.name}{where}: {pod.status}{count}"


def _count_part(part: str, total: int, bad: list[str], again: Sequence[str] = ()) -> _Part:
    """How many of it are well; `again` are those that were not and are by now."""
    word = find_words("part.ready.nodes" if part == "node" else "part.ready")
    if not bad:
        key = "part.both" if total == 2 else "part.all"
        one = find_words("part.ready.node" if part == "node" else "part.ready")
        return _Part(part, True, one if total == 1 else find_words(key, total=total, word=word))
    if total == 1:
        key = "part.bad.one"
    elif len(bad) < total:
        key = "part.bad.some"
    else:
        key = "part.bad.both" if total == 2 else "part.bad.all"
    state = find_words(key, bad=len(bad), total=total, word=word, names=join_names(bad))
    return _Part(
        part, False, find_words("part.again", state=state, word=word, names=join_names(again)) if again else state
    )


def _describe_bgp(picture: ClusterFacts, observed: Observed) -> _Part:
    peers = list_latest_sessions(picture)
    if not peers and (nodes := {one.node for one in observed.get("bgp-down", ()) if one.node}):
        return _Part("bgp", False, find_words("part.bgp.not_established", nodes=join_names(sorted(nodes))))
    if not peers:
        return _describe_unseen("bgp")
    down = [_describe_session(peer) for peer in peers if not peer.established]
    if not down:
        key = {1: "part.bgp.one", 2: "part.bgp.both"}.get(len(peers), "part.bgp.all")
        return _Part("bgp", True, find_words(key, total=len(peers)))
    return _Part("bgp", False, find_words("part.bgp.down", names=join_names(down)))


def _describe_session(peer: BgpPeer) -> str:
    """Its ends, as far as they are known, and its state."""
    ends = f"{peer.host} -> {peer.address}" if peer.host else peer.address
    return f"{ends}: {peer.info or peer.state}"


def _describe_datastore(picture: ClusterFacts, observed: Observed) -> _Part:
    if troubled := observed.get("api-unreachable"):
        where = [sighting.node for sighting in troubled if sighting.node]
        key = "part.datastore.errors_from" if where else "part.datastore.errors"
        return _Part("datastore", False, find_words(key, nodes=join_names(where)))
    servers = [pod for role in ("apiserver", "etcd") for pod in picture.list_latest_pods(role)]
    if not servers:
        return _describe_unseen("datastore")
    return _count_part("datastore", len(servers), [_name_pod(pod) for pod in servers if is_sick(pod)])


def _describe_runtime(picture: ClusterFacts) -> _Part:
    units = {(unit.host, unit.name): unit for unit in picture.all(Unit) if unit.name in _RUNTIMES and unit.active}
    bad = [f"{unit.name} @ {unit.host}: {unit.active}" for unit in units.values() if unit.active != "active"]
    if bad:
        return _Part("runtime", False, join_names(bad))
    if picture.all(RuntimeContainer):
        return _Part("runtime", None, find_words("part.runtime.answers"))
    if units:
        active = join_names(unit.name for unit in units.values())
        return _Part("runtime", None, find_words("part.runtime.active", names=active))
    versions = [node.runtime for node in picture.all(Node) if node.runtime]
    if not versions:
        return _describe_unseen("runtime")
    return _Part("runtime", None, find_words("part.runtime.version", names=join_names(versions)))


def _describe_unseen(part: str) -> _Part:
    return _Part(part, None, find_words("part.unseen"))

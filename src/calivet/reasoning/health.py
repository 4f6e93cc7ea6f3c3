"""May it be called healthy? Only where Calico was actually seen at work, and nothing was seen that is not."""

from __future__ import annotations

from collections.abc import Sequence

from calivet.catalogue.model import Catalogue
from calivet.facts.calico import HealthReport
from calivet.facts.cluster_facts import ClusterFacts, is_healthy
from calivet.facts.cluster_network import list_latest_sessions
from calivet.facts.fact import latest_of
from calivet.facts.kubernetes import Node, Pod
from calivet.facts.machines import find_bystanders
from calivet.reasoning.diagnosis import Doubt
from calivet.reasoning.doubts import GRAVE, should_run_agent
from calivet.reasoning.graph import Observed
from calivet.reasoning.node_health import is_every_probed_node_well, list_probed_nodes
from calivet.reasoning.short_workloads import count_complete_agents
from calivet.reasoning.weigh import WeighedCause


def was_seen_healthy(picture: ClusterFacts, observed: Observed, doubts: Sequence[Doubt]) -> bool:
    """Calico's state was seen and all of it is good."""
    if doubts:
        return False
    if any(is_healthy(pod) for pod in picture.list_latest_pods("calico-node")):
        return True
    if count_complete_agents(picture) >= max(1, sum(map(should_run_agent, picture.all(Node)))):
        return True
    if list_probed_nodes(picture):
        return is_every_probed_node_well(picture)
    return len(observed.get("calico-at-work", ())) >= SEVERAL or _is_felix_ready(picture)


def list_healthy_nodes(picture: ClusterFacts) -> list[str]:
    """Nodes whose calico-node was seen ready, and on which nothing was ever seen sick: Ready alone says too little."""
    ready = {pod.node for pod in picture.list_latest_pods("calico-node") if pod.node and is_healthy(pod)}
    return sorted(ready - picture.sick_nodes)


SEVERAL = 2
"""Lines about addresses given out; a single one may be from any time."""
FEW_RESTARTS = 2
LONG_AGO = 7 * 86_400
# A fault that leads to nothing but these would show in the state of calico-node and its node.
SHOWN_BY_CALICO_NODE = {
    "containers-late",
    "controllers-failing",
    "network-plugin-not-ready",
    "node-not-ready",
    "calico-node-init-stuck",
    "calico-node-crash-loop",
    "calico-node-not-created",
    "calico-node-not-ready",
    "felix-not-ready",
    "bird-not-ready",
    "probes-failing",
    "killed-by-liveness",
    "bgp-down",
    "bgp-flapping",
}

# A node whose kubelet does not run is NotReady before long, though its pods keep their last state.
SHOWN_BY_NODES = {"kubelet-not-running"}


def _all_nodes_ready(picture: ClusterFacts) -> bool:
    latest = latest_of(picture.all(Node), lambda node: node.name)
    return bool(latest) and all(node.ready for node in latest)


def is_contradicted(found: WeighedCause, catalogue: Catalogue, picture: ClusterFacts, observed: Observed) -> bool:
    """Whether the fault would have made calico-node sick, and calico-node was only ever seen well.

    A pull that failed once, a file that was missing in the first second: past, and no fault of a cluster that works.
    """
    if found.is_about_settings:
        return False
    effects = {name for name in found.cause.leads_to if name in catalogue.effects}
    shown = SHOWN_BY_CALICO_NODE | (SHOWN_BY_NODES if _all_nodes_ready(picture) else set())
    if not effects <= shown or any(effect in observed for effect in GRAVE) or _are_peers_bad(picture):
        return False
    everywhere = picture.list_latest_pods("calico-node")
    nodes = set(found.nodes)
    pods = [pod for pod in everywhere if not nodes or pod.node in nodes]
    if _was_seen_before(pods, found):
        return False
    covered = len(everywhere) >= len({node.name for node in picture.all(Node)})
    return covered and bool(pods) and all(is_healthy(pod) and _is_steady(pod) for pod in pods)


def is_shown_apart(found: WeighedCause, picture: ClusterFacts) -> bool:
    """Whether the good state stands in other documents than the signs: one that shows both tells of a repair."""
    signs = {sighting.line.artifact for seen in found.speaking_for for sighting in seen.sightings}
    return not signs & {pod.at.artifact for pod in picture.list_latest_pods("calico-node")}


def is_of_stranger(found: WeighedCause, picture: ClusterFacts) -> bool:
    """Whether all that speaks for it was seen on machines that are no nodes of this cluster.

    Where something is sick, a name that no table shows may be another name of the sick node; unless somebody only
    worked from there: kubectl's tables and the machine's own settings, and nothing that a node has.
    """
    sightings = [sighting for seen in found.speaking_for for sighting in seen.sightings]
    machines = {sighting.node for sighting in sightings}
    if not machines or None in machines or any(picture.names.node(machine) for machine in machines):
        return False
    return is_plainly_well(picture) or machines <= find_bystanders(picture)


def is_plainly_well(picture: ClusterFacts) -> bool:
    """Whether every node was seen Ready and every calico-node ready and steady."""
    return _all_nodes_ready(picture) and is_well(picture)


def is_well(picture: ClusterFacts) -> bool:
    """Whether every calico-node was seen ready and steady, one for each node, and no node NotReady."""
    pods = picture.list_latest_pods("calico-node")
    nodes = [node for node in latest_of(picture.all(Node), lambda node: node.name) if should_run_agent(node)]
    if any(node.ready is False for node in nodes):
        return False
    return len(pods) >= max(1, len(nodes)) and all(is_healthy(pod) and _is_steady(pod) for pod in pods)


def _was_seen_before(pods: list[Pod], found: WeighedCause) -> bool:
    """Whether a good state stands before the last sign in the same document: it may have been good only then."""
    last: dict[str, int] = {}
    for sign in (sighting.line for seen in found.speaking_for for sighting in seen.sightings):
        last[sign.artifact] = max(sign.number, last.get(sign.artifact, sign.number))
    return any(last.get(pod.at.artifact, 0) > pod.at.number for pod in pods)


def _is_steady(pod: Pod) -> bool:
    """Hardly ever restarted, and not of late."""
    return (pod.restarts or 0) <= FEW_RESTARTS or (pod.last_restart or 0) > LONG_AGO


def _are_peers_bad(picture: ClusterFacts) -> bool:
    return any(not peer.established for peer in list_latest_sessions(picture))


def _is_felix_ready(picture: ClusterFacts) -> bool:
    overall = [report for report in picture.all(HealthReport) if report.component is None]
    return bool(overall) and bool(overall[-1].ready and overall[-1].live)

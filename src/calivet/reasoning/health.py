"""May it be called healthy? Only where Calico was actually seen at work, and nothing was seen that is not."""

from __future__ import annotations

from calivet.catalogue.model import Catalogue
from calivet.facts.calico import BirdDown, HealthReport
from calivet.facts.kubernetes import Node, Pod
from calivet.facts.picture import Picture, is_healthy, is_sick
from calivet.facts.sessions import latest_sessions
from calivet.reasoning.complaints import traffic_missed
from calivet.reasoning.effects import Observed
from calivet.reasoning.last_words import session_failed_last
from calivet.reasoning.weigh import Judged


def seen_healthy(picture: Picture, observed: Observed) -> bool:
    """Calico's state was seen and all of it is good."""
    pods = picture.latest_pods("calico-node")
    if any(is_sick(pod) or _restless(pod) for pod in pods) or _bad_peers(picture):
        return False
    if any(down.what == "calico" for down in picture.all(BirdDown)):
        return False
    if any(effect in observed for effect in GRAVE) or traffic_missed(picture) or _left_waiting(picture):
        return False
    if any(is_healthy(pod) for pod in pods):
        return True
    # Neither the CNI plugin nor Felix knows how BIRD is; only the pod's readiness takes it into account.
    return ("calico-at-work" in observed or _felix_ready(picture)) and not session_failed_last(picture)


def healthy_nodes(picture: Picture) -> list[str]:
    """Nodes whose calico-node was seen ready, and on which nothing was ever seen sick: Ready alone says too little."""
    ready = {pod.node for pod in picture.latest_pods("calico-node") if pod.node and is_healthy(pod)}
    return sorted(ready - picture.sick_nodes)


FEW_RESTARTS = 2
LONG_AGO = 7 * 86_400
MANY_RESTARTS = 5
A_MOMENT = 900
# Effects that forbid calling a cluster healthy. A pod that waits, or one failed probe long ago, does not by itself.
GRAVE = (
    "node-not-ready",
    "calico-node-init-stuck",
    "calico-node-crash-loop",
    "calico-node-not-created",
    "calico-node-not-ready",
    "api-unreachable",
    "network-plugin-not-ready",
    "cni-failing",
    "traffic-lost",
    "services-unreachable",
)


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
}


def contradicted(found: Judged, catalogue: Catalogue, picture: Picture, observed: Observed) -> bool:
    """Whether the fault would have made calico-node sick, and calico-node was only ever seen well.

    A pull that failed once, a file that was missing in the first second: past, and no fault of a cluster that works.
    """
    effects = {name for name in found.cause.leads_to if name in catalogue.effects}
    if not effects <= SHOWN_BY_CALICO_NODE or any(effect in observed for effect in GRAVE) or _bad_peers(picture):
        return False
    everywhere = picture.latest_pods("calico-node")
    nodes = set(found.nodes)
    pods = [pod for pod in everywhere if not nodes or pod.node in nodes]
    if _seen_before(pods, found):
        return False
    covered = len(everywhere) >= len({node.name for node in picture.all(Node)})
    return covered and bool(pods) and all(is_healthy(pod) and _steady(pod) for pod in pods)


def _seen_before(pods: list[Pod], found: Judged) -> bool:
    """Whether a good state stands before the last sign in the same document: it may have been good only then."""
    last: dict[str, int] = {}
    for sign in (sighting.line for seen in found.speaking_for for sighting in seen.sightings):
        last[sign.artifact] = max(sign.number, last.get(sign.artifact, sign.number))
    return any(last.get(pod.at.artifact, 0) > pod.at.number for pod in pods)


def _steady(pod: Pod) -> bool:
    """Hardly ever restarted, and not of late."""
    return (pod.restarts or 0) <= FEW_RESTARTS or (pod.last_restart or 0) > LONG_AGO


def _restless(pod: Pod) -> bool:
    """Restarted often, and a moment ago: ready just now says little."""
    return (pod.restarts or 0) >= MANY_RESTARTS and pod.last_restart is not None and pod.last_restart < A_MOMENT


def _left_waiting(picture: Picture) -> bool:
    """Several pods of one node have waited for their network for long: one alone may have reasons of its own."""
    waiting = {(pod.node, pod.name) for pod in picture.all(Pod) if pod.status == "ContainerCreating" and _is_old(pod)}
    waiting -= {(pod.node, pod.name) for pod in picture.all(Pod) if is_healthy(pod)}
    nodes = [node for node, _ in waiting if node]
    return len(nodes) > len(set(nodes))


def _is_old(pod: Pod) -> bool:
    return (pod.age or 0) > A_MOMENT


def _bad_peers(picture: Picture) -> bool:
    return any(not peer.established for peer in latest_sessions(picture))


def _felix_ready(picture: Picture) -> bool:
    overall = [report for report in picture.all(HealthReport) if report.component is None]
    return bool(overall) and bool(overall[-1].ready and overall[-1].live)

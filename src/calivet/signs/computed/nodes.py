"""Signs in the states of nodes and their kubelets."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.facts.fact import Setting
from calivet.facts.host import Swap, Unit
from calivet.facts.kubernetes import Condition, Node, Pod
from calivet.facts.picture import Picture
from calivet.signs.sighting import Sighting


def node_not_ready(picture: Picture) -> Iterator[Sighting]:
    """A node that is NotReady, in a list or in its conditions."""
    for node in picture.all(Node):
        if node.ready is False:
            yield Sighting(line=node.at, node=node.name, values={"status": node.status or "NotReady"})
    for condition in picture.all(Condition):
        if condition.kind == "node" and condition.type == "Ready" and condition.status != "True":
            yield Sighting(
                line=condition.at, node=condition.object or None, values={"status": condition.reason or "NotReady"}
            )


def kubelet_stopped_posting(picture: Picture) -> Iterator[Sighting]:
    """The control plane has not heard from the node's kubelet."""
    for condition in picture.all(Condition):
        if condition.kind == "node" and condition.reason == "NodeStatusUnknown":
            yield Sighting(line=condition.at, node=condition.object or None)


def running_pods_on_silent_node(picture: Picture) -> Iterator[Sighting]:
    """Pods shown Running on a node whose kubelet no longer reports: the state is stale."""
    speaking = {
        condition.object
        for condition in picture.all(Condition)
        if condition.kind == "node" and condition.type == "Ready" and condition.status == "False"
    }
    silent = {node.name for node in picture.all(Node) if node.ready is False} - speaking
    for pod in picture.all(Pod):
        if pod.node in silent and pod.status == "Running":
            yield Sighting(line=pod.at, node=pod.node, values={"pod": pod.name})


def kubelet_failing(picture: Picture) -> Iterator[Sighting]:
    """kubelet's unit is down or restarting."""
    for unit in picture.all(Unit):
        if unit.name == "kubelet" and (unit.active in ("failed", "inactive") or unit.sub == "auto-restart"):
            values = {"state": f"{unit.active} ({unit.sub})" if unit.sub else str(unit.active)}
            yield Sighting(line=unit.at, node=picture.names.node(unit.host) or unit.host, values=values)


def swap_on_and_kubelet_failing(picture: Picture) -> Iterator[Sighting]:
    """Swap is on where kubelet keeps failing."""
    failing = {sighting.node for sighting in kubelet_failing(picture)}
    areas = [swap for swap in picture.all(Swap) if swap.device]
    named = [swap for swap in areas if str(swap.device).startswith("/")]
    for swap in named or areas:
        node = picture.names.node(swap.host) or swap.host
        if node and node in failing:
            device = str(swap.device) if named else "space"
            yield Sighting(line=swap.at, node=node, values={"device": device, "node": node})


def swap_allowed(picture: Picture) -> Iterator[Sighting]:
    """kubelet is told to run with swap."""
    for setting in picture.all(Setting):
        if setting.program == "kubelet" and setting.key == "failSwapOn" and str(setting.value).lower() == "false":
            yield Sighting(line=setting.at, node=picture.names.node(setting.host))


SIGNS = {
    "node-not-ready": node_not_ready,
    "kubelet-stopped-posting": kubelet_stopped_posting,
    "running-pods-on-silent-node": running_pods_on_silent_node,
    "kubelet-failing": kubelet_failing,
    "swap-on-and-kubelet-failing": swap_on_and_kubelet_failing,
    "swap-allowed": swap_allowed,
}

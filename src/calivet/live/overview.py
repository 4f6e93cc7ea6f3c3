"""The documents that the survey itself makes: nodes, Calico's addresses, pods, and pods counted by node."""

from __future__ import annotations

from collections.abc import Iterable

from calivet.live.survey import NodeRow, Survey
from calivet.live.tables import FEW, printed, telling

ADDRESSES = {
    "IPV4": "IPv4Address",
    "IPV6": "IPv6Address",
    "IPIP": "IPv4IPIPTunnelAddr",
    "VXLAN": "IPv4VXLANTunnelAddr",
    "AS": "ASNumber",
}
_PATHS = ",".join(f"{column}:.metadata.annotations.projectcalico\\.org/{key}" for column, key in ADDRESSES.items())
NODES_COMMAND = "kubectl get nodes -o wide"
ADDRESSES_COMMAND = f"kubectl get nodes -o custom-columns=NAME:.metadata.name,{_PATHS}"
PODS_COMMAND = "kubectl get pods -A -o wide"


def overview(survey: Survey) -> Iterable[tuple[str, str | None, list[str]]]:
    """Name, command and lines of each document."""
    if survey.nodes:
        yield "nodes.txt", NODES_COMMAND, printed(survey.node_columns, [node.cells for node in survey.nodes])
    if any(node.annotations for node in survey.nodes):
        sick = set(survey.sick_nodes())
        rows = [
            [node.name, *(node.annotations.get(f"projectcalico.org/{key}") for key in ADDRESSES.values())]
            for node in telling(survey.nodes, lambda node: node.name in sick or _is_elsewhere(node))
        ]
        yield "nodes-calico.txt", ADDRESSES_COMMAND, printed(["NAME", *ADDRESSES], rows)
    if survey.pods:
        yield "pods.txt", PODS_COMMAND, printed(survey.pod_columns, [pod.cells for pod in survey.pods])
    if survey.counts:
        yield "pods-by-node.txt", None, _counted(survey)


def _is_elsewhere(node: NodeRow) -> bool:
    """Calico has another address for the node than Kubernetes."""
    address = node.annotations.get("projectcalico.org/IPv4Address", "").partition("/")[0]
    return address not in node.cells


def _counted(survey: Survey) -> list[str]:
    few = len(survey.counts) <= FEW
    rows = [
        [node, count.pods, count.ready, count.no_address]
        for node, count in sorted(survey.counts.items())
        if node and (few or count.ready < count.pods)
    ]
    total = [sum(getattr(count, key) for count in survey.counts.values()) for key in ("pods", "ready", "no_address")]
    return printed(["NODE", "PODS", "READY", "WITHOUT-ADDRESS"], [*rows, ["(all)", *total]])

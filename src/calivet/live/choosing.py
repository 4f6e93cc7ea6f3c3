"""Which pods and nodes get the close look: those in trouble, those the operator named, and one healthy counterpart."""

from __future__ import annotations

from collections.abc import Sequence

from calivet.live.survey import PodRow, Survey, restarted

MOST_PODS = 24
MOST_NODES = 8
_ON_EVERY_NODE = ("calico-node", "kube-proxy")
# Calico's own parts first, then what they stand on.
_ORDER = (
    "calico-node",
    "typha",
    "operator",
    "kube-controllers",
    "calico-apiserver",
    "etcd",
    "apiserver",
    "kube-proxy",
    "dns",
    "controller-manager",
    "scheduler",
)


def chosen_pods(survey: Survey, named: Sequence[str]) -> tuple[list[PodRow], int]:
    """The pods to look at, and how many more were as sick and are left out."""
    pods = [pod for role in _ORDER for pod in survey.of(role)]
    wanted = [pod for pod in pods if pod.node in named]
    wanted += [pod for pod in pods if _sick(pod) and pod not in wanted and _matters(pod, named)]
    well = next((pod for pod in survey.of("calico-node") if not _sick(pod) and pod not in wanted), None)
    return [*wanted[:MOST_PODS], *([well] if well else [])], max(0, len(wanted) - MOST_PODS)


def _matters(pod: PodRow, named: Sequence[str]) -> bool:
    """Where the operator asks about single nodes, the others' own agents are of no interest; what all share is."""
    return not named or pod.role not in _ON_EVERY_NODE


def chosen_nodes(survey: Survey, named: Sequence[str]) -> tuple[list[str], int]:
    """The nodes to look at, and how many more were as sick and are left out."""
    wanted = list(dict.fromkeys(named)) or survey.sick_nodes()
    well = [node.name for node in survey.nodes if node.ready and node.name not in wanted]
    return [*wanted[:MOST_NODES], *well[:1]], max(0, len(wanted) - MOST_NODES)


def _sick(pod: PodRow) -> bool:
    return not pod.well or restarted(pod)

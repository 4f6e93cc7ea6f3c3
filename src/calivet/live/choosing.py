"""Which pods and nodes get the close look: those in trouble, those the operator named, and one healthy counterpart."""

from __future__ import annotations

from collections.abc import Sequence

from calivet.live.survey import PodRow, Survey, restarted

MOST_PODS = 24
MOST_NODES = 8
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
    wanted = [pod for role in _ORDER for pod in survey.of(role) if _sick(pod, survey) or pod.node in named]
    wanted.sort(key=lambda pod: pod.node not in named)  # stable: what the operator named comes first
    well = [pod for pod in survey.of("calico-node") if not _sick(pod, survey) and pod not in wanted]
    return [*wanted[:MOST_PODS], *well[:1]], max(0, len(wanted) - MOST_PODS)


def chosen_nodes(survey: Survey, named: Sequence[str]) -> tuple[list[str], int]:
    """The nodes to look at, and how many more were as sick and are left out."""
    sick = survey.sick_nodes()
    wanted = [node for node in dict.fromkeys([*named, *sick]) if node]
    well = [node.name for node in survey.nodes if node.ready and node.name not in wanted]
    return [*wanted[:MOST_NODES], *well[:1]], max(0, len(wanted) - MOST_NODES)


def _sick(pod: PodRow, survey: Survey) -> bool:
    return not pod.well or restarted(pod, survey.pod_columns)

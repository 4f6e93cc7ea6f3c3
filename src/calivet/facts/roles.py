"""Which part of the cluster a pod is, told by its name or labels in any namespace."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from calivet.facts.kubernetes import Pod
from calivet.search.expressions import expression

_ROLES = [
    ("calico-node", r"(?:[a-z0-9]+-)?(?:calico-node|canal|calico)(?:-windows)?-[a-z0-9]{5}"),
    ("typha", r"calico-typha-[a-z0-9]+(?:-[a-z0-9]+)?"),
    ("kube-controllers", r"calico-(?:kube-controllers|policy-controller)-.+"),
    ("calico-apiserver", r"calico-apiserver-.+"),
    ("operator", r"tigera-operator-.+"),
    ("kube-proxy", r"kube-proxy-.+|.*-kube-proxy"),
    ("dns", r"(?:rke2-)?(?:coredns|kube-dns|rke2-coredns)-.+|rke2-coredns.*"),
    # Static pods are named after their node; jobs and deployments that work on etcd end in hashes.
    ("etcd", r"etcd-(?!.*-(?:\d{8,10}|[a-f0-9]{8,10})-[a-z0-9]{5}$).+"),
    ("apiserver", r"kube-apiserver-.+"),
    ("controller-manager", r"kube-controller-manager-.+"),
    ("scheduler", r"kube-scheduler-.+"),
]
_COMPILED = [(role, expression(pattern)) for role, pattern in _ROLES]
_SUFFIX = 5
_STATIC = {
    "etcd": "etcd-",
    "apiserver": "kube-apiserver-",
    "controller-manager": "kube-controller-manager-",
    "scheduler": "kube-scheduler-",
}
_LABELS = {"calico-node": "calico-node", "canal": "calico-node", "calico-typha": "typha", "kube-proxy": "kube-proxy"}


# calico/node, rancher/mirrored-calico-node, rancher/hardened-calico, and whatever a private registry puts before.
_AGENT_IMAGE = expression(r"(?:^|[/,])(?:[\w.-]*calico/node|[\w.-]*calico-node|hardened-calico)(?:-windows)?[:@]")


_NODE_DAEMONSET = expression(r"(?:\w+-)?(?:calico-node|canal)")
_WORKLOADS = ("tigera-operator", "calico-typha", "calico-kube-controllers")
_CALICO_IMAGE = expression(r"calico|tigera|canal|typha|flexvol")


def is_node_daemonset(name: str) -> bool:
    """Whether a DaemonSet of this name runs calico-node."""
    return _NODE_DAEMONSET.fullmatch(name) is not None


def is_calico_workload(name: str) -> bool:
    """Whether a DaemonSet or Deployment of this name is part of Calico."""
    ends = name.endswith(("calico-node", "canal"))
    return ends or name.startswith(_WORKLOADS)


def is_calico_image(image: str) -> bool:
    """Whether the name of an image says that it is Calico's."""
    return _CALICO_IMAGE.search(image) is not None


def find_role(pod: Pod) -> str:
    """The role, or 'other' for a pod that is no part of the cluster's own machinery."""
    return find_role_of(pod.name, pod.labels)


def find_role_of(name: str, labels: Mapping[str, str]) -> str:
    """The role by labels and, where they tell nothing, by the pod's name."""
    labelled = labels.get("k8s-app") or labels.get("app.kubernetes.io/name") or ""
    return _LABELS.get(labelled) or find_role_of_name(name)


def is_agent_image(images: str) -> bool:
    """Whether one of these images, joined by commas, is that of calico-node."""
    return _AGENT_IMAGE.search(images) is not None


def find_role_of_name(name: str) -> str:
    """The role by the pod's name alone."""
    owner, _, suffix = name.rpartition("-")
    # The pods of one owner differ in a suffix that tells nothing, and there may be thousands of them.
    return _find_role_of_kind(f"{owner}-xxxxx" if len(suffix) == _SUFFIX and suffix.isalnum() else name)


@cache
def _find_role_of_kind(name: str) -> str:
    return next((found for found, pattern in _COMPILED if pattern.fullmatch(name)), "other")


def find_static_node(name: str) -> str | None:
    """The node of a static pod, which is named after it; None for other pods."""
    prefix = _STATIC.get(find_role_of_name(name))
    return name.removeprefix(prefix) if prefix else None

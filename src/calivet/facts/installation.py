"""What the parts of this installation are called: the words that commands for it need.

Each has a usual value, which holds where the evidence shows no other one; a name that has no usual value is None.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from calivet.facts.cluster_facts import ClusterFacts, once
from calivet.facts.host import Unit
from calivet.facts.kubernetes import Node, Object, Pod, Row
from calivet.facts.platform import RUNTIMES, find_platform, is_run_by_operator
from calivet.facts.roles import find_static_node, is_node_daemonset
from calivet.search.expressions import expression


class Installation(Struct, frozen=True):
    """The names that are the same on every node."""

    namespace: str
    """The namespace of calico-node."""
    daemonset: str
    """The DaemonSet of calico-node: calico-node, canal, rke2-canal."""
    selector: str
    """The label that its pods carry, as k8s-app=calico-node."""
    api_group: str
    """The API group of Calico's resources in the API server."""
    kubectl: str
    """How kubectl is called here."""
    control_plane: str | None
    """A node on which the API server runs."""


class Units(Struct, frozen=True):
    """The services of systemd that run kubelet and the container runtime on a node; None where there are none."""

    kubelet: str | None
    runtime: str | None
    below: str | None = None
    """On which the runtime itself depends: docker hangs with its containerd."""


_KUBECTL = {"microk8s": "microk8s kubectl", "k3s": "k3s kubectl", "k0s": "k0s kubectl", "openshift": "oc"}
_TYPED = expression(r"(?:sudo )?(kubectl|oc|k3s kubectl|microk8s kubectl|k0s kubectl) ")
_GROUPS = {"v3": "projectcalico.org"}
_USUAL_GROUP = "crd.projectcalico.org"
# One service runs kubelet and the runtime of these; the first name is that of a node of the control plane.
_ONE_SERVICE = {
    "rke2": ("rke2-server", "rke2-agent"),
    "k3s": ("k3s", "k3s-agent"),
    "k0s": ("k0scontroller", "k0sworker"),
}
_SERVERS = {first for first, _ in _ONE_SERVICE.values()}
_JOURNAL_OF_SERVER = expression(rf"\bjournalctl\b.{{0,80}}(?:-u ?|--unit[= ])(?:{'|'.join(sorted(_SERVERS))})(?![\w-])")
_OWN_SERVICES = {
    "microk8s": Units("snap.microk8s.daemon-kubelite", "snap.microk8s.daemon-containerd"),
    "openshift": Units("kubelet", "crio"),
    "talos": Units(None, None),
}
_BELOW = {"docker": "containerd"}
_CONTROL_PLANE_ROLES = ("control-plane", "master", "controlplane", "etcd")


@once
def find_installation(cluster: ClusterFacts) -> Installation:
    """The names as the evidence shows them, else the usual ones."""
    platform = find_platform(cluster)
    daemonset = next(_list_daemonsets(cluster), None)
    return Installation(
        namespace=_find_namespace(cluster),
        daemonset=daemonset or "calico-node",
        selector=_find_selector(cluster, daemonset),
        api_group=_GROUPS.get(platform.answer("datastore") or "", _USUAL_GROUP),
        kubectl=_find_kubectl(cluster, platform.answer("distribution")),
        control_plane=next(_list_control_plane(cluster), None),
    )


def _find_kubectl(cluster: ClusterFacts, distribution: str | None) -> str:
    """As it was called in the evidence; else as the distribution ships it."""
    typed = (_TYPED.match(artifact.command or "") for artifact in cluster.artifacts)
    usual = _KUBECTL.get(distribution or "", "kubectl")
    return next((str(found[1]) for found in typed if found), usual)


def find_units(cluster: ClusterFacts, node: str | None) -> Units:
    """The services of a node, by the distribution, by what runs there, and by the runtime that kubelet names."""
    distribution = find_platform(cluster).answer("distribution") or ""
    if distribution in _ONE_SERVICE:
        first, other = _ONE_SERVICE[distribution]
        unit = first if node in _collect_control_plane(cluster) | _collect_servers(cluster) else other
        return Units(unit, unit)
    runtime = _find_runtime(cluster, node)
    return _OWN_SERVICES.get(distribution) or Units("kubelet", runtime, _BELOW.get(runtime))


def _find_runtime(cluster: ClusterFacts, node: str | None) -> str:
    """What the node says of itself, then what is known of the cluster."""
    return _map_runtimes(cluster).get(node or "") or find_platform(cluster).answer("runtime") or "containerd"


@once
def _collect_servers(cluster: ClusterFacts) -> frozenset[str]:
    """Where the service of a control plane runs, or its journal was read; nobody's role need be known for that."""
    hosts = {unit.host for unit in cluster.all(Unit) if unit.name in _SERVERS and unit.active != "inactive"}
    hosts |= {one.host for one in cluster.artifacts if _JOURNAL_OF_SERVER.search(one.command or "")}
    return frozenset(name for host in hosts if (name := cluster.names.find_node_or_host(host)))


@once
def _map_runtimes(cluster: ClusterFacts) -> dict[str, str]:
    """By node, for those that tell; of several records the first counts."""
    told = [(one.name, RUNTIMES.get((one.runtime or "").partition(":")[0])) for one in cluster.all(Node)]
    return {name: unit for name, unit in reversed(told) if unit}


def _find_namespace(cluster: ClusterFacts) -> str:
    if is_run_by_operator(cluster):
        return "calico-system"
    seen = (pod.namespace for pod in cluster.pods("calico-node") if pod.namespace)
    return next(seen, "kube-system")


def _list_daemonsets(cluster: ClusterFacts) -> Iterator[str]:
    for pod in cluster.pods("calico-node"):
        kind, _, name = (pod.owner or "").partition("/")
        if kind == "DaemonSet" and name:
            yield name
    for thing in cluster.all(Object):
        if thing.kind == "DaemonSet" and thing.name and is_node_daemonset(thing.name):
            yield thing.name
    for row in cluster.all(Row):
        if row.resource == "daemonset" and row.name and is_node_daemonset(row.name):
            yield row.name
    for pod in cluster.pods("calico-node"):
        if is_node_daemonset(name := pod.name.rpartition("-")[0]):
            yield name


def _find_selector(cluster: ClusterFacts, daemonset: str | None) -> str:
    """The label that the pods were seen with; else that of the DaemonSet's usual manifest."""
    label = "k8s-app"
    worn = (pod.labels.get(label) for pod in cluster.pods("calico-node"))
    value = next((one for one in worn if one), None)
    usual = "canal" if (daemonset or "").endswith("canal") else "calico-node"
    return f"{label}={value or usual}"


@once
def _collect_control_plane(cluster: ClusterFacts) -> frozenset[str]:
    return frozenset(_list_control_plane(cluster))


def _list_control_plane(cluster: ClusterFacts) -> Iterator[str]:
    for node in cluster.all(Node):
        if any(role in _CONTROL_PLANE_ROLES for role in (node.roles or "").split(",")):
            yield node.name
    for pod in cluster.all(Pod):
        if cluster.role(pod) == "apiserver" and (name := pod.node or find_static_node(pod.name)):
            yield name

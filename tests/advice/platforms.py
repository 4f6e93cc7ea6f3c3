"""The kinds of cluster for which advice is rendered, each as an operator would show it."""

from __future__ import annotations

from functools import cache

from calivet.facts.cluster_facts import ClusterFacts
from tests.facts.drawing import picture_of, pods, table

_ROOT = "[root@bastion ~]# "
_HEADER = "NAME STATUS ROLES AGE VERSION INTERNAL-IP EXTERNAL-IP OS-IMAGE KERNEL-VERSION CONTAINER-RUNTIME"


def _nodes(version: str = "v1.30.6", system: str = "Rocky~Linux~8.6", runtime: str = "containerd://1.6.8") -> str:
    rows = [
        f"{name} Ready {roles} 90d {version} 10.71.0.{last} <none> {system} 5.14.0-70 {runtime}"
        for name, roles, last in (("birch-1", "control-plane,etcd", 11), ("birch-2", "<none>", 12))
    ]
    return f"{_ROOT}kubectl get nodes -o wide\n{table(_HEADER, *rows)}"


def _agents(name: str = "calico-node", namespace: str = "kube-system") -> str:
    rows = [f"{name}-{end} 1/1 Running 0 9d 10.71.0.1{last} birch-{last}" for last, end in ((1, "2bs6x"), (2, "7tq4n"))]
    return pods(*rows, namespace=namespace)


def _object(api: str, kind: str, *spec: str) -> str:
    body = "".join(f"  {line}\n" for line in spec)
    return f"{_ROOT}kubectl get {kind.lower()} default -o yaml\napiVersion: {api}\nkind: {kind}\nmetadata:\n  name: default\nspec:\n{body}"


def _store(api: str, ready: str) -> str:
    return _object(api, "ClusterInformation", f"datastoreReady: {ready}")


_OPERATOR = _agents(namespace="calico-system")
_MIGRATED = _store("projectcalico.org/v3", "true") + _store("crd.projectcalico.org/v1", "false")
_AWS = pods("aws-node-4vbtx 2/2 Running 0 9d 10.71.0.11 birch-1")
_BPF = _object("operator.tigera.io/v1", "Installation", "calicoNetwork:", "  linuxDataplane: BPF")
_AZURE = "[root@birch-1 ~]# ls /etc/cni/net.d\n10-azure.conflist\n"
TEXTS = {
    "unknown": "nothing of a cluster",
    "manifest": _nodes() + _agents() + pods("calico-kube-controllers-5f6c-x2p9q 1/1 Running 0 9d 10.71.0.11 birch-1"),
    "operator": _nodes() + _OPERATOR,
    "rke2": _nodes("v1.30.6+rke2r1") + _OPERATOR,
    "canal": _nodes("v1.30.6+rke2r1") + _agents("rke2-canal"),
    "k3s": _nodes("v1.30.6+k3s1") + _OPERATOR,
    "microk8s": (_nodes() + _agents()).replace("]# kubectl", "]# microk8s kubectl")
    + "[root@birch-1 ~]# ls /var/snap/microk8s/current/args\n/var/snap/microk8s/current/args/kubelet\n",
    "talos": _nodes(system="Talos~(v1.7.4)") + _agents(),
    "openshift": _nodes(system="Red~Hat~Enterprise~Linux~CoreOS~9", runtime="cri-o://1.29.1") + _OPERATOR,
    "eks": _nodes("v1.29.3-eks-adc7111") + _AWS + _OPERATOR,
    "aks": (_nodes() + _AZURE + _OPERATOR).replace("birch-", "aks-np1-11223344-vmss00000"),
    "docker": _nodes("v1.23.6", runtime="docker://20.10.7") + _agents(),
    "crio": _nodes(runtime="cri-o://1.29.1") + _agents(),
    "nftables": _nodes() + _OPERATOR + _object("operator.tigera.io/v1", "Installation", "calicoNetwork:", "  linuxDataplane: Nftables"),
    "ebpf": _nodes() + _OPERATOR + _BPF,
    "ebpf-manifest": _nodes() + _agents() + _object("crd.projectcalico.org/v1", "FelixConfiguration", "bpfEnabled: true"),
    "rke2-ebpf": _nodes("v1.30.6+rke2r1") + _OPERATOR + _BPF,
    "openshift-ebpf": _nodes(system="Red~Hat~Enterprise~Linux~CoreOS~9", runtime="cri-o://1.29.1") + _OPERATOR + _BPF,
    "etcd": _nodes() + _agents() + f"{_ROOT}kubectl -n kube-system set env daemonset/calico-node --list\nDATASTORE_TYPE=etcdv3\n",
    "migrated": _nodes() + _OPERATOR + _MIGRATED,
}  # fmt: skip


@cache
def draw_platform(name: str) -> ClusterFacts:
    """All that is known of it."""
    return picture_of(TEXTS[name])

import pytest

from calivet.evidence.artifact import Line
from calivet.facts.kubernetes import Pod
from calivet.facts.roles import role, role_of_name


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("calico-node-7lz54", "calico-node"),
        ("canal-x9w2k", "calico-node"),
        ("rke2-canal-8fj2p", "calico-node"),
        ("calico-typha-6d4b58795b-m8vxj", "typha"),
        ("calico-kube-controllers-99bd8767b-dx6c9", "kube-controllers"),
        ("etcd-cp1", "etcd"),
        ("kube-apiserver-cp1", "apiserver"),
        ("coredns-65944cbcb8-dfpm9", "dns"),
        ("kube-proxy-9bn2k", "kube-proxy"),
        ("calico-node-status-exporter-abc", "other"),
        ("orders-84c6b9d7f5-9hxkt", "other"),
    ],
)
def test_role_by_name(name, expected):
    assert role_of_name(name) == expected


def test_labels_win_over_names():
    pod = Pod(at=Line("a", 1, ""), name="net-agent-x", labels={"k8s-app": "calico-node"})
    assert role(pod) == "calico-node"

import pytest

from calivet.evidence.artifact import Line
from calivet.facts.kubernetes import Pod
from calivet.facts.roles import find_role, find_role_of_name, find_static_node


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("calico-node-4kx7m", "calico-node"),
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
        ("calico-node-windows-x8q2m", "calico-node"),
        ("calico-apiserver-7b5c9dd6f9-4tq2z", "calico-apiserver"),
        ("tigera-operator-55585899bf-gkqtz", "operator"),
        ("calico-policy-controller-2561685917-gsl1f", "kube-controllers"),
        ("kube-controller-manager-cp1.example.net", "controller-manager"),
        ("kube-scheduler-cp1", "scheduler"),
        ("rke2-coredns-rke2-coredns-autoscaler-6798c8596d-kzwbn", "dns"),
        ("calicoctl", "other"),
        ("calico-system", "other"),
        ("", "other"),
    ],
)
def test_role_by_name(name, expected):
    assert find_role_of_name(name) == expected


def test_labels_win_over_names():
    pod = Pod(at=Line("a", 1, ""), name="net-agent-x", labels={"k8s-app": "calico-node"})
    assert find_role(pod) == "calico-node"


@pytest.mark.parametrize("key", ["k8s-app", "app.kubernetes.io/name"])
@pytest.mark.parametrize(
    ("value", "expected"), [("canal", "calico-node"), ("calico-typha", "typha"), ("orders", "other")]
)
def test_every_label_that_tells(key, value, expected):
    assert find_role(Pod(at=Line("a", 1, ""), name="net-agent-x", labels={key: value})) == expected


@pytest.mark.parametrize(
    "name", ["etcd-backup-27912360-x2k4j", "etcd-operator-6d4b58795b-m8vxj", "etcd-defrag-28391040-9hxkt"]
)
def test_what_only_works_on_etcd_is_not_etcd(name):
    assert find_role_of_name(name) == "other"


def test_static_pods_name_their_node():
    assert find_static_node("etcd-cp1.example.net") == "cp1.example.net"
    assert find_static_node("kube-controller-manager-cp1") == "cp1"
    assert find_static_node("calico-node-4kx7m") is None

"""What kind of cluster it is, told by what operators show of one; None where nothing tells."""

from __future__ import annotations

import pytest

from calivet.facts.platform import QUESTIONS, find_platform
from tests.facts.drawing import nodes, picture_of, pods

ROOT = "[root@bastion ~]# "
CALICO = "calico-node-2bs6x 1/1 Running 0 9d 10.71.0.11 birch-1"
AWS = "aws-node-4vbtx 2/2 Running 0 9d 10.71.0.11 birch-1"
CONFLIST = ROOT + "ls /etc/cni/net.d\n10-calico.conflist  calico-kubeconfig\n"
INSTALLATION = """{root}kubectl get installation default -o yaml
apiVersion: operator.tigera.io/v1
kind: Installation
metadata:
  name: default
spec:
  calicoNetwork:
    linuxDataplane: {plane}
  cni:
    type: {cni}
"""
POOL = """{root}kubectl get ippool -o yaml
apiVersion: projectcalico.org/v3
kind: IPPool
metadata:
  name: default-ipv4-ippool
spec:
  cidr: 10.244.0.0/16
  ipipMode: {ipip}
  vxlanMode: {vxlan}
"""
STORE = """{root}kubectl get clusterinformations.{group} default -o yaml
apiVersion: {api}
kind: ClusterInformation
metadata:
  name: default
spec:
  datastoreReady: {ready}
"""
OLD, NEW = (
    {"group": "crd.projectcalico.org", "api": "crd.projectcalico.org/v1"},
    {"group": "projectcalico.org", "api": "projectcalico.org/v3"},
)
MIGRATION = """{root}kubectl get datastoremigration v1-to-v3 -o yaml
apiVersion: migration.projectcalico.org/v1
kind: DatastoreMigration
metadata:
  name: v1-to-v3
spec:
  type: APIServerToCRDs
status:
  phase: {phase}
"""
AKS = nodes("aks-np1-11223344-vmss000000 Ready 10.71.0.11")
MANAGED = {"installer": "aks", "distribution": "aks", "owner": "addon"}
AZURE = "[root@aks-np1-11223344-vmss000000 ~]# ls /etc/cni/net.d\n10-azure.conflist\n"


def store(which, ready):
    return STORE.format(root=ROOT, ready=ready, **which)


def answers(text):
    platform = find_platform(picture_of(text))
    return {question: answer for question in QUESTIONS if (answer := platform.answer(question))}


CRIO = f'{ROOT}journalctl -u crio\nJun 03 20:58:37 birch-1 crio[812]: level=info msg="Starting CRI-O"\n'


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("nothing of a cluster", {}),
        (pods(CALICO), {"network": "calico"}),
        (pods(CALICO, namespace="calico-system"), {"network": "calico", "installer": "operator", "owner": "operator"}),
        (pods(AWS), {"network": "aws-vpc-cni"}),
        (pods(AWS, CALICO), {"network": "aws-vpc-cni", "policy": "calico"}),
        (pods(AWS, CALICO) + CONFLIST, {"network": "calico"}),
        (pods("cilium-8xkqz 1/1 Running 0 9d 10.71.0.11 birch-1"), {"network": "cilium"}),
        (pods("canal-7gnx2 2/2 Running 0 9d 10.71.0.11 birch-1"), {"network": "canal"}),
        (
            INSTALLATION.format(root=ROOT, plane="BPF", cni="Calico"),
            {"installer": "operator", "owner": "operator", "network": "calico", "data_plane": "ebpf"},
        ),
        (
            INSTALLATION.format(root=ROOT, plane="Nftables", cni="AmazonVPC"),
            {"installer": "operator", "owner": "operator", "network": "aws-vpc-cni", "data_plane": "nftables"},
        ),
        (POOL.format(root=ROOT, ipip="Never", vxlan="CrossSubnet"), {"encapsulation": "vxlan"}),
        (POOL.format(root=ROOT, ipip="Always", vxlan="Never"), {"encapsulation": "ipip"}),
        (POOL.format(root=ROOT, ipip="Never", vxlan="Never"), {"encapsulation": "none"}),
        (store(OLD, "false"), {"datastore": "crd"}),
        (store(NEW, "true") + store(OLD, "false"), {"datastore": "v3"}),
        (store(NEW, "false") + store(OLD, "false"), {"datastore": "crd"}),
        (MIGRATION.format(root=ROOT, phase="Migrating") + store(OLD, "false"), {"datastore": "migrating"}),
        (MIGRATION.format(root=ROOT, phase="Complete") + store(OLD, "false"), {"datastore": "v3"}),
        (MIGRATION.format(root=ROOT, phase="Failed") + store(OLD, "false"), {"datastore": "crd"}),
        (AKS + AZURE, {**MANAGED, "network": "azure-cni", "runtime": "containerd"}),
        (AKS + AZURE + pods(CALICO), {**MANAGED, "network": "azure-cni", "policy": "calico", "runtime": "containerd"}),
        (CRIO, {"runtime": "crio"}),
    ],
)
def test_what_is_told(text, expected):
    assert answers(text) == expected


@pytest.mark.parametrize(
    ("version", "installer"),
    [("v1.30.6+rke2r1", "rke2"), ("v1.30.6+k3s1", "k3s"), ("v1.29.3-eks-adc7111", "eks"), ("v1.24.6", None)],
)
def test_who_made_the_nodes(version, installer):
    text = nodes("birch-1 Ready 10.71.0.11").replace("v1.24.6", version)
    assert answers(text).get("installer") == installer


@pytest.mark.parametrize(
    ("version", "namespace", "distribution", "owner"),
    [
        ("v1.30.6+rke2r1", "calico-system", "rke2", "addon"),
        ("v1.30.6+k3s1", "calico-system", "k3s", "operator"),
        ("v1.29.3-eks-adc7111", "calico-system", "eks", "operator"),
        ("v1.24.6", "calico-system", None, "operator"),
        ("v1.24.6", "kube-system", None, None),
    ],
)
def test_who_puts_changes_back(version, namespace, distribution, owner):
    text = nodes("birch-1 Ready 10.71.0.11").replace("v1.24.6", version) + pods(CALICO, namespace=namespace)
    told = answers(text)
    assert (told.get("distribution"), told.get("owner")) == (distribution, owner)


def test_a_kube_proxy_that_is_wanted_nowhere():
    listed = "NAME         DESIRED   CURRENT   READY   UP-TO-DATE   AVAILABLE   NODE SELECTOR     AGE\n"
    row = "kube-proxy   {count}         {count}         {count}       {count}            {count}           non-calico=true   9d\n"
    text = f"{ROOT}kubectl get ds -n kube-system\n{listed}{row}"
    assert answers(text.format(count=0)).get("kube_proxy") == "none"
    assert answers(text.format(count=3)).get("kube_proxy") is None


def test_a_kube_proxy_that_ebpf_replaced():
    bpf = INSTALLATION.format(root=ROOT, plane="BPF", cni="Calico")
    names = pods("coredns-5d78c9869d-9hxkt 1/1 Running 0 9d 10.244.1.5 birch-1")
    proxy = pods("kube-proxy-9hxkt 1/1 Running 0 9d 10.71.0.11 birch-1")
    assert answers(bpf + names).get("kube_proxy") == "none"
    assert answers(bpf + names + proxy).get("kube_proxy") is None
    assert answers(bpf + names.replace("-o wide", "-o wide | grep dns")).get("kube_proxy") is None
    assert answers(names).get("kube_proxy") is None


def test_an_answer_shows_its_line():
    told = find_platform(picture_of(pods(AWS))).network
    assert told
    assert told.line.text.startswith("aws-node-4vbtx")


def test_what_is_not_known_fits_and_what_is_known_otherwise_does_not():
    platform = find_platform(picture_of(pods(AWS, CALICO)))
    assert platform.fits({})
    assert platform.fits({"data_plane": ["ebpf"]})
    assert platform.fits({"network": ["aws-vpc-cni", "calico"]})
    assert not platform.fits({"network": ["calico"]})


def test_an_answer_that_must_not_be_the_one():
    platform = find_platform(picture_of(pods(AWS, CALICO)))
    assert platform.fits({"network": ["not calico"], "data_plane": ["not ebpf"]})
    assert not platform.fits({"network": ["not aws-vpc-cni"]})


def test_what_harms_elsewhere_needs_an_answer():
    platform = find_platform(picture_of(pods(AWS, CALICO)))
    assert platform.shows({"network": ["aws-vpc-cni"]})
    assert platform.shows({"network": ["not calico"]})
    assert not platform.shows({"data_plane": ["ebpf"]})
    assert not platform.shows({"data_plane": ["not ebpf"]})


KINDS = (
    ROOT
    + "kubectl get crd\nNAME                            CREATED AT\nippools.projectcalico.org       2026-05-02T10:00:00Z\n"
)


def test_only_the_new_kinds_mean_native_resources():
    assert find_platform(picture_of(KINDS)).answer("datastore") == "v3"
    both = KINDS + "ippools.crd.projectcalico.org   2024-05-02T10:00:00Z\n"
    assert find_platform(picture_of(both)).answer("datastore") is None


@pytest.mark.parametrize(("proxy", "plane"), [("nftables", "nftables"), ("ipvs", "iptables")])
def test_auto_follows_kube_proxy(proxy, plane):
    text = (
        f"{ROOT}kubectl get felixconfiguration default -o yaml\nkind: FelixConfiguration\nmetadata:\n  name: default\n"
        f"spec:\n  nftablesMode: Auto\n{ROOT}kubectl -n kube-system get cm kube-proxy -o yaml\n"
        f"apiVersion: kubeproxy.config.k8s.io/v1alpha1\nkind: KubeProxyConfiguration\nmode: {proxy}\n"
    )
    assert find_platform(picture_of(text)).answer("data_plane") == plane

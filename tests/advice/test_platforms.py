"""What no cause may advise on a kind of cluster, because it harms there or cannot be done."""

from __future__ import annotations

import re

import pytest

from tests.advice.rendering import render_cause, select_advice
from tests.shipped import load_shipped_catalogue

CATALOGUE = load_shipped_catalogue()
# Units that such a node does not have; what looks at several of them at once does no harm.
NO_UNITS = r"systemctl (?:re)?(?:start|load|enable|stop)\w* (?:\S+ )*(?:kubelet|containerd|docker|crio)\b"
# kube-proxy is a static pod there, or a part of the one service.
NO_PROXY_PODS = r"daemonset[/ ]kube-proxy|k8s-app=kube-proxy --field-selector"
# Nor has it kubeadm's files.
NO_KUBEADM = r"/etc/kubernetes/pki/etcd|--directory=/var/lib/etcd\b"
# The store of before a migration is looked at only to tell how far one has come.
NATIVE = (
    r"(?:patch|edit|delete|replace|annotate) [^|;&\n]{0,120}\.crd\.projectcalico\.org|get (?!clusterinf)\w+\.crd\.projectcalico\.org"
    r"|manifests/(?:operator-)?crds\.yaml(?![^|&\n]*v3)"
)
# There the provider runs the control plane, and another network has its programs beside Calico's.
NOT_OURS = r"crictl [^|;\n]*kube-apiserver|keepalived|/opt/cni/bin && rm|-y kubernetes-cni|systemctl \S+ kube-apiserver"
# The files of another network in the folder of CNI.
FOREIGN_FILES = (
    r"/etc/cni/net\.d[^'\n]{0,80}! -name|rm (?:-\S+ )?/etc/cni/net\.d/(?!\S*calico)|mv (?:-\S+ )?/etc/cni/net\.d/\*"
)
CHANGES_INSTALLATION = re.compile(r"(?:patch|edit) installation\b")
OPERATOR = r"kubectl (?:-n \S+ )?(?:set (?:env|image|resources)|patch|edit) (?:-n \S+ )?(?:ds|daemonset)[/ ]calico-node"
FORBIDDEN = {
    "rke2": [
        NO_UNITS,
        NO_KUBEADM,
        NO_PROXY_PODS,
        r"(?<!bin/)\bcrictl ",
        r"birch-2\b[^\n]*rke2-server",
        r"birch-1\b[^\n]*rke2-agent",
    ],
    "k3s": [
        NO_UNITS,
        NO_KUBEADM,
        NO_PROXY_PODS,
        r"(?<!k3s )\bcrictl ",
        r"birch-2\b[^\n]*systemctl [\w -]*\bk3s(?!-agent)\b",
    ],
    "microk8s": [NO_UNITS, NO_PROXY_PODS, r"(?<!microk8s )(?<![\w./-])kubectl ", r"\bcrictl (?!-r )"],
    "talos": [r"\bssh\b", r"\bsystemctl\b", r"\bsudo\b"],
    "openshift": [
        NO_PROXY_PODS,
        r"\bkubeadm (?:certs renew|init|upgrade|reset|join)\b",
        r"systemctl restart (?:docker|containerd)\b",
    ],
    "operator": [OPERATOR],
    "eks": [FOREIGN_FILES, OPERATOR, NOT_OURS],
    "aks": [FOREIGN_FILES, OPERATOR, NOT_OURS],
    "nftables": [r"iptablesBackend", r"iptables(?:-legacy|-nft)? -F", r"iptables-legacy-restore"],
    "ebpf": [r"iptablesBackend"],
    "migrated": [NATIVE],
    "canal": [r"(?:ds|daemonset)[/ ]calico-node\b", r"k8s-app=calico-node(?!-windows)"],
    # Old releases of docker bring a containerd along that has no unit.
    "docker": [r"(?<!systemctl cat containerd >/dev/null 2>&1 && )systemctl restart containerd\b"],
}


@pytest.mark.parametrize("platform", FORBIDDEN)
def test_nothing_that_harms_or_cannot_be_done(platform):
    patterns = [re.compile(pattern) for pattern in FORBIDDEN[platform]]
    wrong = [
        (one.owner, one.part, found[0], one.command[:160])
        for cause in CATALOGUE.causes.values()
        for known in (True, False)
        for one in render_cause(cause, platform, known=known)
        for pattern in patterns
        if (found := pattern.search(one.command))
    ]  # fmt: skip
    assert wrong == []


@pytest.mark.parametrize(
    ("platform", "changes", "lasts"),
    [
        ("rke2", r"(?:patch|edit) installation ", "HelmChartConfig rke2-calico"),
        ("canal", r"set env daemonset/rke2-canal", "HelmChartConfig rke2-canal"),
        ("microk8s", r"set env daemonset/calico-node", "cni-network/cni.yaml"),
    ],
)
def test_what_a_manager_takes_back_is_written_where_it_lasts(platform, changes, lasts):
    steps = [step for cause in CATALOGUE.causes.values() for step in select_advice(cause, platform, known=True)[0]]
    changing = [step for step in steps if re.search(changes, step.run)]
    assert len(changing) > 3
    assert [step.run for step in changing if lasts not in step.why.en or lasts not in step.why.zh] == []


@pytest.mark.parametrize("cause", CATALOGUE.causes.values(), ids=lambda cause: cause.id)
def test_rke2_is_told_what_the_operator_is_told(cause):
    """Its chart owns the Installation; without a word about that the step would be missing or undone."""
    installs = [
        step for step in select_advice(cause, "operator", known=True)[0] if CHANGES_INSTALLATION.search(step.run)
    ]
    told = " ".join(
        f"{step.run} {step.why.en} {step.do and step.do.en}" for step in select_advice(cause, "rke2", known=True)[0]
    )
    assert not installs or re.search(r"HelmChartConfig|registries\.yaml", told), told


def test_elsewhere_no_manager_is_named():
    steps = [step for cause in CATALOGUE.causes.values() for step in select_advice(cause, "operator", known=True)[0]]
    assert [step.run for step in steps if "HelmChartConfig" in step.why.en or "cni.yaml" in step.why.en] == []

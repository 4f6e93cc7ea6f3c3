"""What kind of machines there are: whose cloud they stand in, and which of them are no nodes of the cluster."""

from __future__ import annotations

import re
from collections.abc import Iterator

from calivet.evidence.artifact import Artifact
from calivet.facts.calico import BgpPeer, BirdDown, CniConfig, LogSpan, NodeAddress
from calivet.facts.cluster_facts import ClusterFacts, once
from calivet.facts.fact import Setting, Version
from calivet.facts.host import CommandRun, File, Interface, NodeProbe, NodeProbeEnd, Unit
from calivet.facts.kubernetes import Node
from calivet.search.expressions import expression

# Systems whose own iptables writes to nf_tables; older ones and those that leave it to the administrator are not here.
_NFT_SYSTEMS = expression(
    r"Debian GNU/Linux 1[1-9]|Ubuntu (?:2[2-9]|[3-9]\d)\.|Fedora"
    r"|(?:Red Hat|Rocky|AlmaLinux|CentOS Stream|Oracle Linux)\D*(?:[89]|1\d)\b"
)
# What kind of machines a cluster runs on: names of nodes, their labels and their kernels betray it.
_AZURE = expression(r"^aks-|\.cloudapp\.net$|^kubernetes\.azure\.com/|-azure$")
_AWS = expression(r"\.(?:compute|ec2)\.internal$|^eks\.amazonaws\.|-aws$|\.amzn2")
_GOOGLE_OR_OPENSTACK = expression(r"^node\.openstack\.|^gke-|-(?:gcp|gke)$")


def is_on_azure(cluster: ClusterFacts) -> bool:
    """Whether the machines are Azure's."""
    return _has_mark(cluster, _AZURE)


def is_on_aws(cluster: ClusterFacts) -> bool:
    """Whether the machines are Amazon's."""
    return _has_mark(cluster, _AWS)


def is_on_google_or_openstack(cluster: ClusterFacts) -> bool:
    """Whether the machines are of Google or OpenStack."""
    return _has_mark(cluster, _GOOGLE_OR_OPENSTACK)


def _has_mark(cluster: ClusterFacts, marks: re.Pattern[str]) -> bool:
    words = [word for node in cluster.all(Node) for word in (node.kernel or "", *node.labels)]
    words += [fact.version for fact in cluster.all(Version) if fact.program == "kernel"]
    return any(marks.search(word) for word in (*cluster.names.nodes, *words))


# Machines that a probe shows to be no node of a cluster: neither kubelet nor Calico runs there or has left a trace.
_KUBELETS = expression(r"kubelet|k3s(?:-agent)?|rke2-(?:server|agent)|k0s\w+|snap\.microk8s\..*")
_PROGRAMS = ("kubelet", "felix", "calico-node", "confd", "bird", "bird6", "typha", "kube-proxy", "k3s", "rke2")
_FILES = expression(r"/var/lib/(?:calico|kubelet|rancher|k0s)\b.*|/(?:etc|var)/.*/cni/net\.d/.+|/etc/kubernetes/.*")
_CARDS = expression(r"cali.+|tunl0|vxlan\.calico|wireguard\.cali")
_SPEAK_OF_CALICO = (BgpPeer, BirdDown, CniConfig, LogSpan, NodeAddress)


@once
def find_strangers(cluster: ClusterFacts) -> frozenset[str]:
    """By the names of their prompts; only where the probe came to its end and listed the processes."""
    ended = {end.host for end in cluster.all(NodeProbeEnd)}
    listed = {run.host for run in cluster.all(CommandRun) if run.command.startswith("ps ") and run.exit == 0}
    probed = {probe.host for probe in cluster.all(NodeProbe) if probe.host} & ended & listed
    members = set(_list_members(cluster)) if probed else set()
    return frozenset(host for host in probed if host and host not in members and cluster.names.node(host) is None)


def _list_members(cluster: ClusterFacts) -> Iterator[str | None]:
    yield from (unit.host for unit in cluster.all(Unit) if _KUBELETS.fullmatch(unit.name))
    yield from (setting.host for setting in cluster.all(Setting) if setting.program in _PROGRAMS)
    yield from (file.host for file in cluster.all(File) if file.exists and _FILES.fullmatch(file.path))
    yield from (card.host for card in cluster.all(Interface) if _CARDS.fullmatch(card.name))
    for kind in _SPEAK_OF_CALICO:
        yield from (fact.host for fact in cluster.all(kind))


# Machines from which somebody only worked, a bastion or a laptop: what they show says nothing of the nodes.
# Tools that speak of the cluster, whatever machine they run on.
_REMOTE = expression(r"\b(?:kubectl|oc|calicoctl (?!node)|helm|k9s|stern)\b|^(?:sudo )?k ")
# What only a node has: its own programs, files and devices, or those of its pods.
_OF_NODE = expression(
    r"(?i:calico|felix|kubelet|kubeadm|kube-proxy|crictl|containerd|dockerd|cri-o|etcd|k3s|rke2|k0s|microk8s)"
    r"|/etc/cni|/etc/kubernetes|\bcali[0-9a-f]{11}\b|\btunl0\b|KUBE-|\bveth"
)


@once
def find_bystanders(cluster: ClusterFacts) -> frozenset[str]:
    """Their names; none where no list of nodes was seen, because then anything may be a node."""
    nodes = cluster.all(Node)
    addresses = {node.internal_ip for node in nodes if node.internal_ip}
    hosts: dict[str, list[Artifact]] = {}
    for artifact in cluster.artifacts:
        if artifact.host and not artifact.prose:
            hosts.setdefault(artifact.host, []).append(artifact)
    return frozenset(
        host for host, own in hosts.items() if nodes and not cluster.names.node(host) and _is_bystander(own, addresses)
    )


def _is_bystander(artifacts: list[Artifact], addresses: set[str]) -> bool:
    """Whether kubectl was used there, and what the machine shows of itself is nothing of a node."""
    own = [artifact for artifact in artifacts if not _REMOTE.search(artifact.command or "")]
    if len(own) == len(artifacts):
        return False
    return not any(_OF_NODE.search(text) or _names_one(text, addresses) for text in _list_texts(own))


def _list_texts(artifacts: list[Artifact]) -> Iterator[str]:
    for artifact in artifacts:
        yield artifact.command or ""
        yield from artifact.lines


def _names_one(text: str, addresses: set[str]) -> bool:
    return any(address in text for address in addresses)


def list_nft_systems(cluster: ClusterFacts) -> list[str]:
    """The nodes' systems whose own iptables writes to nf_tables."""
    return sorted({node.os for node in cluster.all(Node) if node.os and _NFT_SYSTEMS.search(node.os)})

"""Machines that a probe shows to be no node of a cluster: neither kubelet nor Calico runs there or has left a trace."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.evidence.expressions import expression
from calivet.facts.calico import BgpPeer, BirdDown, CniConfig, LogSpan, NodeAddress
from calivet.facts.fact import Setting
from calivet.facts.host import CommandRun, File, Interface, NodeProbe, NodeProbeEnd, Unit
from calivet.facts.picture import Picture, once

_KUBELETS = expression(r"kubelet|k3s(?:-agent)?|rke2-(?:server|agent)|k0s\w+|snap\.microk8s\..*")
_PROGRAMS = ("kubelet", "felix", "calico-node", "confd", "bird", "bird6", "typha", "kube-proxy", "k3s", "rke2")
_FILES = expression(r"/var/lib/(?:calico|kubelet|rancher|k0s)\b.*|/(?:etc|var)/.*/cni/net\.d/.+|/etc/kubernetes/.*")
_CARDS = expression(r"cali.+|tunl0|vxlan\.calico|wireguard\.cali")
_SPEAK_OF_CALICO = (BgpPeer, BirdDown, CniConfig, LogSpan, NodeAddress)


@once
def strangers(picture: Picture) -> frozenset[str]:
    """By the names of their prompts; only where the probe came to its end and listed the processes."""
    ended = {end.host for end in picture.all(NodeProbeEnd)}
    listed = {run.host for run in picture.all(CommandRun) if run.command.startswith("ps ") and run.exit == 0}
    probed = {probe.host for probe in picture.all(NodeProbe) if probe.host} & ended & listed
    members = set(_members(picture)) if probed else set()
    return frozenset(host for host in probed if host and host not in members and picture.names.node(host) is None)


def _members(picture: Picture) -> Iterator[str | None]:
    yield from (unit.host for unit in picture.all(Unit) if _KUBELETS.fullmatch(unit.name))
    yield from (setting.host for setting in picture.all(Setting) if setting.program in _PROGRAMS)
    yield from (file.host for file in picture.all(File) if file.exists and _FILES.fullmatch(file.path))
    yield from (card.host for card in picture.all(Interface) if _CARDS.fullmatch(card.name))
    for kind in _SPEAK_OF_CALICO:
        yield from (fact.host for fact in picture.all(kind))

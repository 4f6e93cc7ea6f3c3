"""What another network plugin, or an earlier Calico, left on the node."""

from __future__ import annotations

from calivet.catalogue.words import Words
from calivet.evidence.expressions import expression
from calivet.facts.calico import CniConfig
from calivet.facts.fact import Variable
from calivet.facts.host import File, Interface
from calivet.facts.kubernetes import Object
from calivet.preflight.by_signs import fails_by, seen
from calivet.preflight.firewall import RULES, rules_read
from calivet.preflight.host import Host
from calivet.preflight.requirement import Requirement, Result, fails, passes
from calivet.preflight.services import PROCESSES, running
from calivet.preflight.unread import answered, not_read, not_there

CALICOS_FILE = "10-calico.conflist"
_CNI_FOLDERS = r"^ls .*(?:/cni/net\.d|/cni-network)"
_HOST_LOCAL = "/var/lib/cni/networks/k8s-pod-network"
_CARDS = r"^ip addr|^ifconfig"
# Devices that other plugins make; their addresses and routes stay for as long as they do.
_DEVICES = {
    "cni0": "flannel",
    "flannel.1": "flannel",
    "cilium_host": "cilium",
    "cilium_vxlan": "cilium",
    "weave": "weave",
    "kube-bridge": "kube-router",
    "antrea-gw0": "antrea",
    "ovn-k8s-mp0": "ovn-kubernetes",
}
_CALICOS_RULE = expression(r"-A cali-|-j cali-")
_CALICO = ("calico-node", "calico-felix", "calico")

DEVICE = Words("the device {device} is left from {plugin}", "遗留有 {plugin} 的设备 {device}")
HOST_LOCAL = Words(
    "{folder} is left from another plugin; Calico would set out to migrate it, and lock the whole cluster for that",
    "{folder} 是其他插件的遗留；Calico 会去迁移它，并为此锁住整个集群",
)
STALE_RULES = Words(
    "rules of an earlier Calico are left where no Calico runs", "本机没有运行 Calico，却遗留有早先 Calico 的规则"
)


def _files(host: Host) -> Result:
    for sighting in seen("other-cni-file-first", host.picture, host):
        # What sorts behind Calico's file gives way to it; and Calico may be there for its policies alone.
        if sighting.values["file"] < CALICOS_FILE and not _is_for_policies(host):
            return fails_by("other-cni-file-first", sighting)
    listing = answered(host, _CNI_FOLDERS)
    return passes(listing.at) if listing else not_there(host, _CNI_FOLDERS)


def _devices(host: Host) -> Result:
    found = {device.name: device for device in host.all(Interface) if device.exists}
    for name, plugin in _DEVICES.items():
        if name in found and not _is_canal(host):
            return fails(DEVICE, found[name].at, device=name, plugin=plugin)
    read = answered(host, _CARDS)
    return passes(read.at) if read and found else not_read(host, _CARDS)


def _is_canal(host: Host) -> bool:
    """Calico's rules over flannel's network: there the devices are at home."""
    return any("canal" in file.path for file in host.all(File) if file.exists)


def _is_for_policies(host: Host) -> bool:
    """Whether another plugin is to give the pods their network."""
    told = [one.value for one in host.together.all(Variable) if one.name == "CALICO_NETWORKING_BACKEND"]
    types = [thing.values.get("spec.cni.type", "Calico") for thing in host.together.all(Object)]
    return "none" in told or any(kind != "Calico" for kind in types)


def _host_local(host: Host) -> Result:
    in_use = next((one for one in host.all(CniConfig) if one.ipam == "host-local"), None)
    if in_use and ("calico" in in_use.plugins or _is_canal(host)):
        return passes(in_use.at)
    for file in host.all(File):
        if file.exists and file.path.startswith(_HOST_LOCAL):
            return fails(HOST_LOCAL, file.at, folder=_HOST_LOCAL)
    return not_there(host, rf"^ls .*{_HOST_LOCAL}")


def _rules(host: Host) -> Result:
    for sighting in seen("rules-in-both-backends", host.picture, host):
        return fails_by("rules-in-both-backends", sighting)
    rule = next((line for line in host.lines(RULES) if _CALICOS_RULE.search(line.text)), None)
    if rule and not running(host, *_CALICO):
        # Calico runs in containers, so that no list of units would show it.
        return fails(STALE_RULES, rule) if answered(host, PROCESSES) else not_read(host, PROCESSES)
    read = rules_read(host)
    return passes(read.at) if read else not_read(host, RULES)


REQUIREMENTS = (
    Requirement(
        "cni-files",
        Words("Other plugins' configuration", "其他插件的配置"),
        "cni-config-conflict",
        _files,
    ),
    Requirement(
        "cni-devices",
        Words("Other plugins' devices", "其他插件的网络设备"),
        "cni-config-conflict",
        _devices,
    ),
    Requirement(
        "host-local-data",
        Words("Other plugins' addresses", "其他插件的地址数据"),
        "ipam-upgrade-stuck",
        _host_local,
    ),
    Requirement(
        "stale-rules",
        Words("Rules of an earlier Calico", "早先 Calico 的规则"),
        "iptables-backend-mismatch",
        _rules,
    ),
)

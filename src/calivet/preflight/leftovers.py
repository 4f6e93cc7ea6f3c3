"""What another network plugin, or an earlier Calico, left on the node."""

from __future__ import annotations

from calivet.facts.calico import CniConfig
from calivet.facts.fact import Variable
from calivet.facts.host import File, Interface
from calivet.facts.kubernetes import Object
from calivet.facts.vocabulary.other_networks import find_owner_of_device
from calivet.preflight.firewall import RULES, find_rules_listing
from calivet.preflight.requirement import (
    Host,
    Requirement,
    Result,
    check_absent,
    explain_unread,
    fail_by,
    fail_by_sign,
    find_answer,
    find_sightings,
    pass_by,
)
from calivet.preflight.services import PROCESSES, find_running
from calivet.search.expressions import expression

CALICOS_FILE = "10-calico.conflist"
_CNI_FOLDERS = r"^ls .*(?:/cni/net\.d|/cni-network)"
_HOST_LOCAL = "/var/lib/cni/networks/k8s-pod-network"
_CARDS = r"^ip addr|^ifconfig"
_CALICOS_RULE = expression(r"-A cali-|-j cali-")
_CALICO = ("calico-node", "calico-felix", "calico")


def _check_files(host: Host) -> Result:
    for sighting in find_sightings("other-cni-file-first", host.picture, host):
        # What sorts behind Calico's file gives way to it; and Calico may be there for its policies alone.
        if sighting.values["file"] < CALICOS_FILE and not _is_for_policies(host):
            return fail_by_sign("other-cni-file-first", sighting)
    listing = find_answer(host, _CNI_FOLDERS)
    return pass_by(listing.at) if listing else check_absent(host, _CNI_FOLDERS)


def _check_devices(host: Host) -> Result:
    found = {device.name: device for device in host.all(Interface) if device.exists}
    # Their addresses and routes stay for as long as they do.
    for name, device in found.items():
        if (plugin := find_owner_of_device(name)) and not _is_canal(host):
            return fail_by("foreign_device", device.at, device=name, plugin=plugin)
    read = find_answer(host, _CARDS)
    return pass_by(read.at) if read and found else explain_unread(host, _CARDS)


def _is_canal(host: Host) -> bool:
    """Calico's rules over flannel's network: there the devices are at home."""
    return any("canal" in file.path for file in host.all(File) if file.exists)


def _is_for_policies(host: Host) -> bool:
    """Whether another plugin is to give the pods their network."""
    told = [one.value for one in host.together.all(Variable) if one.name == "CALICO_NETWORKING_BACKEND"]
    types = [thing.values.get("spec.cni.type", "Calico") for thing in host.together.all(Object)]
    return "none" in told or any(kind != "Calico" for kind in types)


def _check_host_local(host: Host) -> Result:
    in_use = next((one for one in host.all(CniConfig) if one.ipam == "host-local"), None)
    if in_use and ("calico" in in_use.plugins or _is_canal(host)):
        return pass_by(in_use.at)
    for file in host.all(File):
        if file.exists and file.path.startswith(_HOST_LOCAL):
            return fail_by("foreign_addresses", file.at, folder=_HOST_LOCAL)
    return check_absent(host, rf"^ls .*{_HOST_LOCAL}")


def _check_rules(host: Host) -> Result:
    for sighting in find_sightings("rules-in-both-backends", host.picture, host):
        return fail_by_sign("rules-in-both-backends", sighting)
    rule = next((line for line in host.lines(RULES) if _CALICOS_RULE.search(line.text)), None)
    if rule and not find_running(host, *_CALICO):
        # Calico runs in containers, so that no list of units would show it.
        return fail_by("rules_stale", rule) if find_answer(host, PROCESSES) else explain_unread(host, PROCESSES)
    read = find_rules_listing(host)
    return pass_by(read.at) if read else explain_unread(host, RULES)


REQUIREMENTS = (
    Requirement(
        "cni-files",
        "cni-config-conflict",
        _check_files,
    ),
    Requirement(
        "cni-devices",
        "cni-config-conflict",
        _check_devices,
    ),
    Requirement(
        "host-local-data",
        "ipam-upgrade-stuck",
        _check_host_local,
    ),
    Requirement(
        "stale-rules",
        "iptables-backend-mismatch",
        _check_rules,
    ),
)

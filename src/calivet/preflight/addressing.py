"""The node's name and identity, and the address that Calico would take: in the right network, and its own."""

from __future__ import annotations

from calivet.evidence.artifact import Line
from calivet.facts.host import Interface, MachineIdentity, NodeProbe
from calivet.facts.kubernetes import Node
from calivet.forecast.autodetection import UNKNOWN, TakenAddress, find_taken_address
from calivet.forecast.cards import Address, parse_address
from calivet.forecast.nodes import collect_host as seen_by_calico
from calivet.forecast.nodes import collect_internal_addresses, collect_stored_addresses
from calivet.forecast.releases import find_running_release as release
from calivet.forecast.settings import NONE, read_settings
from calivet.preflight.requirement import (
    Host,
    Requirement,
    Result,
    check_absent,
    explain_unread,
    fail_by,
    fail_by_sign,
    find_sightings,
    mark_unchecked,
    pass_by,
)
from calivet.search.expressions import expression

_IDENTITY = r"^sha256sum "
_STORED_NAME = r"^cat /var/lib/calico/nodename"
# kubelet and Calico write names small, so capital letters do no harm.
_VALID = expression(r"[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?")
# What machines are called before anybody names them.
_NOBODYS = expression(r"localhost(?:\..*)?|ubuntu|debian|raspberrypi|template")


def _check_name(host: Host) -> Result:
    begin, name = host.all(NodeProbe)[0].at, host.name.lower()
    if _NOBODYS.fullmatch(name):
        return fail_by("name_not_own", begin, name=name)
    return pass_by(begin) if _VALID.fullmatch(name) else fail_by("name_invalid", begin, name=name)


def _check_name_free(host: Host) -> Result:
    begin = host.all(NodeProbe)[0].at
    if any(other.name.lower() == host.name.lower() for other in host.beside):
        return fail_by("name_shared", begin, name=host.name)
    if host.cluster is None:
        return mark_unchecked("no_cluster")
    own = list_own_addresses(host)
    if not own:
        return explain_unread(host, CARDS)
    for node in host.cluster.all(Node):
        if node.name == host.name.lower() and node.internal_ip and node.internal_ip not in own:
            return fail_by("name_taken", node.at, name=node.name, address=node.internal_ip)
    return pass_by(begin)


def _check_stored_name(host: Host) -> Result:
    line = next(host.lines(_STORED_NAME), None)
    if line is None:
        return check_absent(host, _STORED_NAME)
    stored, name = line.text.strip(), host.name.lower()
    if stored == host.node or stored.split(".")[0] == name.split(".")[0]:
        return pass_by(line)
    for sign in ("nodename-of-another", "nodename-unknown"):
        for sighting in find_sightings(sign, host.together, host):
            return fail_by_sign(sign, sighting)
    return mark_unchecked("stored_unknown", line, stored=stored, name=name)


def _check_machine_id(host: Host) -> Result:
    own = host.all(MachineIdentity)
    if not own:
        return explain_unread(host, _IDENTITY)
    if not host.beside:
        return mark_unchecked("no_other")
    others = {(one.name, one.digest): other.name for other in host.beside for one in other.all(MachineIdentity)}
    shared = {one.name: (one.at, clone) for one in own if (clone := others.get((one.name, one.digest)))}
    if found := shared.get("machine-id"):
        return fail_by("machine_cloned", found[0], clone=found[1])
    if found := shared.get("product_uuid"):
        return mark_unchecked("board_cloned", found[0], clone=found[1])
    return pass_by(own[0].at)


IDENTITY_REQUIREMENTS = (
    Requirement(
        "node-name",
        "hostname-changed-or-dup",
        _check_name,
    ),
    Requirement(
        "name-free",
        "hostname-changed-or-dup",
        _check_name_free,
    ),
    Requirement(
        "stored-name",
        "hostname-changed-or-dup",
        _check_stored_name,
    ),
    Requirement(
        "machine-id",
        "duplicate-node-ip",
        _check_machine_id,
    ),
)


CARDS = r"^ip addr|^ifconfig"


def list_own_addresses(host: Host) -> dict[str, Interface]:
    """Every address of the machine, without its prefix length, and the card it is on."""
    return {address.split("/")[0]: card for card in host.all(Interface) for address in card.addresses}


def _check_address_found(host: Host) -> Result:
    choice = _find_taken_address(host)
    card = next((card.at for card in host.all(Interface)), None)
    if card is None or choice.how == UNKNOWN:
        return mark_unchecked("address_unclear", card) if card else explain_unread(host, CARDS)
    if choice.wanting:
        return fail_by("no_address", card, method=read_settings(host.together).choices[_find_family(host)].method)
    return pass_by(_find_line(host, choice) or card)


def _check_address_in_node_network(host: Host) -> Result:
    choice, others = _find_taken_address(host), _list_other_addresses(host)
    own, line = parse_address(choice.address), _find_line(host, choice)
    if own is None or line is None:
        return mark_unchecked("address_unclear")
    if not others:
        return mark_unchecked("no_cluster")
    if any(other.ip in own.network for other in others.values()):
        return pass_by(line)
    for address, card in list_own_addresses(host).items():
        written = next(one for one in card.addresses if one.split("/")[0] == address)
        better = parse_address(written)
        near = [other for other in others.values() if better and other.ip in better.network]
        if better and 2 * len(near) > len(others):
            values = {"address": str(own.ip), "interface": str(choice.interface), "better": address, "card": card.name}
            return fail_by("better_network", line, **values)
    return mark_unchecked("no_shared_network", line, address=str(own.ip))


def _check_address_is_free(host: Host) -> Result:
    choice, others = _find_taken_address(host), _list_other_addresses(host)
    own, line = parse_address(choice.address), _find_line(host, choice)
    if own is None or line is None:
        return mark_unchecked("address_unclear")
    for node, other in others.items():
        if other.ip == own.ip:
            return fail_by("address_taken", line, address=str(own.ip), other=node)
    return pass_by(line) if others else mark_unchecked("no_cluster")


def _find_taken_address(host: Host) -> TakenAddress:
    """What calico-node would store for it, as the cluster has it set up, or with Calico's defaults."""
    picture, family = host.together, _find_family(host)
    here = seen_by_calico(picture, host.node, family)
    stored = collect_stored_addresses(picture).get((host.node, family))
    return find_taken_address(here, stored, read_settings(picture).choices[family], family, release(picture))


def _find_family(host: Host) -> int:
    return 6 if read_settings(host.together).choices[4].ip == NONE else 4


def _list_other_addresses(host: Host) -> dict[str, Address]:
    """The addresses by which Calico knows the other nodes, Kubernetes where Calico does not; and of those probed."""
    family = _find_family(host)
    found = {other.name: _find_taken_address(other).address for other in host.beside}
    if host.cluster:
        for addresses in (collect_internal_addresses(host.cluster), collect_stored_addresses(host.cluster)):
            found |= {node: address for (node, version), address in addresses.items() if version == family}
    found.pop(host.node, None)
    return {node: address for node, written in found.items() if (address := parse_address(written))}


def _find_line(host: Host, choice: TakenAddress) -> Line | None:
    card = list_own_addresses(host).get((choice.address or "").split("/")[0])
    return card.at if card else None


REQUIREMENTS = (
    Requirement(
        "address-found",
        "no-ip-autodetected",
        _check_address_found,
    ),
    Requirement(
        "address-network",
        "wrong-ip-autodetected",
        _check_address_in_node_network,
    ),
    Requirement(
        "address-free",
        "duplicate-node-ip",
        _check_address_is_free,
    ),
)

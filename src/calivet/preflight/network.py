"""The pods' network against the node's, and what the node must reach."""

from __future__ import annotations

from collections.abc import Collection

from calivet.evidence.artifact import Line
from calivet.facts.cluster_network import list_configured_mtus, list_pools
from calivet.facts.fact import Reach
from calivet.facts.host import CommandRun, Interface, Route
from calivet.facts.networks import do_overlap, parse_network
from calivet.forecast.reachability import OVERHEAD
from calivet.forecast.settings import list_pool_modes
from calivet.preflight.addressing import CARDS
from calivet.preflight.requirement import (
    Host,
    Requirement,
    Result,
    check_by_cluster_signs,
    explain_unread,
    fail_by,
    fail_by_sign,
    find_sightings,
    mark_unchecked,
    pass_by,
)
from calivet.search.expressions import expression
from calivet.signs.api.api_server import API_PORTS
from calivet.signs.bgp.peering import BGP_PORT
from calivet.signs.underlay.mtu import FULL

# Devices whose addresses come from the pools, or are services'.
_CALICOS = expression(
    r"cali|tunl0|vxlan(?:-v6)?\.calico|wireguard\.cali|wg-v6\.cali|bpf(?:in|out)\.cali|kube-ipvs0|nodelocaldns|lo$"
)
_RANGE_SIGNS = ("pod-range-contains-nodes", "pod-range-meets-services", "pools-overlap-each-other")
_SIZE_SIGNS = ("tunnel-mtu-over-card", "pod-mtu-over-tunnel")


def _check_ranges(host: Host) -> Result:
    if host.cluster is None:
        return mark_unchecked("no_cluster")
    for name in _RANGE_SIGNS:
        for sighting in find_sightings(name, host.together, host):
            return fail_by_sign(name, sighting)
    known = list_pools(host.cluster)
    cards = [card for card in host.all(Interface) if not _CALICOS.match(card.name)]
    for card in cards:
        for address in card.addresses:
            taken = next(
                (pool for pool in known if (own := parse_network(address)) and do_overlap(own, pool.network)), None
            )
            if taken:
                return fail_by("pool_overlaps", card.at, cidr=str(taken.network), address=address, card=card.name)
    if not known:
        return mark_unchecked("cluster_silent")
    return pass_by(cards[0].at) if cards else explain_unread(host, CARDS)


def _check_mtu(host: Host) -> Result:
    for name in _SIZE_SIGNS:
        for sighting in find_sightings(name, host.picture, host):
            return fail_by_sign(name, sighting)
    card = _find_card(host)
    if card is None or card.mtu is None:
        return explain_unread(host, CARDS)
    if host.cluster is None:
        at_work = any(_CALICOS.match(one.name) and one.name != "lo" for one in host.all(Interface))
        return pass_by(card.at) if at_work else mark_unchecked("packet_size_unknown")
    size = next((one.mtu for one in list_configured_mtus(host.together)), 0)
    wrapped = size + max((OVERHEAD[pool.wrapping] for pool in list_pool_modes(host.together)), default=0)
    if size and wrapped > card.mtu:
        values = {"size": str(size), "wrapped": str(wrapped), "card": card.name, "mtu": str(card.mtu)}
        return fail_by("packets_too_large", card.at, **values)
    return pass_by(card.at)


def _find_card(host: Host) -> Interface | None:
    """The card that leads out."""
    device = next((route.device for route in host.all(Route) if route.destination == "default"), None)
    return next((card for card in host.all(Interface) if card.name == device), None)


def _find_routes(host: Host) -> Line | None:
    return next((route.at for route in host.all(Route)), None)


TYPHA_PORT, HTTPS_PORT = 5473, 443
_SERVER = r"^grep .*server:"
_ANSWERS = ("ok", "reset")
_NARROW = "large-fails-small-passes"


def _check_api_server(host: Host) -> Result:
    """One that answers is enough: the others may be down for reasons of their own."""
    told = " ".join(line.text for line in host.lines(_SERVER))
    tries = [*_list_tries(host, API_PORTS), *(one for one in _list_tries(host, (HTTPS_PORT,)) if one.target in told)]
    answer = next((one for one in tries if one.outcome in _ANSWERS), None)
    if answer or not tries:
        return pass_by(answer.at) if answer else mark_unchecked("not_tried")
    return _explain_unreached(tries[0])


def _check_bgp_peers(host: Host) -> Result:
    """Where no BIRD runs yet the connection is refused, and the way is open; a sick node is not reached by anybody."""
    names, sick = host.together.names, host.together.sick_nodes
    tries = [one for one in _list_tries(host, (BGP_PORT,)) if names.node(one.target) not in sick]
    silent = next((one for one in tries if one.outcome not in (*_ANSWERS, "refused")), None)
    if silent:
        return _explain_unreached(silent)
    return pass_by(tries[0].at) if tries else mark_unchecked("not_tried")


def _check_typha(host: Host) -> Result:
    for sighting in find_sightings("typha-port-closed", host.picture, host):
        return fail_by_sign("typha-port-closed", sighting)
    answer = next((one for one in _list_tries(host, (TYPHA_PORT,)) if one.outcome in _ANSWERS), None)
    return pass_by(answer.at) if answer else mark_unchecked("not_tried")


def _check_full_packets(host: Host) -> Result:
    """Who does not even answer a small ping tells nothing of large ones."""
    for sighting in find_sightings(_NARROW, host.picture, host):
        return fail_by_sign(_NARROW, sighting)
    pings = [one for one in host.all(Reach) if one.protocol == "icmp" and (one.size or 0) >= FULL and not one.pod]
    if arrived := next((ping for ping in pings if ping.arrived), None):
        return pass_by(arrived.at)
    sent = next((run for run in host.all(CommandRun) if run.command.startswith("ping ")), None)
    return mark_unchecked("no_ping_answered", sent.at) if sent else mark_unchecked("no_full_packet")


def _list_tries(host: Host, ports: Collection[int]) -> list[Reach]:
    return [one for one in host.all(Reach) if one.port in ports and not one.pod and one.protocol != "icmp"]


def _explain_unreached(one: Reach) -> Result:
    return fail_by("unreached", one.at, target=one.target, port=str(one.port), outcome=one.outcome)


REQUIREMENTS = (
    Requirement(
        "pool-ranges",
        "ip-pool-cidr-overlap",
        _check_ranges,
    ),
    Requirement(
        "routes",
        "route-conflict",
        check_by_cluster_signs("foreign-route-inside-pods", "nodes-behind-stranger", shown=_find_routes),
    ),
    Requirement(
        "packet-size",
        "mtu-mismatch",
        _check_mtu,
    ),
    Requirement(
        "api-server",
        "apiserver-down",
        _check_api_server,
    ),
    Requirement(
        "bgp-peers",
        "bgp-port-blocked",
        _check_bgp_peers,
    ),
    Requirement(
        "typha",
        "typha-unreachable",
        _check_typha,
    ),
    Requirement(
        "full-packets",
        "mtu-mismatch",
        _check_full_packets,
    ),
)

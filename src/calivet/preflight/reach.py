"""Whom the node reaches, and with how large a packet. Only what was tried counts."""

from __future__ import annotations

from collections.abc import Collection

from calivet.catalogue.words import Words
from calivet.facts.fact import Reach
from calivet.facts.host import CommandRun
from calivet.preflight.by_signs import fails_by, seen
from calivet.preflight.host import Host
from calivet.preflight.requirement import Requirement, Result, fails, passes, unchecked
from calivet.signs.computed.api_reach import API_PORTS
from calivet.signs.computed.bgp_port import BGP_PORT
from calivet.signs.computed.ping_sizes import FULL, arrives

TYPHA_PORT, HTTPS_PORT = 5473, 443
_SERVER = r"^grep .*server:"
_ANSWERS = ("ok", "reset")
_NARROW = "large-fails-small-passes"

NOT_TRIED = Words("the probe knew no address to try", "探测没有可尝试的地址")
NO_FULL_PACKET = Words(
    "the probe knew no other node, or no ping that can forbid fragments",
    "探测不知道其他节点的地址，或没有可禁止分片的 ping",
)
NO_PING_ANSWERED = Words(
    "nobody answers ping from here; a network may drop it on purpose", "没有节点应答 ping；网络可能有意丢弃它"
)
UNREACHED = Words("{target} does not answer on port {port} ({outcome})", "{target} 的 {port} 端口没有应答（{outcome}）")


def _api_server(host: Host) -> Result:
    """One that answers is enough: the others may be down for reasons of their own."""
    told = " ".join(line.text for line in host.lines(_SERVER))
    tries = [*_tries(host, API_PORTS), *(one for one in _tries(host, (HTTPS_PORT,)) if one.target in told)]
    answer = next((one for one in tries if one.outcome in _ANSWERS), None)
    if answer or not tries:
        return passes(answer.at) if answer else unchecked(NOT_TRIED)
    return _unreached(tries[0])


def _bgp_peers(host: Host) -> Result:
    """Where no BIRD runs yet the connection is refused, and the way is open; a sick node is not reached by anybody."""
    names, sick = host.together.names, host.together.sick_nodes
    tries = [one for one in _tries(host, (BGP_PORT,)) if names.node(one.target) not in sick]
    silent = next((one for one in tries if one.outcome not in (*_ANSWERS, "refused")), None)
    if silent:
        return _unreached(silent)
    return passes(tries[0].at) if tries else unchecked(NOT_TRIED)


def _typha(host: Host) -> Result:
    for sighting in seen("typha-port-closed", host.picture, host):
        return fails_by("typha-port-closed", sighting)
    answer = next((one for one in _tries(host, (TYPHA_PORT,)) if one.outcome in _ANSWERS), None)
    return passes(answer.at) if answer else unchecked(NOT_TRIED)


def _full_packets(host: Host) -> Result:
    """Who does not even answer a small ping tells nothing of large ones."""
    for sighting in seen(_NARROW, host.picture, host):
        return fails_by(_NARROW, sighting)
    pings = [one for one in host.all(Reach) if one.protocol == "icmp" and (one.size or 0) >= FULL and not one.pod]
    if arrived := next(filter(arrives, pings), None):
        return passes(arrived.at)
    sent = next((run for run in host.all(CommandRun) if run.command.startswith("ping ")), None)
    return unchecked(NO_PING_ANSWERED, sent.at) if sent else unchecked(NO_FULL_PACKET)


def _tries(host: Host, ports: Collection[int]) -> list[Reach]:
    return [one for one in host.all(Reach) if one.port in ports and not one.pod and one.protocol != "icmp"]


def _unreached(one: Reach) -> Result:
    return fails(UNREACHED, one.at, target=one.target, port=str(one.port), outcome=one.outcome)


REQUIREMENTS = (
    Requirement(
        "api-server",
        Words("Way to the API server", "到 API server 的通路"),
        "apiserver-down",
        _api_server,
    ),
    Requirement(
        "bgp-peers",
        Words("Way to the other nodes' BGP port", "到其他节点 BGP 端口的通路"),
        "bgp-port-blocked",
        _bgp_peers,
    ),
    Requirement(
        "typha",
        Words("Way to Typha", "到 Typha 的通路"),
        "typha-unreachable",
        _typha,
    ),
    Requirement(
        "full-packets",
        Words("Full packets to the other nodes (MTU of the path)", "到其他节点的满长报文（路径 MTU）"),
        "mtu-mismatch",
        _full_packets,
    ),
)

"""Ports that are taken, and other hands on the node's rules and interfaces: firewalls, NetworkManager."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.evidence.artifact import Line
from calivet.facts.host import CommandRun, FirewallRule, Socket, Unit
from calivet.preflight.requirement import (
    Host,
    Requirement,
    Result,
    explain_unread,
    fail_by,
    fail_by_sign,
    find_answer,
    find_sightings,
    mark_unchecked,
    pass_by,
)
from calivet.preflight.services import LOOKED_FOR, find_process_listing, find_running
from calivet.search.expressions import expression
from calivet.signs.host.local_network import PORTS

BGP_PORT, VXLAN_PORT = 179, 4789
_LISTING = r"^(?:ss|netstat) -\w*l"
_UDP_LISTING = r"^(?:ss|netstat) -(?=\w*l)(?=\w*u)"
_LINKS = r"^ip -d link"
_LINK = expression(r"^\d+: (?P<name>[^:@\s]+)")
_OWN_NUMBER = expression(r"^vxlan id 4096 .*\bdstport 4789\b")
_OWN_DEVICES = ("vxlan.calico", "vxlan-v6.calico")
# Calico's own BIRD runs in a container, never as a service of the node.
_ROUTER = "bird"


def _check_tcp_ports(host: Host) -> Result:
    for sighting in find_sightings("calico-port-held-by-other", host.picture, host):
        return fail_by_sign("calico-port-held-by-other", sighting)
    router = any(unit.name == _ROUTER and unit.active == "active" for unit in host.all(Unit))
    for socket in host.all(Socket):
        if socket.state != "LISTEN" or socket.protocol != "tcp":
            continue
        if socket.port == BGP_PORT and router:
            return fail_by("own_bird", socket.at)
        if socket.port in PORTS and not socket.process and not host.is_root:
            return mark_unchecked("listener_nameless", socket.at, port=f"TCP {socket.port}")
    listing = find_answer(host, _LISTING)
    return pass_by(listing.at) if listing else explain_unread(host, _LISTING)


def _check_vxlan_port(host: Host) -> Result:
    device, line = _find_other_vxlan_device(host)
    if line:
        return fail_by("vxlan_number_taken", line, device=device)
    for socket in host.all(Socket):
        if socket.protocol != "udp" or socket.port != VXLAN_PORT:
            continue
        if socket.process:
            return fail_by("udp_held", socket.at, process=socket.process)
        # The kernel's own socket, of a VXLAN device, has no process and may be shared.
        if not host.is_root:
            return mark_unchecked("listener_nameless", socket.at, port=f"UDP {VXLAN_PORT}")
    listing, links = find_answer(host, _UDP_LISTING), find_answer(host, _LINKS)
    if not listing:
        return explain_unread(host, _UDP_LISTING)
    return pass_by(links.at) if links else explain_unread(host, _LINKS)


def _find_other_vxlan_device(host: Host) -> tuple[str, Line | None]:
    device = ""
    for line in host.lines(_LINKS):
        if link := _LINK.match(line.text):
            device = link["name"]
        elif _OWN_NUMBER.match(line.text) and device not in _OWN_DEVICES:
            return device, line
    return "", None


PORT_REQUIREMENTS = (
    Requirement(
        "ports",
        "port-in-use",
        _check_tcp_ports,
    ),
    Requirement(
        "vxlan-port",
        "port-in-use",
        _check_vxlan_port,
    ),
)


RULES = r"^(?:iptables-(?:legacy-|nft-)?save|nft list ruleset)"
_REFUSED = expression(r"^ip[\w-]*save.*(?:denied|must be root|nitializ|[Ff]ailed|fatal)|^Fatal: ")
_UNMANAGED = r"unmanaged-devices"
_BLOCKING = ("DROP", "REJECT")
_CHAINS = {"INPUT": "INPUT", "input": "INPUT", "FORWARD": "FORWARD", "forward": "FORWARD"}
_FELIX_ACCEPTS = "FORWARD"
"""The chain of iptables; an accept there does not stop the chains of other tables of nft on the same way."""
_BLOCKS_THE_REST = expression(r"^(?:\[\d+:\d+\] )?-A (?P<chain>INPUT|FORWARD) -j (?:DROP|REJECT)\b")
_LETS_CALICO_IN = expression(r"\b(?:179|bgp|4789)\b.*(?:-j ACCEPT|\baccept\b)")
# By where a packet comes from, or in a chain of somebody's own: who is let in there cannot be told.
_LETS_SOME_IN = expression(
    r"-A INPUT .*(?:-s|--match-set) .*-j ACCEPT|\bsaddr .*\baccept\b"
    r"|-A INPUT .*-j (?!cali-|KUBE-|DOCKER|ACCEPT|DROP|REJECT|LOG|RETURN)\S"
)


def _check_services(host: Host) -> Result:
    for sighting in find_sightings("host-firewall-running", host.picture, host):
        return fail_by_sign("host-firewall-running", sighting)
    ufw = next((rule for rule in host.all(FirewallRule) if rule.target == "ufw"), None)
    if ufw and ufw.rule.startswith("active"):
        return fail_by("ufw_on", ufw.at)
    if firewalld := find_running(host, "firewalld"):
        return fail_by("firewalld_on", firewalld)
    # Its unit is active whether or not it is switched on, and only root is told which.
    if not ufw and any(run.command.startswith("ufw ") and not run.absent for run in host.all(CommandRun)):
        return explain_unread(host, r"^ufw ")
    known = find_process_listing(host)
    return pass_by(known) if known else explain_unread(host, LOOKED_FOR)


def _check_rules(host: Host) -> Result:
    shown = list(host.lines(RULES))
    for chain, line in _find_blocking_chains(host, shown):
        if chain == "INPUT" and any(_LETS_CALICO_IN.search(one.text) for one in shown):
            continue
        if chain == "INPUT" and any(_LETS_SOME_IN.search(one.text) for one in shown):
            return mark_unchecked("chain_unclear", line, chain=chain)
        return fail_by("chain_blocks", line, chain=chain)
    read = find_rules_listing(host)
    return pass_by(read.at) if read else explain_unread(host, RULES)


def find_rules_listing(host: Host) -> CommandRun | None:
    """The listing of the rules. One that an ordinary user gets is empty, and so is one that the kernel refuses."""
    refused = any(_REFUSED.search(line.text) for line in host.lines(RULES))
    return find_answer(host, RULES) if host.is_root and not refused else None


def _find_blocking_chains(host: Host, shown: list[Line]) -> Iterator[tuple[str, Line]]:
    for rule in host.all(FirewallRule):
        is_policy = rule.rule.lower() == f"policy {rule.target}".lower()
        # Docker drops there too: Felix's rules, at the head and the end of that chain, accept what pods may send.
        if is_policy and rule.target in _BLOCKING and rule.chain in _CHAINS and rule.chain != _FELIX_ACCEPTS:
            yield _CHAINS[rule.chain], rule.at
    for line in shown:
        if found := _BLOCKS_THE_REST.match(line.text):
            yield found["chain"], line


def _check_network_manager(host: Host) -> Result:
    manager = find_running(host, "NetworkManager")
    if manager is None:
        known = find_process_listing(host)
        return pass_by(known) if known else explain_unread(host, LOOKED_FOR)
    told = next((line for line in host.lines(_UNMANAGED) if "cali" in line.text), None)
    if told:
        return pass_by(told)
    return fail_by("cards_managed", manager) if find_answer(host, _UNMANAGED, 1) else explain_unread(host, _UNMANAGED)


REQUIREMENTS = (
    Requirement(
        "firewall",
        "firewall-on-host",
        _check_services,
    ),
    Requirement(
        "host-rules",
        "firewall-on-host",
        _check_rules,
    ),
    Requirement(
        "network-manager",
        "networkmanager-interferes",
        _check_network_manager,
    ),
)

"""Signs in the firewall services of hosts."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.evidence.expressions import expression
from calivet.facts.host import FirewallRule, Unit
from calivet.facts.picture import Picture, once
from calivet.facts.sessions import waiting_sessions
from calivet.signs.sighting import Sighting

_OWN_CHAINS = ("INPUT", "FORWARD", "OUTPUT")
# A few dropped strays are on every machine.
MANY = 1_000
# ufw's unit is active even where ufw is switched off, so its own status line decides.
_FIREWALLS = ("firewalld", "SuSEfirewall2", "shorewall", "csf")
_OTHERS_CHAINS = ("cali", "KUBE-", "DOCKER", "CNI-")
_BGP_PORT = expression(r"\b(?:dports?|dpts?)\b[\s:={]+[\w,:\s]*?\b(?:179|bgp)\b")
# A rule against strangers blocks no node.
_ALL_BUT = expression(r"saddr != |! (?:-s|--source) |\s![\d.]+/\d")


def host_firewall_running(picture: Picture) -> Iterator[Sighting]:
    """A firewall service of the host is active."""
    yield from _firewalls(picture, ("active", "activating"))


def host_firewall_stopped(picture: Picture) -> Iterator[Sighting]:
    """The firewall service of the host is not active."""
    yield from _firewalls(picture, ("inactive", "failed"))


def host_chain_drops(picture: Picture) -> Iterator[Sighting]:
    """A rule in one of the host's own chains, not in one of Calico's or Kubernetes', has dropped many packets."""
    for rule in picture.all(FirewallRule):
        if rule.chain in _OWN_CHAINS and rule.target in ("DROP", "REJECT") and (rule.packets or 0) >= MANY:
            values = {"chain": rule.chain, "target": rule.target, "packets": str(rule.packets)}
            yield Sighting(line=rule.at, node=picture.names.node(rule.host) or rule.host, values=values)


def bgp_blocked(picture: Picture) -> Iterator[Sighting]:
    """A rule of the host's own has blocked connections to the BGP port, and a session of the host is down."""
    for rule in picture.all(FirewallRule):
        others = (rule.chain or "").startswith(_OTHERS_CHAINS) or _ALL_BUT.search(rule.rule)
        if rule.target in ("DROP", "REJECT") and rule.packets and _BGP_PORT.search(rule.rule) and not others:
            node = picture.names.node(rule.host) or rule.host
            values = {"target": rule.target, "packets": str(rule.packets), "node": node or ""}
            ends = _waiting_for(picture, node)
            yield from (Sighting(line=rule.at, node=end, values=values) for end in ends)


def _waiting_for(picture: Picture, node: str | None) -> list[str | None]:
    """The node and those at the other ends of its sessions that are down; none where all are up."""
    ends = _other_ends(picture).get(node, {})
    return [end for end in ends if end or not node]


@once
def _other_ends(picture: Picture) -> dict[str | None, dict[str | None, None]]:
    """Each end of the sessions that are down, with itself and those at the other ends."""
    ends: dict[str | None, dict[str | None, None]] = {}
    for peer in waiting_sessions(picture):
        near, far = picture.names.node(peer.host) or peer.host, picture.names.node(peer.address)
        for node in (near, far):
            ends.setdefault(node, {node: None}).update({near: None, far: None})
    return ends


def _firewalls(picture: Picture, states: tuple[str, ...]) -> Iterator[Sighting]:
    for unit in picture.all(Unit):
        if unit.name in _FIREWALLS and unit.active in states:
            node = picture.names.node(unit.host) or unit.host
            yield Sighting(line=unit.at, node=node, values={"unit": unit.name})


SIGNS = {
    "host-firewall-running": host_firewall_running,
    "host-firewall-stopped": host_firewall_stopped,
    "host-chain-drops": host_chain_drops,
    "bgp-blocked-by-host-rule": bgp_blocked,
}

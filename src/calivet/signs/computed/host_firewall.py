"""Signs in the firewall services of hosts."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.facts.host import FirewallRule, Unit
from calivet.facts.picture import Picture
from calivet.signs.sighting import Sighting

_OWN_CHAINS = ("INPUT", "FORWARD", "OUTPUT")
# A few dropped strays are on every machine.
MANY = 1_000
# ufw's unit is active even where ufw is switched off, so its own status line decides.
_FIREWALLS = ("firewalld", "SuSEfirewall2", "shorewall", "csf")


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


def _firewalls(picture: Picture, states: tuple[str, ...]) -> Iterator[Sighting]:
    for unit in picture.all(Unit):
        if unit.name in _FIREWALLS and unit.active in states:
            node = picture.names.node(unit.host) or unit.host
            yield Sighting(line=unit.at, node=node, values={"unit": unit.name})


SIGNS = {
    "host-firewall-running": host_firewall_running,
    "host-firewall-stopped": host_firewall_stopped,
    "host-chain-drops": host_chain_drops,
}

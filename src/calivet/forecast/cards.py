"""A host's network cards as its own tools list them, in the kernel's order; what was not listed is not guessed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from ipaddress import IPv4Interface, IPv6Interface, ip_interface

from msgspec import Struct, field

from calivet.evidence.artifact import Artifact
from calivet.facts.calico import NodeAddress
from calivet.facts.cluster_facts import ClusterFacts, once
from calivet.facts.host import Interface
from calivet.search.expressions import expression

Address = IPv4Interface | IPv6Interface

# ifconfig sorts by name, so what it prints does not tell which card the kernel lists last.
_SORTED = expression(r"flags=\w+<|Link encap|链接封装")
_WHOLE = expression(
    r"\bip\s+(?:-\S+\s+)*a(?:d(?:d(?:r(?:ess)?)?)?)?(?:\s+(?:show|list|ls|s|l))?\s*$|\bifconfig(?:\s+-a)?\s*$"
)
_ONE_FAMILY = expression(r"\s-(?P<family>[46])\b|-f(?:amily)?\s+inet(?P<six>6?)\b")


class Card(Struct):
    """An interface with its addresses, of either family, in the order in which the kernel lists them."""

    name: str
    addresses: list[Address] = field(default_factory=list)
    mtu: int | None = None

    def of(self, family: int) -> list[Address]:
        """Its addresses of one family."""
        return [address for address in self.addresses if address.version == family]


class CardListing(Struct):
    """The cards of a host as one output, or several scraps, show them."""

    cards: list[Card] = field(default_factory=list)
    whole: bool = False
    """All of the host's cards are there; else these are some of them."""
    ordered: bool = True
    """The cards stand in the kernel's order."""

    def find_holder(self, address: str) -> tuple[Card, Address] | None:
        """The card with this address; as in Calico the last one in the kernel's order comes first."""
        wanted = parse_address(address)
        for card in reversed(self.cards):
            for own in card.addresses:
                if wanted and own.ip == wanted.ip:
                    return card, own
        return None


@cache
def parse_address(written: str | None) -> Address | None:
    """The address that a text writes; without a prefix length it stands alone."""
    try:
        return ip_interface(written.strip()) if written else None
    except ValueError:
        return None


def find_listing(picture: ClusterFacts, host: str, family: int) -> CardListing | None:
    """The last whole listing of the host's cards, else all scraps together; None where nothing was seen."""
    seen = [one for artifact, one in _collect_listings(picture).get(host, ()) if _does_show_family(artifact, family)]
    if whole := [one for one in seen if one.whole]:
        return whole[-1]
    scraps = [card for card in _collect_recorded_cards(picture).get(host, ()) if card.of(family)]
    scraps += [card for one in seen for card in one.cards]
    cards = _merge_cards(scraps)
    return CardListing([card for card in cards if card.of(family)]) if any(card.of(family) for card in cards) else None


@once
def list_hosts_with_cards(picture: ClusterFacts) -> list[str]:
    """All hosts of which some card was listed."""
    return list(_collect_listings(picture))


@once
def _collect_listings(picture: ClusterFacts) -> dict[str, list[tuple[Artifact, CardListing]]]:
    """By host, each output that lists addresses, in the order of the evidence."""
    found: dict[str, list[tuple[Artifact, CardListing]]] = defaultdict(list)
    for artifact in picture.artifacts:
        by_host: dict[str, list[Interface]] = defaultdict(list)
        for device in picture.within(artifact, Interface):
            if device.exists:
                by_host[picture.names.find_node_or_host(device.host) or artifact.name].append(device)
        for host, own in by_host.items():
            if any(device.addresses for device in own):
                found[host].append((artifact, _build_listing(artifact, own)))
    return found


def _build_listing(artifact: Artifact, devices: list[Interface]) -> CardListing:
    command = artifact.command or ""
    loopback = any(device.name == "lo" for device in devices)
    return CardListing(
        cards=_merge_cards(_build_cards(devices)),
        whole="|" not in command and (loopback or bool(_WHOLE.search(command))),
        ordered=not any(_SORTED.search(device.at.text) for device in devices),
    )


def _build_cards(devices: Iterable[Interface]) -> Iterator[Card]:
    for device in devices:
        addresses = [own for address in device.addresses if (own := parse_address(address))]
        # ifconfig writes a second address as a device of its own: eth0:1.
        yield Card(device.name.partition(":")[0], addresses, device.mtu)


def _merge_cards(scraps: Iterable[Card]) -> list[Card]:
    """One card for each name, at the place where it was first listed."""
    cards: dict[str, Card] = {}
    for scrap in scraps:
        known = cards.setdefault(scrap.name, Card(scrap.name))
        known.addresses += [address for address in scrap.addresses if address not in known.addresses]
        known.mtu = known.mtu or scrap.mtu
    return list(cards.values())


@once
def _collect_recorded_cards(picture: ClusterFacts) -> dict[str, list[Card]]:
    """By host, what calico-node itself found on a card: stored with its prefix length, and in its log with the card."""
    found: dict[str, list[Card]] = defaultdict(list)
    for fact in picture.all(NodeAddress):
        own = parse_address(fact.address)
        node = picture.names.find_node_or_host(fact.node or fact.host)
        if own and node and own.network.prefixlen < own.max_prefixlen and fact.source != "environment":
            found[node].append(Card(fact.interface or "", [own]))
    return found


def _does_show_family(artifact: Artifact, family: int) -> bool:
    """Whether the command asked for this family, or for all."""
    asked = _ONE_FAMILY.search(artifact.command or "")
    if not asked:
        return True
    return family == (int(asked["family"]) if asked["family"] else 6 if asked["six"] else 4)

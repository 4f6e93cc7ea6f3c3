"""Hosts as one would describe them on the phone: card by card, in the kernel's order."""

from __future__ import annotations

from calivet.evidence.artifact import Line
from calivet.facts.host import Route
from calivet.forecast.cards import Card, CardListing, parse_address
from calivet.forecast.methods import HostNetwork
from calivet.forecast.releases import RunningRelease, parse_release

LATEST = parse_release("v3.30.2")


def listing(*cards: str, whole: bool = True, ordered: bool = True) -> CardListing:
    """Each card as its name and its addresses: "eth0 10.0.0.5/24 fe80::1/64"."""
    made = []
    for card in cards:
        name, *addresses = card.split()
        made.append(Card(name, [own for address in addresses if (own := parse_address(address))]))
    return CardListing(made, whole=whole, ordered=ordered)


def host(*cards: str, internal: str | None = None, routes: tuple[str, ...] = (), name: str = "heron-1") -> HostNetwork:
    """A host that was seen whole."""
    return HostNetwork(name, listing(*cards), internal, tuple(map(route, routes)))


def route(written: str) -> Route:
    """A route as ip prints it: "10.0.0.0/24 dev eth0 src 10.0.0.5 metric 100", a leading word for what is no plain one."""
    words = written.split()
    kind = words.pop(0) if words[0] in ("blackhole", "unreachable", "lookup", "local") else "unicast"
    told = dict(zip(words[1::2], words[2::2], strict=True))
    return Route(
        at=Line("routes.txt", 1, written),
        destination=words[0],
        via=told.get("via"),
        device=told.get("dev"),
        source=told.get("src"),
        metric=int(told["metric"]) if "metric" in told else None,
        table=told.get("table"),
        kind=kind,
    )


def version(written: str) -> RunningRelease:
    """The release that runs."""
    return parse_release(written)

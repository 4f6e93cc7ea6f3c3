"""The address that a node gets: Calico's autodetection, method by method, and what is stored or given."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from ipaddress import IPv4Network, IPv6Network, ip_address

from msgspec import Struct

from calivet.facts.host import Route
from calivet.forecast import methods
from calivet.forecast.cards import Address, Card, CardListing, parse_address
from calivet.forecast.methods import (
    Considered,
    Detection,
    HostNetwork,
    Network,
    PatternError,
    find_first_fit,
    read_method_argument,
    read_method_kind,
    read_ranges,
    split_patterns,
)
from calivet.forecast.releases import NOT_SEEN, Release, RunningRelease
from calivet.forecast.settings import AUTODETECT, NONE, Choice

_NAMES = "docker.* cbr.* dummy.* virbr.* lxcbr.* veth.* lo cali.* tunl.* flannel.* kube-ipvs.*".split()
_WITH_BRIDGE = (*_NAMES, "cni.*")
# Without an anchor `lo` also fits wlo1, and `cali.*` fits vxlan.calico: that ended with these releases.
_ANCHORED = tuple(f"^{name}" for name in _WITH_BRIDGE)
_WITH_TUNNELS = (*_ANCHORED, r"^vxlan\.calico.*", r"^vxlan-v6\.calico.*", r"^wireguard\.cali.*", r"^wg-v6\.cali.*")
_WITH_NAMESERVER = (*_WITH_TUNNELS, "^nodelocaldns.*")
_LATEST = (*_WITH_NAMESERVER, "^podman.*", "^br-.*")

# The last release of each stretch; 3.23 was mended while 3.24 was already out, so the two lines cross.
_STRETCHES: tuple[tuple[Release, tuple[str, ...]], ...] = (
    ((3, 14, 99), tuple(_NAMES)),
    ((3, 23, 3), _WITH_BRIDGE),
    ((3, 23, 4), _ANCHORED),
    ((3, 23, 99), _WITH_TUNNELS),
    ((3, 24, 2), _WITH_BRIDGE),
    ((3, 24, 3), _ANCHORED),
    ((3, 24, 5), _WITH_TUNNELS),
    ((3, 24, 99), _WITH_NAMESERVER),
)


def list_excluded_names(running: RunningRelease) -> tuple[str, ...]:
    """The default expressions of this release; of a range of releases those of its newest one."""
    return next((names for last, names in _STRETCHES if running.most <= last), _LATEST)


# These stored the network's address in place of the node's, so that all nodes of a network clashed.
_TRUNCATING: tuple[tuple[Release, Release], ...] = (((3, 22, 0), (3, 22, 3)), ((3, 23, 0), (3, 23, 1)))


def does_truncate_names(running: RunningRelease) -> bool:
    """Whether this release surely has the fault that makes the method useless."""
    return any(running.within(first, last) for first, last in _TRUNCATING)


def may_truncate(running: RunningRelease) -> bool:
    """Whether it may have it."""
    return any(running.least <= last and first <= running.most for first, last in _TRUNCATING)


def detect_internal_ip(host: HostNetwork, running: RunningRelease) -> Detection:
    """What the method takes on this host."""
    if host.internal is None:
        return Detection(methods.INTERNAL_IP_NOT_SEEN)
    held = host.listing.find_holder(host.internal) if host.listing else None
    if held is None and host.listing and host.listing.whole:
        return Detection(methods.INTERNAL_IP_ELSEWHERE, detail=host.internal)
    if held is None:
        return _detect_unseen_internal_ip(host, running)
    card, own = held
    stored = _format_with_prefix(own) if does_truncate_names(running) else str(own)
    return Detection(methods.FOUND, stored, card.name, considered=(Considered(card.name, str(own), methods.TAKEN),))


def _detect_unseen_internal_ip(host: HostNetwork, running: RunningRelease) -> Detection:
    """Which card has it does not matter, as long as it is known how large its network is."""
    if host.prefix is not None and not may_truncate(running):
        return Detection(methods.FOUND, f"{host.internal}/{host.prefix}")
    return Detection(methods.NOT_ALL_LISTED if host.listing else methods.NOT_LISTED, detail=host.internal or "")


def _format_with_prefix(address: Address) -> str:
    return f"{address.network.network_address}/{address.network.prefixlen}"


def is_global(address: Address) -> bool:
    """Go's global unicast: private addresses count; loopback, link-local, multicast and broadcast do not."""
    ip = address.ip
    special = ip.is_unspecified or ip.is_loopback or ip.is_multicast or ip.is_link_local
    return not special and str(ip) != "255.255.255.255"


def enumerate_cards(
    listing: CardListing | None,
    family: int,
    include: Sequence[str] | None = None,
    exclude: Sequence[str] = (),
    ranges: Sequence[Network] = (),
) -> Detection:
    """The first fitting address. Whether a card is up matters nothing to Calico."""
    if listing is None:
        return Detection(methods.NOT_LISTED)
    looked_at = [_judge_card(card, family, include, exclude, ranges) for card in reversed(listing.cards)]
    fitting = [one for one in looked_at if one.verdict == methods.TAKEN]
    # Whatever else an unlisted card has, an address inside the ranges is what was asked for.
    if not listing.whole and not (ranges and fitting):
        return Detection(methods.NOT_ALL_LISTED, considered=tuple(looked_at))
    if not listing.ordered and len(fitting) > 1:
        return Detection(methods.NOT_IN_ORDER, detail=_join_names(fitting), considered=tuple(looked_at))
    if not fitting:
        named = any(one.verdict not in (methods.EXCLUDED, methods.NOT_INCLUDED) for one in looked_at)
        return Detection(methods.NO_ADDRESS if named else methods.NO_INTERFACE, considered=tuple(looked_at))
    taken = fitting[0]
    considered = [_mark_as_later(one) if one in fitting[1:] else one for one in looked_at]
    return Detection(methods.FOUND, taken.address, taken.name, considered=tuple(considered))


def _judge_card(
    card: Card, family: int, include: Sequence[str] | None, exclude: Sequence[str], ranges: Sequence[Network]
) -> Considered:
    own = card.of(family)
    first = str(own[0]) if own else ""
    if include is not None and find_first_fit(card.name, include) is None:
        return Considered(card.name, first, methods.NOT_INCLUDED)
    if (pattern := find_first_fit(card.name, exclude)) is not None:
        return Considered(card.name, first, methods.EXCLUDED, pattern)
    if not own:
        return Considered(card.name, first, methods.WITHOUT_ADDRESS)
    usable = [address for address in own if is_global(address)]
    inside = [address for address in usable if not ranges or any(address.ip in each for each in ranges)]
    if inside:
        return Considered(card.name, str(inside[0]), methods.TAKEN)
    return Considered(card.name, first, methods.OUTSIDE if usable else methods.NOT_GLOBAL)


def _mark_as_later(one: Considered) -> Considered:
    return Considered(one.name, one.address, methods.LATER)


def _join_names(cards: Sequence[Considered]) -> str:
    return ", ".join(card.name for card in cards)


_DEAD_ENDS = ("blackhole", "unreachable", "prohibit")
_EVERYWHERE: dict[int, Network] = {4: IPv4Network("0.0.0.0/0"), 6: IPv6Network("::/0")}
_NO_METRIC = 1024


def can_reach(host: HostNetwork, destination: str, family: int) -> Detection:
    """What the method takes on this host; nothing is sent, the kernel only chooses a way."""
    target = parse_address(destination) if "/" not in destination else None
    if target is None:
        return Detection(methods.NAME_NOT_RESOLVED, detail=destination)
    if target.version != family:
        return Detection(methods.OTHER_FAMILY, detail=destination)
    if host.listing is None:
        return Detection(methods.NOT_LISTED)
    if host.listing.find_holder(destination):  # the host's own address: it is reached from itself
        return _detect_on_card(host.listing, destination, destination)
    return _detect_by_route(host.listing, host.routes, target)


def _detect_by_route(listing: CardListing, routes: Sequence[Route], target: Address) -> Detection:
    destination = str(target.ip)
    if asked := [route for route in routes if route.kind == "lookup" and route.destination == destination]:
        return _detect_on_card(listing, asked[-1].source, destination)
    table = [route for route in routes if route.kind != "lookup" and _is_in_use(route, target.version)]
    if not table:
        return Detection(methods.ROUTES_NOT_SEEN, detail=destination)
    route = _find_best_route(table, destination)
    if route is None or route.kind in _DEAD_ENDS:
        return Detection(methods.NO_ROUTE, detail=destination)
    return _detect_on_card(listing, route.source or _find_source_address(listing, route, target), destination)


def _find_best_route(table: list[Route], destination: str) -> Route | None:
    """The narrowest route that fits; among equals the one that costs least."""
    target = ip_address(destination)
    fitting = [(route, network) for route in table if (network := _find_network(route)) and target in network]
    cost = min(fitting, key=lambda one: (-one[1].prefixlen, _read_metric(one[0])), default=None)
    return cost[0] if cost else None


def _find_source_address(listing: CardListing, route: Route, target: Address) -> str | None:
    """Of the card that the route leaves by: its address in the next hop's network, else its first."""
    card = next((card for card in listing.cards if card.name == route.device), None)
    own = card.of(target.version) if card else []
    hop = parse_address(route.via) or target
    near = [address for address in own if hop.ip in address.network]
    return str((near or own)[0].ip) if own else None


def _detect_on_card(listing: CardListing, source: str | None, destination: str) -> Detection:
    held = listing.find_holder(source) if source else None
    if held is None:
        why = methods.NO_ADDRESS if listing.whole else methods.NOT_ALL_LISTED
        return Detection(why, detail=destination)
    card, own = held
    return Detection(methods.FOUND, str(own), card.name, destination, (_mark_as_taken(card, own),))


def _mark_as_taken(card: Card, own: Address) -> Considered:
    return Considered(card.name, str(own), methods.TAKEN)


def _is_in_use(route: Route, family: int) -> bool:
    if route.table not in (None, "main", "default") or route.kind in ("local", "broadcast", "multicast", "anycast"):
        return False
    way = parse_address(route.destination) or parse_address(route.via) or parse_address(route.source)
    return (way.version if way else 4) == family


def _find_network(route: Route) -> Network | None:
    """Where it leads; None for what is none, as a line that was cut."""
    if route.destination == "default":
        way = parse_address(route.via) or parse_address(route.source)
        return _EVERYWHERE[way.version if way else 4]
    whole = parse_address(route.destination)
    return whole.network if whole else None


def _read_metric(route: Route) -> int:
    """IPv4 routes without one cost nothing; IPv6 prints its default."""
    if route.metric is not None:
        return route.metric
    return _NO_METRIC if ":" in route.destination else 0


# A variable that installers set to the node's own address (status.hostIP) and use as destination.
_OWN_ADDRESS = "$(NODEIP)"

_Look = Callable[[HostNetwork, str, int, RunningRelease], Detection]


def detect_address(host: HostNetwork, method: str, family: int = 4, running: RunningRelease = NOT_SEEN) -> Detection:
    """The address that calico-node takes on this host, or why it takes none."""
    kind = read_method_kind(method)
    if kind is None:
        return Detection(methods.BAD_METHOD, detail=method)
    if running.since(methods.SINCE[kind]) is False:
        return Detection(methods.TOO_OLD, detail="{}.{}".format(*methods.SINCE[kind]))
    try:
        return _LOOKS[kind](host, read_method_argument(method), family, running)
    except PatternError as bad:
        return Detection(methods.BAD_PATTERN, detail=str(bad))
    except methods.RangeError as bad:
        return Detection(methods.BAD_RANGE, detail=str(bad))


def _detect_first_found(host: HostNetwork, _: str, family: int, running: RunningRelease) -> Detection:
    return enumerate_cards(host.listing, family, exclude=list_excluded_names(running))


def _detect_by_interface(host: HostNetwork, argument: str, family: int, _: RunningRelease) -> Detection:
    return enumerate_cards(host.listing, family, include=split_patterns(argument))


def _skip(host: HostNetwork, argument: str, family: int, running: RunningRelease) -> Detection:
    return enumerate_cards(host.listing, family, exclude=(*list_excluded_names(running), *split_patterns(argument)))


def _detect_by_range(host: HostNetwork, argument: str, family: int, _: RunningRelease) -> Detection:
    return enumerate_cards(host.listing, family, ranges=read_ranges(argument))


def _detect_by_reach(host: HostNetwork, argument: str, family: int, _: RunningRelease) -> Detection:
    return can_reach(host, argument.replace(_OWN_ADDRESS, host.internal or _OWN_ADDRESS), family)


def _detect_by_internal_ip(host: HostNetwork, _: str, __: int, running: RunningRelease) -> Detection:
    return detect_internal_ip(host, running)


_LOOKS: dict[str, _Look] = {
    methods.FIRST_FOUND: _detect_first_found,
    methods.INTERFACE: _detect_by_interface,
    methods.SKIP: _skip,
    methods.RANGE: _detect_by_range,
    methods.REACH: _detect_by_reach,
    methods.INTERNAL_IP: _detect_by_internal_ip,
}


STORED = "stored"
"""What Calico has now."""
DETECTED, GIVEN = "detected", "given"
KEPT = "kept"
"""IP does not ask for detection, so that the stored address stays whatever the method says."""
KEPT_FOR_WANT = "kept-for-want"
"""Nothing is found, and the stored address stays until its record is lost."""
NOTHING = "nothing"
ENDS = "ends"
"""calico-node refuses the method and ends, whatever is stored."""
UNKNOWN = "unknown"

_HOST_ADDRESS = "(v1:status.hostIP)"
_PREFIX_SINCE = (3, 18, 0)


class TakenAddress(Struct, frozen=True):
    """An address, and how the node came to it."""

    how: str
    address: str | None = None
    interface: str | None = None
    detection: Detection | None = None

    @property
    def wanting(self) -> bool:
        """Whether the node finds no address of its own."""
        return self.how in (KEPT_FOR_WANT, NOTHING, ENDS)


def find_taken_address(
    host: HostNetwork, stored: str | None, choice: Choice, family: int, running: RunningRelease
) -> TakenAddress:
    """What calico-node stores for this host at its next start."""
    if choice.ip == AUTODETECT or (choice.ip == "" and family == 4 and stored is None):
        return _take_detected(detect_address(host, choice.method, family, running), stored)
    if choice.ip in ("", NONE):
        return TakenAddress(KEPT, stored) if stored else TakenAddress(NOTHING)
    return _take_given(host, host.internal if choice.ip == _HOST_ADDRESS else choice.ip, running)


def _take_detected(found: Detection, stored: str | None) -> TakenAddress:
    if not found.known:
        return TakenAddress(UNKNOWN, detection=found)
    if found.why in (methods.BAD_METHOD, methods.TOO_OLD):
        return TakenAddress(ENDS, detection=found)
    if found.address is None:
        return TakenAddress(KEPT_FOR_WANT if stored else NOTHING, stored, detection=found)
    return TakenAddress(DETECTED, found.address, found.interface, found)


def _take_given(host: HostNetwork, address: str | None, running: RunningRelease) -> TakenAddress:
    """A bare address gets the prefix length of the card that has it."""
    own = parse_address(address)
    if address is None or own is None:
        return TakenAddress(UNKNOWN, detection=Detection(methods.INTERNAL_IP_NOT_SEEN))
    held = host.listing.find_holder(address) if host.listing else None
    if "/" not in address and held and running.since(_PREFIX_SINCE) is not False:
        return TakenAddress(GIVEN, str(held[1]), held[0].name)
    return TakenAddress(GIVEN, str(own), held[0].name if held else None)

"""The autodetection methods: how they are written, since when each is known, and what looking by one comes to."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from ipaddress import IPv4Network, IPv6Network, ip_network

from msgspec import Struct

from calivet.facts.host import Route
from calivet.forecast.cards import CardListing
from calivet.forecast.releases import Release
from calivet.search.expressions import expression

_NOT_IN_GO = expression(r"\(\?(?:[=!>#(]|<[=!]|P=)|\\[1-9Z]|[*+?}]\+")
_CLASSES = {
    "alnum": "A-Za-z0-9",
    "alpha": "A-Za-z",
    "digit": "0-9",
    "lower": "a-z",
    "upper": "A-Z",
    "word": r"\w",
    "xdigit": "0-9A-Fa-f",
}
_CLASS = expression(r"\[:(\w+):\]")
_LIST = expression(r"\s*,\s*")


class PatternError(ValueError):
    """Go's regular expressions do not take this one; then Calico finds no interface at all."""


def split_patterns(argument: str) -> list[str]:
    """The expressions of a comma-separated list. An empty one fits every name, as it does in Calico."""
    return _LIST.split(argument)


def find_first_fit(name: str, patterns: Sequence[str]) -> str | None:
    """The first of the expressions that occurs in the name."""
    return next((pattern for pattern in patterns if compile_name_pattern(pattern).search(name)), None)


@cache
def compile_name_pattern(pattern: str) -> re.Pattern[str]:
    """The expression for use here."""
    if _NOT_IN_GO.search(pattern):
        raise PatternError(pattern)
    known = _CLASS.sub(lambda found: _CLASSES.get(found[1], found[0]), pattern).replace(r"\z", r"\Z")
    try:
        return re.compile(known)
    except re.error:
        raise PatternError(pattern) from None


Network = IPv4Network | IPv6Network

FIRST_FOUND = "first-found"
INTERNAL_IP = "kubernetes-internal-ip"
INTERFACE, SKIP, RANGE, REACH = "interface=", "skip-interface=", "cidr=", "can-reach="
SINCE: dict[str, Release] = {
    FIRST_FOUND: (0, 0, 0),
    INTERFACE: (0, 0, 0),
    SKIP: (0, 0, 0),
    REACH: (0, 0, 0),
    RANGE: (3, 16, 0),
    INTERNAL_IP: (3, 22, 0),
}
"""The first release that knows each; the others are older than all that is remembered here."""


class RangeError(ValueError):
    """A range that is none."""


def read_method_kind(method: str) -> str | None:
    """The method's word; None for one that Calico refuses. Nothing at all means first-found."""
    if method in ("", FIRST_FOUND):
        return FIRST_FOUND
    return next((kind for kind in SINCE if kind != FIRST_FOUND and method.startswith(kind)), None)


def read_method_argument(method: str) -> str:
    """What stands behind the word."""
    return method[len(read_method_kind(method) or "") :]


def read_ranges(argument: str) -> list[Network]:
    """The ranges of a comma-separated list; a bare address is none."""
    found: list[Network] = []
    for written in split_patterns(argument):
        try:
            found.append(ip_network(written if "/" in written else "", strict=False))
        except ValueError:
            raise RangeError(written) from None
    return found


def check_method(method: str) -> None:
    """Raises what is wrong with the method's argument: a PatternError or a RangeError."""
    kind, argument = read_method_kind(method), read_method_argument(method)
    if kind == RANGE:
        read_ranges(argument)
    if kind in (INTERFACE, SKIP):
        for pattern in split_patterns(argument):
            compile_name_pattern(pattern)


FOUND = "found"
# Calico finds nothing.
NO_INTERFACE = "no-interface"
NO_ADDRESS = "no-address"
NO_ROUTE = "no-route"
OTHER_FAMILY = "other-family"
INTERNAL_IP_ELSEWHERE = "internal-ip-elsewhere"
BAD_PATTERN = "bad-pattern"
BAD_RANGE = "bad-range"
# Calico does not even start.
BAD_METHOD = "bad-method"
TOO_OLD = "too-old"
# Not seen, so not known.
NOT_LISTED = "not-listed"
NOT_ALL_LISTED = "not-all-listed"
NOT_IN_ORDER = "not-in-order"
ROUTES_NOT_SEEN = "routes-not-seen"
NAME_NOT_RESOLVED = "name-not-resolved"
INTERNAL_IP_NOT_SEEN = "internal-ip-not-seen"

UNKNOWN = frozenset(
    (
        NOT_LISTED,
        NOT_ALL_LISTED,
        NOT_IN_ORDER,
        ROUTES_NOT_SEEN,
        NAME_NOT_RESOLVED,
        INTERNAL_IP_NOT_SEEN,
    )
)

# What came of one interface.
TAKEN = "taken"
LATER = "later"
EXCLUDED = "excluded"
NOT_INCLUDED = "not-included"
WITHOUT_ADDRESS = "without-address"
NOT_GLOBAL = "not-global"
OUTSIDE = "outside"


class Considered(Struct, frozen=True):
    """An interface that was looked at, in Calico's order."""

    name: str
    address: str
    """Its first address of the family, the taken one where one was taken; may be empty."""
    verdict: str
    by: str = ""
    """The expression that excluded it."""


class Detection(Struct, frozen=True):
    """The address that Calico would take on a host, or why there is none."""

    why: str
    address: str | None = None
    """With its prefix length, as Calico stores it."""
    interface: str | None = None
    detail: str = ""
    """What the reason is about: an expression, a destination, an address."""
    considered: tuple[Considered, ...] = ()

    @property
    def known(self) -> bool:
        """Whether the evidence suffices to tell."""
        return self.why not in UNKNOWN


class HostNetwork(Struct, frozen=True):
    """What a choice of address depends on."""

    name: str
    listing: CardListing | None = None
    internal: str | None = None
    """The node's InternalIP of the family."""
    routes: tuple[Route, ...] = ()
    prefix: int | None = None
    """The prefix length of the network of the nodes that holds it, where Calico's records agree on one."""

"""What a look for an address comes to, and every interface that was looked at on the way."""

from __future__ import annotations

from msgspec import Struct

from calivet.facts.host import Route
from calivet.forecast.cards import Listing

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


class Host(Struct, frozen=True):
    """What a choice of address depends on."""

    name: str
    listing: Listing | None = None
    internal: str | None = None
    """The node's InternalIP of the family."""
    routes: tuple[Route, ...] = ()

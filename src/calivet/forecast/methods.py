"""The autodetection methods as they are written, and since when each is known."""

from __future__ import annotations

from ipaddress import IPv4Network, IPv6Network, ip_network

from calivet.forecast.name_patterns import compiled, split
from calivet.forecast.releases import Release

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


def kind_of(method: str) -> str | None:
    """The method's word; None for one that Calico refuses. Nothing at all means first-found."""
    if method in ("", FIRST_FOUND):
        return FIRST_FOUND
    return next((kind for kind in SINCE if kind != FIRST_FOUND and method.startswith(kind)), None)


def argument_of(method: str) -> str:
    """What stands behind the word."""
    return method[len(kind_of(method) or "") :]


def ranges_of(argument: str) -> list[Network]:
    """The ranges of a comma-separated list; a bare address is none."""
    found: list[Network] = []
    for written in split(argument):
        try:
            found.append(ip_network(written if "/" in written else "", strict=False))
        except ValueError:
            raise RangeError(written) from None
    return found


def check(method: str) -> None:
    """Raises what is wrong with the method's argument: a PatternError or a RangeError."""
    kind, argument = kind_of(method), argument_of(method)
    if kind == RANGE:
        ranges_of(argument)
    if kind in (INTERFACE, SKIP):
        for pattern in split(argument):
            compiled(pattern)

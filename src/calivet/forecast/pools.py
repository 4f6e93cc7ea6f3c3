"""IP pools and how each carries packets between nodes."""

from __future__ import annotations

from msgspec import Struct

from calivet.evidence.expressions import expression
from calivet.facts.calico import Pool
from calivet.facts.kubernetes import Object
from calivet.facts.picture import Picture

ALWAYS, CROSS_SUBNET, NEVER = "Always", "CrossSubnet", "Never"
MODES = (ALWAYS, CROSS_SUBNET, NEVER)
_INSTALLED = expression(r"(?P<pool>.*ipPools\[\d+\]\.)cidr$")
# An Installation writes both modes in one word.
_WORDS = {
    "IPIP": (ALWAYS, NEVER),
    "IPIPCrossSubnet": (CROSS_SUBNET, NEVER),
    "VXLAN": (NEVER, ALWAYS),
    "VXLANCrossSubnet": (NEVER, CROSS_SUBNET),
    "None": (NEVER, NEVER),
}


class PoolMode(Struct, frozen=True):
    """A pool in use."""

    cidr: str
    ipip: str = NEVER
    vxlan: str = NEVER

    @property
    def family(self) -> int:
        """4 or 6."""
        return 6 if ":" in self.cidr else 4

    @property
    def mode(self) -> str:
        """Always, CrossSubnet or Never."""
        return self.vxlan if self.vxlan != NEVER else self.ipip

    @property
    def wrapping(self) -> str:
        """IPIP, VXLAN, or nothing."""
        return "VXLAN" if self.vxlan != NEVER else "IPIP" if self.ipip != NEVER else ""


def pool_modes(picture: Picture) -> tuple[PoolMode, ...]:
    """The pools that are not disabled, as last seen; those of an Installation where none were listed."""
    listed = {pool.cidr: pool for pool in picture.all(Pool)}
    if listed:
        in_use = (pool for pool in listed.values() if pool.disabled is not True)
        return tuple(PoolMode(pool.cidr, pool.ipip or NEVER, pool.vxlan or NEVER) for pool in in_use)
    return tuple(mode for thing in picture.all(Object) for mode in _installed(thing))


def _installed(thing: Object) -> list[PoolMode]:
    found = []
    for path, value in thing.values.items():
        if pool := _INSTALLED.match(path):
            word = str(thing.values.get(f"{pool['pool']}encapsulation") or "IPIP")
            found.append(PoolMode(str(value), *_WORDS.get(word, (NEVER, NEVER))))
    return found

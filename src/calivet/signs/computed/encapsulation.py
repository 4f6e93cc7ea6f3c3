"""Signs in how pools encapsulate, against what the platform below carries."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from calivet.evidence.artifact import Line
from calivet.evidence.expressions import expression
from calivet.facts.calico import Pool
from calivet.facts.fact import Version
from calivet.facts.kubernetes import Node, Object
from calivet.facts.picture import Picture
from calivet.signs.sighting import Sighting

_POOL_PATH = expression(r"(?P<pool>.*ipPools\[\d+\]\.)encapsulation$")
# Names of nodes, their labels and their kernels betray the platform.
_AZURE = expression(r"^aks-|\.cloudapp\.net$|^kubernetes\.azure\.com/|-azure$")
_CLOUD = expression(
    r"\.(?:compute|ec2)\.internal$|^(?:eks\.amazonaws|node\.openstack)\.|^gke-|-(?:aws|gcp|gke)$|\.amzn2"
)


class _Mode(Struct, frozen=True):
    """A pool and how it encapsulates: IPIP, VXLAN or none, and whether always or across subnets only."""

    line: Line
    cidr: str
    words: str
    ipip: bool
    vxlan: bool
    always: bool


def ipip_on_azure(picture: Picture) -> Iterator[Sighting]:
    """A pool that uses IP-in-IP on machines of Azure."""
    if _platform(picture, _AZURE):
        yield from (_sighting(mode) for mode in _modes(picture) if mode.ipip)


def unencapsulated_in_cloud(picture: Picture) -> Iterator[Sighting]:
    """A pool that sends packets as they are, at least inside a subnet, on machines of a cloud."""
    if _platform(picture, _CLOUD):
        yield from (_sighting(mode) for mode in _modes(picture) if not mode.always)


def always_encapsulated(picture: Picture) -> Iterator[Sighting]:
    """Every pool encapsulates always."""
    modes = list(_modes(picture))
    if modes and all(mode.always for mode in modes):
        yield _sighting(modes[0])


def without_vxlan(picture: Picture) -> Iterator[Sighting]:
    """No pool uses VXLAN."""
    modes = list(_modes(picture))
    if modes and not any(mode.vxlan for mode in modes):
        yield _sighting(modes[0])


def _modes(picture: Picture) -> Iterator[_Mode]:
    for pool in picture.all(Pool):
        ipip, vxlan = pool.ipip or "", pool.vxlan or ""
        if (ipip or vxlan) and pool.disabled is not True:
            used = [
                f"{name} {value}" for name, value in (("IPIP", ipip), ("VXLAN", vxlan)) if value not in ("", "Never")
            ]
            yield _Mode(
                line=pool.at,
                cidr=pool.cidr,
                words=", ".join(used) or "no encapsulation",
                ipip=ipip in ("Always", "CrossSubnet"),
                vxlan=vxlan in ("Always", "CrossSubnet"),
                always="Always" in (ipip, vxlan),
            )
    for thing in picture.all(Object):
        for path, value in thing.values.items():
            if (found := _POOL_PATH.match(path)) and isinstance(value, str):
                line = Line(thing.at.artifact, thing.lines.get(path, thing.at.number), f"encapsulation: {value}")
                yield _Mode(
                    line=line,
                    cidr=str(thing.values.get(f"{found['pool']}cidr", "")),
                    words=value,
                    ipip=value.startswith("IPIP"),
                    vxlan=value.startswith("VXLAN"),
                    always=value in ("IPIP", "VXLAN"),
                )


def _platform(picture: Picture, marks: re.Pattern[str]) -> bool:
    words = [word for node in picture.all(Node) for word in (node.kernel or "", *node.labels)]
    words += [fact.version for fact in picture.all(Version) if fact.program == "kernel"]
    return any(marks.search(word) for word in (*picture.names.nodes, *words))


def _sighting(mode: _Mode) -> Sighting:
    return Sighting(line=mode.line, values={"cidr": mode.cidr, "mode": mode.words})


SIGNS = {
    "ipip-on-azure": ipip_on_azure,
    "unencapsulated-pool-in-cloud": unencapsulated_in_cloud,
    "pools-always-encapsulated": always_encapsulated,
    "pools-without-vxlan": without_vxlan,
}

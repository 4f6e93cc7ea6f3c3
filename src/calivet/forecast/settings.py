"""What Calico is told to do: how nodes get their addresses, the mesh, the probes, how each pool encapsulates."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct, field

from calivet.facts.calico import Pool
from calivet.facts.cluster_facts import ClusterFacts
from calivet.facts.fact import Scalar, Variable
from calivet.facts.kubernetes import Object, Probe, Row
from calivet.forecast import methods
from calivet.search.expressions import expression

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


def list_pool_modes(picture: ClusterFacts) -> tuple[PoolMode, ...]:
    """The pools that are not disabled, as last seen; those of an Installation where none were listed."""
    listed = {pool.cidr: pool for pool in picture.all(Pool)}
    if listed:
        in_use = (pool for pool in listed.values() if pool.disabled is not True)
        return tuple(PoolMode(pool.cidr, pool.ipip or NEVER, pool.vxlan or NEVER) for pool in in_use)
    return tuple(mode for thing in picture.all(Object) for mode in _read_installed_pools(thing))


def _read_installed_pools(thing: Object) -> list[PoolMode]:
    found = []
    for path, value in thing.values.items():
        if pool := _INSTALLED.match(path):
            word = str(thing.values.get(f"{pool['pool']}encapsulation") or "IPIP")
            found.append(PoolMode(str(value), *_WORDS.get(word, (NEVER, NEVER))))
    return found


AUTODETECT, NONE = "autodetect", "none"
WITHOUT_BGP = ("vxlan", "none")
_ENVIRONMENT = {4: ("IP", "IP_AUTODETECTION_METHOD"), 6: ("IP6", "IP6_AUTODETECTION_METHOD")}
# The keys of an Installation's nodeAddressAutodetectionV4, and what the operator makes of them.
_OPERATOR = {
    "firstFound": methods.FIRST_FOUND,
    "kubernetes": methods.INTERNAL_IP,
    "interface": methods.INTERFACE,
    "skipInterface": methods.SKIP,
    "canReach": methods.REACH,
}
# Whoever shows these shows the whole environment, so that what is not in it is not set.
_ALWAYS_THERE = {"FELIX_HEALTHENABLED", "DATASTORE_TYPE"}


class Choice(Struct, frozen=True):
    """Where a family's address comes from."""

    ip: str = AUTODETECT
    """autodetect, none, an address, or nothing: find one once, then keep it."""
    method: str = methods.FIRST_FOUND


class Timing(Struct, frozen=True):
    """A probe's settings in seconds; Kubernetes' own defaults."""

    delay: float = 0
    period: float = 10
    timeout: float = 1
    failures: int = 3

    @property
    def earliest(self) -> float:
        """Seconds from the container's start to the first moment at which it may be killed."""
        return self.delay + self.period * (self.failures - 1)

    @property
    def latest(self) -> float:
        """Seconds after which it surely is."""
        return self.delay + self.period * self.failures


class Settings(Struct, frozen=True):
    """All that a change can be made to."""

    choices: dict[int, Choice]
    backend: str = "bird"
    mesh: bool = True
    pools: tuple[PoolMode, ...] = ()
    probes: dict[str, Timing] = field(default_factory=dict)
    """By kind: liveness, startup."""

    @property
    def has_bgp(self) -> bool:
        """Whether BIRD runs at all."""
        return self.backend not in WITHOUT_BGP


def read_settings(picture: ClusterFacts) -> Settings:
    """As they are now."""
    return Settings(
        choices={family: _read_choice(picture, family) for family in (4, 6)},
        backend=_read_backend(picture),
        mesh=str(next(reversed(list(_read_mesh(picture))), True)).lower() != "false",
        pools=list_pool_modes(picture),
        probes=_read_probes(picture),
    )


def _read_choice(picture: ClusterFacts, family: int) -> Choice:
    own = (variable for variable in picture.all(Variable) if variable.container in (None, "calico-node"))
    variables = {variable.name: variable.value for variable in own}
    ip_name, method_name = _ENVIRONMENT[family]
    unset = "" if variables.keys() >= _ALWAYS_THERE or family == 6 else AUTODETECT
    method = variables.get(method_name) or _read_operators_choice(picture, family) or methods.FIRST_FOUND
    return Choice(variables.get(ip_name, unset), method)


def _read_operators_choice(picture: ClusterFacts, family: int) -> str | None:
    block = f"spec.calicoNetwork.nodeAddressAutodetectionV{family}."
    for thing in picture.all(Object):
        told = {path.removeprefix(block): value for path, value in thing.values.items() if path.startswith(block)}
        ranges = [str(value) for path, value in told.items() if path.startswith("cidrs[")]
        if ranges:
            return methods.RANGE + ",".join(ranges)
        for key, method in _OPERATOR.items():
            if told.get(key):
                return method + (str(told[key]) if method.endswith("=") else "")
    return None


def _read_backend(picture: ClusterFacts) -> str:
    """The last word on it, of the environment or of what the environment is made from."""
    told = [variable.value for variable in picture.all(Variable) if variable.name == "CALICO_NETWORKING_BACKEND"]
    for thing in picture.all(Object):
        for path, value in thing.values.items():
            if path.endswith("calico_backend"):
                told.append(str(value))
            elif path.endswith("calicoNetwork.bgp") and value == "Disabled":
                told.append("vxlan")
    return next((value for value in reversed(told) if value and value.isalpha()), "bird")


def _read_mesh(picture: ClusterFacts) -> Iterator[Scalar]:
    yield from (row.cells["MESHENABLED"] for row in picture.all(Row) if "MESHENABLED" in row.cells)
    for thing in picture.all(Object):
        yield from (value for path, value in thing.values.items() if path.endswith("nodeToNodeMeshEnabled"))


def _read_probes(picture: ClusterFacts) -> dict[str, Timing]:
    """calico-node's own as last seen; its readiness ends nothing and is left out."""
    found = {}
    for probe in picture.all(Probe):
        own = probe.container in (None, "calico-node") and any(
            word in probe.target for word in ("9099", "felix", "bird")
        )
        if own and probe.kind in ("liveness", "startup"):
            default = Timing()
            found[probe.kind] = Timing(
                delay=probe.delay or default.delay,
                period=probe.period or default.period,
                timeout=probe.timeout or default.timeout,
                failures=probe.failures or default.failures,
            )
    return found

"""How Calico is set up, as far as the evidence shows it; what is not shown has Calico's default."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct, field

from calivet.facts.fact import Scalar, Variable
from calivet.facts.kubernetes import Object, Probe, Row
from calivet.facts.picture import Picture
from calivet.forecast import methods
from calivet.forecast.pools import PoolMode, pool_modes

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


def settings(picture: Picture) -> Settings:
    """As they are now."""
    return Settings(
        choices={family: _choice(picture, family) for family in (4, 6)},
        backend=_backend(picture),
        mesh=str(next(reversed(list(_mesh(picture))), True)).lower() != "false",
        pools=pool_modes(picture),
        probes=_probes(picture),
    )


def _choice(picture: Picture, family: int) -> Choice:
    own = (variable for variable in picture.all(Variable) if variable.container in (None, "calico-node"))
    variables = {variable.name: variable.value for variable in own}
    ip_name, method_name = _ENVIRONMENT[family]
    unset = "" if variables.keys() >= _ALWAYS_THERE or family == 6 else AUTODETECT
    method = variables.get(method_name) or _operators_choice(picture, family) or methods.FIRST_FOUND
    return Choice(variables.get(ip_name, unset), method)


def _operators_choice(picture: Picture, family: int) -> str | None:
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


def _backend(picture: Picture) -> str:
    """The last word on it, of the environment or of what the environment is made from."""
    told = [variable.value for variable in picture.all(Variable) if variable.name == "CALICO_NETWORKING_BACKEND"]
    for thing in picture.all(Object):
        for path, value in thing.values.items():
            if path.endswith("calico_backend"):
                told.append(str(value))
            elif path.endswith("calicoNetwork.bgp") and value == "Disabled":
                told.append("vxlan")
    return next((value for value in reversed(told) if value and value.isalpha()), "bird")


def _mesh(picture: Picture) -> Iterator[Scalar]:
    yield from (row.cells["MESHENABLED"] for row in picture.all(Row) if "MESHENABLED" in row.cells)
    for thing in picture.all(Object):
        yield from (value for path, value in thing.values.items() if path.endswith("nodeToNodeMeshEnabled"))


def _probes(picture: Picture) -> dict[str, Timing]:
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

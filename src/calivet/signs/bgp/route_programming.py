"""Signs in who writes the routes to other nodes' pods: Felix, BIRD, both of them or neither."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from msgspec import Struct

from calivet.evidence.artifact import Line
from calivet.facts.cluster_facts import ClusterFacts, once
from calivet.facts.fact import Variable
from calivet.facts.host import Route
from calivet.facts.kubernetes import Object
from calivet.facts.platform import Minor, find_newest_calico
from calivet.forecast.settings import list_pool_modes
from calivet.signs.sighting import Sighting

_FIELD = "spec.programClusterRoutes"
_VARIABLE = "FELIX_PROGRAMCLUSTERROUTES"
_KINDS = {
    "Enabled": frozenset({"IPIP", "no-encapsulation"}),
    "EnabledIPIPOnly": frozenset({"IPIP"}),
    "EnabledNoEncapOnly": frozenset({"no-encapsulation"}),
    "Disabled": frozenset[str](),
}
# Who writes what unless told: Felix took the routes of IPIP over in 3.33.
_SINCE_FELIX: Minor = (3, 33)
_UNKNOWN: Minor = (0, 0)
_BIRD, _FELIX = "bird", "80"


class _Writer(Struct, frozen=True):
    """What one of the two is told, in the word of its setting."""

    word: str
    line: Line
    written: bool
    """False for the default of the version, where the object was seen without the setting."""

    @property
    def kinds(self) -> frozenset[str]:
        """The pools whose routes it writes."""
        return _KINDS.get(self.word, frozenset())


def find_cluster_routes_of_nobody(cluster: ClusterFacts) -> Iterator[Sighting]:
    """Neither Felix nor BIRD writes the routes of a kind of pool that is in use."""
    yield from _find_disagreement(cluster, writers=0)


def find_cluster_routes_of_two(cluster: ClusterFacts) -> Iterator[Sighting]:
    """Both Felix and BIRD write the routes of a kind of pool that is in use."""
    yield from _find_disagreement(cluster, writers=2)


def find_cluster_route_twice(cluster: ClusterFacts) -> Iterator[Sighting]:
    """One machine's routing table has a route twice, by BIRD and by Felix."""
    seen: dict[tuple[str | None, str], dict[str, Route]] = defaultdict(dict)
    for route in cluster.all(Route):
        if route.protocol in (_BIRD, _FELIX) and route.via and route.kind == "unicast":
            seen[route.host, route.destination][route.protocol] = route
    for (host, destination), writers in seen.items():
        if len(writers) > 1:
            node = cluster.names.find_node_or_host(host)
            yield Sighting(line=writers[_FELIX].at, node=node, values={"destination": destination})


def _find_disagreement(cluster: ClusterFacts, *, writers: int) -> Iterator[Sighting]:
    felix, bird = _find_felix(cluster), _find_bird(cluster)
    if felix is None or bird is None or not (felix.written or bird.written):
        return
    for kind in sorted(_collect_kinds(cluster)):
        if (kind in felix.kinds) + (kind in bird.kinds) == writers:
            values = {"kind": kind, "felix": felix.word, "bird": bird.word}
            yield Sighting(line=felix.line if felix.written else bird.line, values=values)


def _collect_kinds(cluster: ClusterFacts) -> set[str]:
    """The kinds of pools in use that can have either writer; without pools in the evidence none is ruled out."""
    modes = list_pool_modes(cluster)
    if not modes:
        return set(_KINDS["Enabled"])
    return {mode.wrapping or "no-encapsulation" for mode in modes} - {"VXLAN"}


@once
def _find_felix(cluster: ClusterFacts) -> _Writer | None:
    for variable in cluster.all(Variable):
        if variable.name.upper() == _VARIABLE:
            return _Writer(variable.value, variable.at, written=True)
    return _find_setting(cluster, "FelixConfiguration", older="Disabled", newer="EnabledIPIPOnly")


@once
def _find_bird(cluster: ClusterFacts) -> _Writer | None:
    return _find_setting(cluster, "BGPConfiguration", older="Enabled", newer="EnabledNoEncapOnly")


def _find_setting(cluster: ClusterFacts, kind: str, *, older: str, newer: str) -> _Writer | None:
    things = [thing for thing in cluster.all(Object) if thing.kind == kind and thing.name in (None, "default")]
    for thing in reversed(things):
        if written := thing.values.get(_FIELD):
            return _Writer(str(written), thing.find_line_of(_FIELD), written=True)
    version = find_newest_calico(cluster, unknown=_UNKNOWN)
    whole = [thing for thing in things if not thing.partial]
    if not whole or version == _UNKNOWN:
        return None
    return _Writer(newer if version >= _SINCE_FELIX else older, whole[-1].at, written=False)


SIGNS = {
    "cluster-routes-of-nobody": find_cluster_routes_of_nobody,
    "cluster-routes-of-two": find_cluster_routes_of_two,
    "cluster-route-twice": find_cluster_route_twice,
}

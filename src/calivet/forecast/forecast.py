"""Facts and changes in, the outcome out: what each node would do, which would have trouble, and what was not seen."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from calivet.facts.cluster_facts import ClusterFacts
from calivet.facts.names import list_others
from calivet.forecast import autodetection, methods, outcome, peering, starts
from calivet.forecast.autodetection import ENDS, NOTHING, STORED, TakenAddress, find_taken_address
from calivet.forecast.changes import ADDRESSES, MESH, POOLS, STARTS, Change, apply_changes
from calivet.forecast.nodes import collect_host, collect_stored_addresses, list_node_names
from calivet.forecast.outcome import FamilyOutcome, Forecast, Missing, NodeOutcome, Trouble
from calivet.forecast.peering import (
    UP,
    Comparison,
    Session,
    SessionView,
    WantedSessions,
    find_wanted_sessions,
    list_nodes_without_labels,
)
from calivet.forecast.reachability import compare_pools, place_nodes
from calivet.forecast.releases import find_running_release
from calivet.forecast.settings import AUTODETECT, NONE, Settings, read_settings
from calivet.forecast.starts import compare_starts, list_cut_off_probes

MOST_SESSIONS = 1000


def forecast_changes(picture: ClusterFacts, changes: Sequence[Change]) -> Forecast:
    """What these changes would do to the cluster of the picture."""
    before = read_settings(picture)
    after = apply_changes(before, changes)
    families = [_forecast_family(picture, family, before, after) for family in _find_families(picture, changes)]
    found = Forecast(changes, before, after, find_running_release(picture), families)
    found.namespace = next((pod.namespace for pod in picture.pods("calico-node") if pod.namespace), found.namespace)
    if found.touches(POOLS):
        main = families[0]
        here = _build_view(main.nodes, {node.name: node.after for node in main.nodes}, main.wanted)
        found.pools = compare_pools(picture, before, after, here.places, routers=bool(main.routers))
    if found.touches(STARTS):
        found.starts = compare_starts(picture, before, after)
    _add_troubles(picture, found)
    found.missing = _list_missing(picture, found)
    return found


def _find_families(picture: ClusterFacts, changes: Sequence[Change]) -> list[int]:
    """The families whose addresses a change touches; else the one that the nodes have."""
    stored = {family for _, family in collect_stored_addresses(picture)}
    return sorted({change.family for change in changes if change.family}) or ([6] if stored == {6} else [4])


def _forecast_family(picture: ClusterFacts, family: int, before: Settings, after: Settings) -> FamilyOutcome:
    nodes = [_forecast_node(picture, name, family, before, after) for name in list_node_names(picture)]
    now = _build_view(nodes, {node.name: node.before for node in nodes}, _find_wanted_sessions(picture, before))
    then = _build_view(nodes, {node.name: node.after for node in nodes}, _find_wanted_sessions(picture, after))
    found = FamilyOutcome(family, nodes, then.wanted, states={node.name: Counter() for node in nodes})
    compared = Comparison(picture, now, then)
    for session in compared.list_node_sessions():
        _count(found, session)
    found.routers = list(compared.list_router_sessions())
    return found


def _forecast_node(picture: ClusterFacts, name: str, family: int, before: Settings, after: Settings) -> NodeOutcome:
    here = collect_host(picture, name, family)
    release = find_running_release(picture)
    stored = collect_stored_addresses(picture).get((name, family))
    held = here.listing.find_holder(stored.partition("/")[0]) if here.listing and stored else None
    now = TakenAddress(STORED, stored, held[0].name if held else None)
    if stored is None:
        now = find_taken_address(here, None, before.choices[family], family, release)
    if before.choices[family] == after.choices[family]:
        return NodeOutcome(name, now, now, here.internal)
    return NodeOutcome(
        name, now, find_taken_address(here, stored, after.choices[family], family, release), here.internal
    )


def _build_view(nodes: list[NodeOutcome], ends: dict[str, TakenAddress], asked: WantedSessions) -> SessionView:
    known = place_nodes({name: end.address for name, end in ends.items()}, {node.name: node.internal for node in nodes})
    return SessionView(known, asked, frozenset(name for name, end in ends.items() if end.how in (NOTHING, ENDS)))


def _find_wanted_sessions(picture: ClusterFacts, how: Settings) -> WantedSessions:
    """Without BGP every two nodes have a tunnel between them; without either nobody needs the other's address."""
    nodes = list_node_names(picture)
    if how.has_bgp:
        return find_wanted_sessions(picture, nodes, how.mesh)
    return WantedSessions(mesh=frozenset(nodes)) if how.backend == "vxlan" else WantedSessions()


def _count(found: FamilyOutcome, session: Session) -> None:
    found.counts[session.before, session.after] += 1
    for node in (session.one, session.other):
        found.states[node][session.after] += 1
    if (session.before, session.after) != (UP, UP) and len(found.moved) < MOST_SESSIONS:
        found.moved.append(session)


def _add_troubles(picture: ClusterFacts, found: Forecast) -> None:
    """Adds the troubles to the nodes."""
    for family in found.families if found.touches(ADDRESSES, MESH) else ():
        _judge_addresses(picture, family, found.after)
        _judge_same_address(family)
        _judge_sessions(family)
        _judge_nodes_without_peers(family, found.after)
    _judge_starts(picture, found)


def _judge_addresses(picture: ClusterFacts, family: FamilyOutcome, after: Settings) -> None:
    choice = after.choices[family.family]
    other = 6 if family.family == 4 else 4
    for node in family.nodes:
        if node.after.how == autodetection.ENDS:
            node.troubles.append(Trouble(outcome.ENDS))
        elif node.after.how == autodetection.KEPT_FOR_WANT:
            node.troubles.append(Trouble(outcome.OLD_ADDRESS, node.after.address or ""))
        elif node.after.how == autodetection.NOTHING:
            # Without one of this family a node may live on the other.
            spare = choice.ip == NONE and (node.name, other) in collect_stored_addresses(picture)
            if choice.ip == AUTODETECT or (family.family == 4 and not spare):
                node.troubles.append(Trouble(outcome.NO_ADDRESS))


def _judge_same_address(family: FamilyOutcome) -> None:
    """Calico lets only the first of them start."""
    holders: dict[str, list[NodeOutcome]] = defaultdict(list)
    for node in family.nodes:
        if node.after.address:
            holders[node.after.address.partition("/")[0]].append(node)
    for sharing in holders.values():
        names = [node.name for node in sharing]
        for node in sharing if len(sharing) > 1 else ():
            node.troubles.append(Trouble(outcome.SAME_ADDRESS, list_others(names, node.name)))


def _judge_sessions(family: FamilyOutcome) -> None:
    """Of two that miss each other the one away from home is wrong, or the one that misses most; else both are."""
    away = {node.name for node in family.nodes if not node.at_home}
    pairs = [{session.one, session.other} for session in family.moved if session.after == peering.DOWN]
    lost = {name for pair in pairs if len(pair & away) == 1 for name in pair & away}
    lost |= {name for name in away if _does_lose_most(family.states[name])}
    lost |= {name for pair in pairs if not pair & lost for name in pair}
    for node in family.nodes:
        if node.name in lost and not node.troubles:
            node.troubles.append(Trouble(outcome.CUT_OFF, node.after.address or ""))


def _does_lose_most(states: Counter[str]) -> bool:
    return states[peering.DOWN] > states[peering.UP]


def _judge_nodes_without_peers(family: FamilyOutcome, after: Settings) -> None:
    """Pods' routes come by BGP, save those of VXLAN pools, so a node needs somebody to speak with."""
    needs = after.has_bgp and (not after.pools or any(pool.wrapping != "VXLAN" for pool in after.pools))
    with_router = {node for node, _ in family.wanted.with_routers}
    for node in family.nodes if needs and len(family.nodes) > 1 else ():
        alone = set(family.states[node.name]) <= {peering.ABSENT}
        if alone and node.name not in with_router:
            node.troubles.append(Trouble(outcome.NO_PEERS))


def _judge_starts(picture: ClusterFacts, found: Forecast) -> None:
    nodes = {node.name: node for node in found.families[0].nodes}
    for start in found.starts:
        kind = {starts.KILLED: outcome.START_KILLED, starts.CLOSE: outcome.START_CLOSE}.get(start.after)
        if kind and (node := nodes.get(start.start.node)):
            node.troubles.append(Trouble(kind, f"{start.start.seconds:.0f}"))
    before, after = (how.probes.get("liveness") for how in (found.before, found.after))
    if before and after and after.timeout < before.timeout:
        for name in list_cut_off_probes(picture):
            if node := nodes.get(name):
                node.troubles.append(Trouble(outcome.PROBE_CUT_OFF, f"{after.timeout:.0f}"))


_WANTED_FOR = {
    methods.NOT_LISTED: outcome.CARDS,
    methods.NOT_ALL_LISTED: outcome.CARDS,
    methods.NOT_IN_ORDER: outcome.CARDS_IN_ORDER,
    methods.ROUTES_NOT_SEEN: outcome.ROUTES,
    methods.NAME_NOT_RESOLVED: outcome.RESOLUTION,
    methods.INTERNAL_IP_NOT_SEEN: outcome.NODE_ADDRESSES,
}


def _list_missing(picture: ClusterFacts, found: Forecast) -> list[Missing]:
    """Each piece once."""
    pieces: list[Missing] = []
    if found.touches(ADDRESSES):
        pieces += _list_missing_addresses(found)
    elif found.touches(MESH, POOLS):
        pieces += _list_missing_records(found)
    if found.touches(MESH):
        names = [node.name for node in found.families[0].nodes]
        pieces += [Missing(outcome.LABELS, name) for name in list_nodes_without_labels(picture, names)]
    if found.touches(POOLS) and not found.after.pools:
        pieces.append(Missing(outcome.POOLS))
    if found.touches(STARTS):
        pieces += _list_missing_probes(picture, found)
    return list(dict.fromkeys(pieces))


def _list_missing_addresses(found: Forecast) -> Iterator[Missing]:
    for family in found.families:
        if not family.nodes:
            yield Missing(outcome.NODE_ADDRESSES)
        for node in family.nodes:
            if node.after.how == autodetection.UNKNOWN and node.after.detection:
                why = node.after.detection
                yield Missing(_WANTED_FOR[why.why], node.name, why.detail)


def _list_missing_records(found: Forecast) -> Iterator[Missing]:
    """The addresses stay what they are, so those that Calico has stored would do."""
    for family in found.families:
        if not family.nodes:
            yield Missing(outcome.NODE_ADDRESSES)
        yield from (Missing(outcome.NODE_ADDRESSES, node.name) for node in family.nodes if node.after.address is None)


def _list_missing_probes(picture: ClusterFacts, found: Forecast) -> Iterator[Missing]:
    if "liveness" not in found.before.probes:
        yield Missing(outcome.PROBES)
    measured = {one.start.node: one for one in found.starts}
    well = set() if _is_tightened(found) else picture.healthy_nodes
    for node in found.families[0].nodes:
        start = measured.get(node.name)
        if start is None and node.name in well:
            continue  # what starts now starts with more time too
        if start is None:
            yield Missing(outcome.START_LOG, node.name)
        elif start.after == starts.UNKNOWN and not start.start.finished:
            yield Missing(outcome.START_LOG, node.name, f"{start.start.seconds:.0f}")
    before, after = (how.probes.get("liveness") for how in (found.before, found.after))
    if before and after and after.timeout > before.timeout:
        yield from (Missing(outcome.PROBE_DURATION, name) for name in list_cut_off_probes(picture))


def _is_tightened(found: Forecast) -> bool:
    """Whether a start has less time than now, or a probe, or it is not known what they have now."""
    for kind, after in found.after.probes.items():
        before = found.before.probes.get(kind)
        if before is None or after.earliest < before.earliest or after.timeout < before.timeout:
            return True
    return not found.before.probes

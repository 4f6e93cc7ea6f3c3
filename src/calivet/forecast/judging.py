"""Which nodes would not be fine afterwards, and why."""

from __future__ import annotations

from collections import Counter, defaultdict

from calivet.facts.listing import listed_others
from calivet.facts.picture import Picture
from calivet.forecast import outcome as told
from calivet.forecast import sessions, starts, taking
from calivet.forecast.changes import ADDRESSES, MESH
from calivet.forecast.nodes import stored_addresses
from calivet.forecast.outcome import FamilyOutcome, NodeOutcome, Outcome, Trouble
from calivet.forecast.settings import AUTODETECT, NONE, Settings
from calivet.forecast.starts import cut_off


def judge(picture: Picture, found: Outcome) -> None:
    """Adds the troubles to the nodes."""
    for family in found.families if found.touches(ADDRESSES, MESH) else ():
        _addresses(picture, family, found.after)
        _same_address(family)
        _sessions(family)
        _without_peers(family, found.after)
    _starts(picture, found)


def _addresses(picture: Picture, family: FamilyOutcome, after: Settings) -> None:
    choice = after.choices[family.family]
    other = 6 if family.family == 4 else 4
    for node in family.nodes:
        if node.after.how == taking.ENDS:
            node.troubles.append(Trouble(told.ENDS))
        elif node.after.how == taking.KEPT_FOR_WANT:
            node.troubles.append(Trouble(told.OLD_ADDRESS, node.after.address or ""))
        elif node.after.how == taking.NOTHING:
            # Without one of this family a node may live on the other.
            spare = choice.ip == NONE and (node.name, other) in stored_addresses(picture)
            if choice.ip == AUTODETECT or (family.family == 4 and not spare):
                node.troubles.append(Trouble(told.NO_ADDRESS))


def _same_address(family: FamilyOutcome) -> None:
    """Calico lets only the first of them start."""
    holders: dict[str, list[NodeOutcome]] = defaultdict(list)
    for node in family.nodes:
        if node.after.address:
            holders[node.after.address.partition("/")[0]].append(node)
    for sharing in holders.values():
        names = [node.name for node in sharing]
        for node in sharing if len(sharing) > 1 else ():
            node.troubles.append(Trouble(told.SAME_ADDRESS, listed_others(names, node.name)))


def _sessions(family: FamilyOutcome) -> None:
    """Of two that miss each other the one away from home is wrong, or the one that misses most; else both are."""
    away = {node.name for node in family.nodes if not node.at_home}
    pairs = [{session.one, session.other} for session in family.moved if session.after == sessions.DOWN]
    lost = {name for pair in pairs if len(pair & away) == 1 for name in pair & away}
    lost |= {name for name in away if _loses_most(family.states[name])}
    lost |= {name for pair in pairs if not pair & lost for name in pair}
    for node in family.nodes:
        if node.name in lost and not node.troubles:
            node.troubles.append(Trouble(told.CUT_OFF, node.after.address or ""))


def _loses_most(states: Counter[str]) -> bool:
    return states[sessions.DOWN] > states[sessions.UP]


def _without_peers(family: FamilyOutcome, after: Settings) -> None:
    """Pods' routes come by BGP, save those of VXLAN pools, so a node needs somebody to speak with."""
    needs = after.has_bgp and (not after.pools or any(pool.wrapping != "VXLAN" for pool in after.pools))
    with_router = {node for node, _ in family.wanted.with_routers}
    for node in family.nodes if needs and len(family.nodes) > 1 else ():
        alone = set(family.states[node.name]) <= {sessions.ABSENT}
        if alone and node.name not in with_router:
            node.troubles.append(Trouble(told.NO_PEERS))


def _starts(picture: Picture, found: Outcome) -> None:
    nodes = {node.name: node for node in found.families[0].nodes}
    for start in found.starts:
        kind = {starts.KILLED: told.START_KILLED, starts.CLOSE: told.START_CLOSE}.get(start.after)
        if kind and (node := nodes.get(start.start.node)):
            node.troubles.append(Trouble(kind, f"{start.start.seconds:.0f}"))
    before, after = (how.probes.get("liveness") for how in (found.before, found.after))
    if before and after and after.timeout < before.timeout:
        for name in cut_off(picture):
            if node := nodes.get(name):
                node.troubles.append(Trouble(told.PROBE_CUT_OFF, f"{after.timeout:.0f}"))

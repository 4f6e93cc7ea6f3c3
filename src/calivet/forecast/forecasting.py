"""Facts and changes in, the outcome out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from calivet.facts.picture import Picture
from calivet.forecast.carrying import pool_outcomes
from calivet.forecast.changes import POOLS, STARTS, Change, changed
from calivet.forecast.judging import judge
from calivet.forecast.missing import missing
from calivet.forecast.nodes import host, node_names, stored_addresses
from calivet.forecast.outcome import FamilyOutcome, NodeOutcome, Outcome
from calivet.forecast.peering import Wanted, wanted
from calivet.forecast.reach import places
from calivet.forecast.releases import running
from calivet.forecast.sessions import UP, Comparison, Session, View
from calivet.forecast.settings import Settings, settings
from calivet.forecast.starts import start_outcomes
from calivet.forecast.taking import ENDS, NOTHING, STORED, Taken, taken

MOST_SESSIONS = 1000


def forecast(picture: Picture, changes: Sequence[Change]) -> Outcome:
    """What these changes would do to the cluster of the picture."""
    before = settings(picture)
    after = changed(before, changes)
    families = [_family(picture, family, before, after) for family in _families(picture, changes)]
    found = Outcome(changes, before, after, running(picture), families)
    found.namespace = next((pod.namespace for pod in picture.pods("calico-node") if pod.namespace), found.namespace)
    if found.touches(POOLS):
        main = families[0]
        here = _view(main.nodes, {node.name: node.after for node in main.nodes}, main.wanted)
        found.pools = pool_outcomes(picture, before, after, here.places, routers=bool(main.routers))
    if found.touches(STARTS):
        found.starts = start_outcomes(picture, before, after)
    judge(picture, found)
    found.missing = missing(picture, found)
    return found


def _families(picture: Picture, changes: Sequence[Change]) -> list[int]:
    """The families whose addresses a change touches; else the one that the nodes have."""
    stored = {family for _, family in stored_addresses(picture)}
    return sorted({change.family for change in changes if change.family}) or ([6] if stored == {6} else [4])


def _family(picture: Picture, family: int, before: Settings, after: Settings) -> FamilyOutcome:
    nodes = [_node(picture, name, family, before, after) for name in node_names(picture)]
    now = _view(nodes, {node.name: node.before for node in nodes}, _wanted(picture, before))
    then = _view(nodes, {node.name: node.after for node in nodes}, _wanted(picture, after))
    found = FamilyOutcome(family, nodes, then.wanted, states={node.name: Counter() for node in nodes})
    compared = Comparison(picture, now, then)
    for session in compared.between_nodes():
        _count(found, session)
    found.routers = list(compared.with_routers())
    return found


def _node(picture: Picture, name: str, family: int, before: Settings, after: Settings) -> NodeOutcome:
    here = host(picture, name, family)
    release = running(picture)
    stored = stored_addresses(picture).get((name, family))
    held = here.listing.holder(stored.partition("/")[0]) if here.listing and stored else None
    now = Taken(STORED, stored, held[0].name if held else None)
    if stored is None:
        now = taken(here, None, before.choices[family], family, release)
    if before.choices[family] == after.choices[family]:
        return NodeOutcome(name, now, now, here.internal)
    return NodeOutcome(name, now, taken(here, stored, after.choices[family], family, release), here.internal)


def _view(nodes: list[NodeOutcome], ends: dict[str, Taken], asked: Wanted) -> View:
    known = places({name: end.address for name, end in ends.items()}, {node.name: node.internal for node in nodes})
    return View(known, asked, frozenset(name for name, end in ends.items() if end.how in (NOTHING, ENDS)))


def _wanted(picture: Picture, how: Settings) -> Wanted:
    """Without BGP every two nodes have a tunnel between them; without either nobody needs the other's address."""
    nodes = node_names(picture)
    if how.has_bgp:
        return wanted(picture, nodes, how.mesh)
    return Wanted(mesh=frozenset(nodes)) if how.backend == "vxlan" else Wanted()


def _count(found: FamilyOutcome, session: Session) -> None:
    found.counts[session.before, session.after] += 1
    for node in (session.one, session.other):
        found.states[node][session.after] += 1
    if (session.before, session.after) != (UP, UP) and len(found.moved) < MOST_SESSIONS:
        found.moved.append(session)

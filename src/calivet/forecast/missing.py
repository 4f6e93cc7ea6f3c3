"""What was not seen, and without which it cannot be told what would come of the change."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.facts.picture import Picture
from calivet.forecast import detection as came
from calivet.forecast import outcome as told
from calivet.forecast import starts, taking
from calivet.forecast.changes import ADDRESSES, MESH, POOLS, STARTS
from calivet.forecast.outcome import Missing, Outcome
from calivet.forecast.peering import labels_missing
from calivet.forecast.starts import cut_off

_WANTED = {
    came.NOT_LISTED: told.CARDS,
    came.NOT_ALL_LISTED: told.CARDS,
    came.NOT_IN_ORDER: told.CARDS_IN_ORDER,
    came.ROUTES_NOT_SEEN: told.ROUTES,
    came.NAME_NOT_RESOLVED: told.RESOLUTION,
    came.INTERNAL_IP_NOT_SEEN: told.NODE_ADDRESSES,
}


def missing(picture: Picture, found: Outcome) -> list[Missing]:
    """Each piece once."""
    pieces: list[Missing] = []
    if found.touches(ADDRESSES):
        pieces += _addresses(found)
    elif found.touches(MESH, POOLS):
        pieces += _records(found)
    if found.touches(MESH):
        names = [node.name for node in found.families[0].nodes]
        pieces += [Missing(told.LABELS, name) for name in labels_missing(picture, names)]
    if found.touches(POOLS) and not found.after.pools:
        pieces.append(Missing(told.POOLS))
    if found.touches(STARTS):
        pieces += _probes(picture, found)
    return list(dict.fromkeys(pieces))


def _addresses(found: Outcome) -> Iterator[Missing]:
    for family in found.families:
        if not family.nodes:
            yield Missing(told.NODE_ADDRESSES)
        for node in family.nodes:
            if node.after.how == taking.UNKNOWN and node.after.detection:
                why = node.after.detection
                yield Missing(_WANTED[why.why], node.name, why.detail)


def _records(found: Outcome) -> Iterator[Missing]:
    """The addresses stay what they are, so those that Calico has stored would do."""
    for family in found.families:
        if not family.nodes:
            yield Missing(told.NODE_ADDRESSES)
        yield from (Missing(told.NODE_ADDRESSES, node.name) for node in family.nodes if node.after.address is None)


def _probes(picture: Picture, found: Outcome) -> Iterator[Missing]:
    if "liveness" not in found.before.probes:
        yield Missing(told.PROBES)
    measured = {outcome.start.node: outcome for outcome in found.starts}
    well = set() if _tightened(found) else picture.healthy_nodes
    for node in found.families[0].nodes:
        outcome = measured.get(node.name)
        if outcome is None and node.name in well:
            continue  # what starts now starts with more time too
        if outcome is None:
            yield Missing(told.START_LOG, node.name)
        elif outcome.after == starts.UNKNOWN and not outcome.start.finished:
            yield Missing(told.START_LOG, node.name, f"{outcome.start.seconds:.0f}")
    before, after = (how.probes.get("liveness") for how in (found.before, found.after))
    if before and after and after.timeout > before.timeout:
        yield from (Missing(told.PROBE_DURATION, name) for name in cut_off(picture))


def _tightened(found: Outcome) -> bool:
    """Whether a start has less time than now, or a probe, or it is not known what they have now."""
    for kind, after in found.after.probes.items():
        before = found.before.probes.get(kind)
        if before is None or after.earliest < before.earliest or after.timeout < before.timeout:
            return True
    return not found.before.probes

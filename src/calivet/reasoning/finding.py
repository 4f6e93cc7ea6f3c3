"""Turns a judged cause into a finding a person can act on."""

from __future__ import annotations

from msgspec.structs import replace

from calivet.catalogue.model import Catalogue, Check, Step
from calivet.catalogue.words import PROVEN, Words, fill_command
from calivet.facts.picture import Picture
from calivet.forecast.releases import Running, release, running
from calivet.reasoning.choose import Chosen
from calivet.reasoning.diagnosis import Evidence, Finding
from calivet.reasoning.effects import Observed, explained_by
from calivet.reasoning.filling import installer_of, values_for, with_some_node
from calivet.reasoning.graph import Graph
from calivet.reasoning.recovery import later_healthy
from calivet.reasoning.weigh import Judged, Seen
from calivet.signs.sighting import Sighting

PLACES_SHOWN = 3
MOST_NODES = 8


def finding(
    found: Judged, chosen: Chosen, catalogue: Catalogue, graph: Graph, observed: Observed, picture: Picture
) -> Finding:
    """The cause with this cluster's names filled in."""
    cause = found.cause
    nodes = found.nodes or _affected(picture)
    values = values_for(picture, nodes, found.speaking_for)
    steps, proof = _proven(cause.fix, picture)
    return Finding(
        cause=cause,
        confidence=found.confidence,
        nodes=nodes,
        summary=_summary(found, values),
        evidence=evidence_of(found),
        explains=explained_by(cause.id, catalogue, graph, observed),
        chain=graph.chain(cause.id, set(observed)),
        fix=steps_for(steps, picture, values | proof),
        verify=[Check(fill_command(check.run, values), check.expect.fill(values)) for check in cause.verify],
        consequences=chosen.consequences.get(cause.id, []),
        later_healthy=later_healthy(found, picture),
    )


def _proven(steps: list[Step], picture: Picture) -> tuple[list[Step], dict[str, str]]:
    """Nothing is computed where no step asks for it."""
    if not any(step.given.startswith(PROVEN) for step in steps):
        return steps, {}
    from calivet.reasoning.proof import with_proof

    return with_proof(steps, picture)


def _affected(picture: Picture) -> list[str]:
    """Where no sign names a node: the only one that the evidence knows, else the sick ones."""
    known = picture.names.nodes
    if len(known) == 1:
        return known
    return sorted(picture.sick_nodes)[:MOST_NODES]


def evidence_of(found: Judged) -> list[Evidence]:
    """A few lines for each sign, strongest first, what speaks against at the end."""
    ordered = [*found.speaking_for, *(seen for seen in found.seen if seen.against)]
    return [item for seen in ordered for item in _quoted(seen)]


def _quoted(seen: Seen) -> list[Evidence]:
    """One place for each node; the same message elsewhere only adds to the count, and no line says the same twice."""
    places = {(sighting.node, tuple(sighting.values.items())): sighting for sighting in reversed(seen.sightings)}
    lines = {(sighting.line, _says(seen, sighting).en): sighting for sighting in places.values()}
    shown = list(reversed(lines.values()))[:PLACES_SHOWN]
    counts = {sighting.line: sighting.count for sighting in seen.sightings}
    strength = "against" if seen.against else str(seen.strength)
    return [
        Evidence(
            line=sighting.line,
            says=_says(seen, sighting),
            strength=strength,
            count=sum(counts.values()) if len(shown) == 1 else sighting.count,
            note=sighting.note,
            words=sighting.words or next((v for v in sighting.values.values() if v in sighting.line.text), ""),
        )
        for sighting in shown
    ]


def _says(seen: Seen, sighting: Sighting) -> Words:
    return seen.sign.says.fill({"node": sighting.node or ""} | sighting.values)


def _summary(found: Judged, values: dict[str, str]) -> Words:
    """The cause's sentence, and the strongest sign's words where they hold names or addresses of this cluster."""
    first = with_some_node(found.cause.summary, values)
    telling = next((seen for seen in found.speaking_for if seen.sightings[0].values), None)
    if telling is None:
        return first
    says = _says(telling, telling.sightings[0])
    return Words(f"{first.en} {says.en[:1].upper()}{says.en[1:]}.", f"{first.zh}{says.zh}。")


def steps_for(steps: list[Step], picture: Picture, values: dict[str, str]) -> list[Step]:
    """The steps for this kind of installation and this version of Calico."""
    installer, version = installer_of(picture), running(picture)
    fitting = [
        step
        for step in steps
        if step.installer in ("any", installer) and _is_for(step, version) and _fits(step, values)
    ]
    return [
        replace(
            step, run=fill_command(step.run, values), why=step.why.fill(values), undo=fill_command(step.undo, values)
        )
        for step in fitting
    ]


def _fits(step: Step, values: dict[str, str]) -> bool:
    return (not step.given or step.given in values) and (not step.unless or step.unless not in values)


def _is_for(step: Step, version: Running) -> bool:
    """Where it is not known which version runs, a step for older ones is left out."""
    new_enough = not step.since or version.since(release(step.since).least) is not False
    return new_enough and (not step.until or version.most <= release(step.until).most)

"""The nodes: every one that the evidence knows, and how it was seen."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from calivet.evidence.artifact import Line
from calivet.facts.calico import NodeAddress
from calivet.facts.kubernetes import Node, Pod, Row
from calivet.facts.picture import Picture, is_healthy, is_sick
from calivet.facts.strangers import strangers
from calivet.reasoning.diagnosis import Finding
from calivet.scene.scene import SICK, UNSEEN, WELL, Spot

_ZONES = ("topology.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/zone")
# `kubectl get nodes -L` heads the column with what stands behind the label's last slash.
_ZONE_COLUMN = "ZONE"
_ABSENT = ("", "<none>")


def spots(picture: Picture, findings: Sequence[Finding]) -> list[Spot]:
    """In the order in which the evidence names them."""
    names, beside = picture.names, strangers(picture)
    states, agents = _states(picture), _agents(picture)
    zones, addresses, causes = _zones(picture), _addresses(picture), _causes(picture, findings)
    found = []
    for name in names.nodes:
        if name in beside:
            continue
        state, line = states.get(name, (UNSEEN, None))
        spot = Spot(
            name=name,
            state=state,
            zone=zones.get(name, ""),
            address=addresses.get(name, ""),
            agent=_printed(agents.get(name)),
            causes=tuple(causes.get(name, ())),
            line=line,
        )
        found.append(spot)
    return found


def _states(picture: Picture) -> dict[str, tuple[str, Line]]:
    """State and the line that tells; calico-node's own state tells more than its node's, and bad outlasts good."""
    said = [(node.name, node.ready, node.at) for node in picture.all(Node)]
    telling = (pod for pod in picture.pods("calico-node") if is_sick(pod) or is_healthy(pod))
    agents = [(pod.node, is_healthy(pod), pod.at) for pod in telling]
    states: dict[str, tuple[str, Line]] = {}
    for name, good, line in [*said, *agents]:
        node = picture.names.node(name)
        if node and good is not None and (not good or states.get(node, (WELL,))[0] == WELL):
            states[node] = WELL if good else SICK, line
    return states


def _agents(picture: Picture) -> dict[str, Pod]:
    pods = (pod for pod in picture.latest_pods("calico-node") if pod.node)
    return {picture.names.node(pod.node) or str(pod.node): pod for pod in pods}


def _printed(pod: Pod | None) -> str:
    if pod is None:
        return ""
    counted = f"{pod.ready}/{pod.containers}" if pod.ready is not None and pod.containers is not None else ""
    return f"{counted} {pod.status or ''}".strip()


def _zones(picture: Picture) -> dict[str, str]:
    columns = {
        row.name: row.cells[_ZONE_COLUMN]
        for row in picture.all(Row)
        if row.resource == "node" and row.name and row.cells.get(_ZONE_COLUMN, "") not in _ABSENT
    }
    labels = {node.name: zone for node in picture.all(Node) if (zone := _zone(node.labels))}
    return columns | labels


def _zone(labels: dict[str, str]) -> str:
    return next((labels[key] for key in _ZONES if labels.get(key)), "")


def _addresses(picture: Picture) -> dict[str, str]:
    """The last word of Calico on each node; its first address where it has one of each kind."""
    own = {node.name: node.internal_ip for node in picture.all(Node) if node.internal_ip}
    calico: dict[str, str] = {}
    for told in picture.all(NodeAddress):
        if node := picture.names.node(told.node):
            address = told.address.partition("/")[0]
            if ":" not in address or ":" in calico.get(node, ":"):
                calico[node] = address
    return own | calico


def _causes(picture: Picture, findings: Sequence[Finding]) -> dict[str, list[str]]:
    causes: dict[str, list[str]] = defaultdict(list)
    for finding in findings:
        for name in finding.nodes:
            causes[picture.names.node(name) or name].append(finding.cause.id)
    return causes

"""Signs in host endpoints, which put the nodes themselves under policy."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.evidence.artifact import Line
from calivet.evidence.expressions import expression
from calivet.facts.fact import Reach
from calivet.facts.kubernetes import Object, Row
from calivet.facts.picture import Picture, is_sick
from calivet.signs.sighting import Sighting

# Ports that stay open whatever the policy says.
_FAILSAFE = (22, 179, 2379, 2380, 5473, 6443, 6666, 6667)
_ASKED = expression(r"\bget\s+(?:gnp|globalnetworkpolic\w+)\b")


def host_endpoint_with_policy(picture: Picture) -> Iterator[Sighting]:
    """Host endpoints exist, and a global policy that may apply to them; the policy's line speaks."""
    first = next(_host_endpoints(picture), None)
    policy = _global_policy(picture)
    if first and policy:
        yield Sighting(line=policy, values=first.values)


def only_failsafe_answers(picture: Picture) -> Iterator[Sighting]:
    """A machine answers on a failsafe port and not on another one."""
    tests = [reach for reach in picture.all(Reach) if reach.port and not reach.pod]
    open_ones = {reach.target for reach in tests if reach.port in _FAILSAFE and reach.outcome == "ok"}
    for reach in tests:
        if reach.target in open_ones and reach.port not in _FAILSAFE and reach.outcome == "timeout":
            node = picture.names.node(reach.target)
            yield Sighting(line=reach.at, node=node, values={"target": reach.target, "port": str(reach.port)})


def host_endpoints_and_sickness(picture: Picture) -> Iterator[Sighting]:
    """Host endpoints exist where calico-node or a node is sick."""
    if picture.sick_nodes or any(is_sick(pod) for pod in picture.latest_pods("calico-node")):
        yield from _host_endpoints(picture)


def _global_policy(picture: Picture) -> Line | None:
    for thing in picture.all(Object):
        if thing.kind == "GlobalNetworkPolicy":
            return thing.at
    for row in picture.all(Row):
        if row.resource == "globalnetworkpolicy":
            return row.at
    asked = (artifact for artifact in picture.artifacts if _ASKED.search(artifact.command or ""))
    return next((artifact.at(0) for artifact in asked if len(artifact.lines) > 2), None)


def _host_endpoints(picture: Picture) -> Iterator[Sighting]:
    for thing in picture.all(Object):
        if thing.kind == "HostEndpoint":
            yield Sighting(line=thing.at, values={"name": thing.name or ""})
    for row in picture.all(Row):
        if row.resource in ("hostendpoint", "hep", "heps"):
            yield Sighting(line=row.at, values={"name": row.name or ""})


SIGNS = {
    "host-endpoint-with-policy": host_endpoint_with_policy,
    "only-failsafe-ports-answer": only_failsafe_answers,
    "host-endpoints-and-sick-calico": host_endpoints_and_sickness,
}

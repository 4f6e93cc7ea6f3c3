"""Signs in policies as they are written."""

from __future__ import annotations

import re
from collections.abc import Iterator

from calivet.facts.fact import Reach
from calivet.facts.kubernetes import Object, Row
from calivet.facts.picture import Picture, is_sick
from calivet.signs.sighting import Sighting

_POLICIES = ("NetworkPolicy", "GlobalNetworkPolicy")
_NODE_PORTS = range(30000, 32768)
_PORT_PATH = re.compile(r"\.ports\[\d+\](?:\.port)?$")
_DIRECTIONS = {"Ingress": "spec.ingress", "Egress": "spec.egress"}
_LOST = ("timeout", "loss")
_DNS = "53"
_SILENCE = re.compile(r"timed out|i/o timeout|no servers could be reached|100% packet loss")


def names_node_port(picture: Picture) -> Iterator[Sighting]:
    """A policy for pods that allows a port which only services have."""
    for policy in _policies(picture):
        for path, value in policy.values.items():
            if _PORT_PATH.search(path) and isinstance(value, int) and value in _NODE_PORTS and not _of_hosts(policy):
                yield _sighting(policy, port=str(value))


def type_without_rules(picture: Picture) -> Iterator[Sighting]:
    """A policy that covers a direction and allows nothing there, beside rules for the other direction."""
    for policy in _policies(picture):
        empty = [way for way in _directions(policy) if not _rules(policy, way)]
        if empty and len(empty) < len(_DIRECTIONS) and any(_rules(policy, way) for way in _DIRECTIONS):
            yield _sighting(policy, direction=", ".join(empty))


def egress_without_dns(picture: Picture) -> Iterator[Sighting]:
    """A policy that restricts egress to ports among which DNS is not."""
    for policy in _policies(picture):
        ports = [
            str(value)
            for path, value in policy.values.items()
            if path.startswith("spec.egress") and _PORT_PATH.search(path)
        ]
        if "Egress" in _directions(policy) and ports and _DNS not in ports:
            yield _sighting(policy)


def deny_and_lost_traffic(picture: Picture) -> Iterator[Sighting]:
    """A policy that allows nothing, and tests that got no answer."""
    if not _traffic_lost(picture):
        return
    for policy in _policies(picture):
        if _directions(policy) and not any(_rules(policy, way) for way in _DIRECTIONS):
            yield _sighting(policy)


def host_endpoint_with_policy(picture: Picture) -> Iterator[Sighting]:
    """Host endpoints exist, and a global policy that may apply to them."""
    written = any(policy.kind == "GlobalNetworkPolicy" for policy in _policies(picture))
    if written or any(row.resource == "globalnetworkpolicy" for row in picture.all(Row)):
        yield from _host_endpoints(picture)


def host_endpoints_and_sickness(picture: Picture) -> Iterator[Sighting]:
    """Host endpoints exist where calico-node or a node is sick."""
    if picture.sick_nodes or any(is_sick(pod) for pod in picture.latest_pods("calico-node")):
        yield from _host_endpoints(picture)


def _host_endpoints(picture: Picture) -> Iterator[Sighting]:
    for thing in picture.all(Object):
        if thing.kind == "HostEndpoint":
            yield Sighting(line=thing.at, values={"name": thing.name or ""})
    for row in picture.all(Row):
        if row.resource in ("hostendpoint", "hep", "heps"):
            yield Sighting(line=row.at, values={"name": row.name or ""})


def policy_shown(picture: Picture) -> Iterator[Sighting]:
    """The operator shows a policy."""
    return (_sighting(policy) for policy in _policies(picture))


def _traffic_lost(picture: Picture) -> bool:
    """Whether a test, or a tool in a short output, met silence."""
    if any(reach.outcome in _LOST for reach in picture.all(Reach)):
        return True
    outputs = (artifact.lines for artifact in picture.artifacts if artifact.command and len(artifact.lines) < 60)
    return any(_SILENCE.search(text) for lines in outputs for text in lines)


def _policies(picture: Picture) -> list[Object]:
    return [thing for thing in picture.all(Object) if thing.kind in _POLICIES]


def _directions(policy: Object) -> list[str]:
    listed = [
        str(value)
        for path, value in policy.values.items()
        if path.startswith(("spec.policyTypes[", "spec.types[")) and str(value) in _DIRECTIONS
    ]
    return listed or ["Ingress"]


def _rules(policy: Object, way: str) -> bool:
    """Whether anything is written for the direction; an empty list reads as nothing."""
    return any(path.startswith(_DIRECTIONS[way] + "[") for path in policy.values)


def _of_hosts(policy: Object) -> bool:
    return any(path in policy.values for path in ("spec.preDNAT", "spec.applyOnForward"))


def _sighting(policy: Object, **values: str) -> Sighting:
    return Sighting(line=policy.at, values={"name": policy.name or "", **values})


SIGNS = {
    "policy-names-node-port": names_node_port,
    "policy-type-without-rules": type_without_rules,
    "policy-egress-without-dns": egress_without_dns,
    "deny-policy-and-lost-traffic": deny_and_lost_traffic,
    "network-policy-shown": policy_shown,
    "host-endpoint-with-policy": host_endpoint_with_policy,
    "host-endpoints-and-sick-calico": host_endpoints_and_sickness,
}

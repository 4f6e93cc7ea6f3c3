"""Signs in policies as they are written."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.evidence.expressions import expression
from calivet.facts.calico import LogSpan
from calivet.facts.fact import Reach
from calivet.facts.kubernetes import Object, Row
from calivet.facts.picture import Picture, once
from calivet.signs.sighting import Sighting

_POLICIES = ("NetworkPolicy", "GlobalNetworkPolicy")
_NODE_PORTS = range(30000, 32768)
_PORT_PATH = expression(r"\.ports\[\d+\](?:\.port)?$")
_DIRECTIONS = {"Ingress": "spec.ingress", "Egress": "spec.egress"}
_LOST = ("timeout", "loss")
_DNS = "53"
_SHORT = 60
_NO_NAME = expression(
    r"no servers could be reached|Temporary failure in name resolution|Could not resolve host|bad address '"
)
_SILENT_SERVICE = expression(r"dial tcp (?P<address>[\d.]+):\d+: i/o timeout")
_SILENCE = expression(r"timed out|i/o timeout|no servers could be reached|100% packet loss")


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


def lookup_fails_under_policy(picture: Picture) -> Iterator[Sighting]:
    """Name lookups fail where a policy restricts egress without DNS, or denies everything."""
    if not any(egress_without_dns(picture)) and not any(_denies_egress(policy) for policy in _policies(picture)):
        return
    for artifact in picture.artifacts:
        for index, text in enumerate(artifact.lines if artifact.length < _SHORT and not artifact.prose else []):
            if _NO_NAME.search(text):
                yield Sighting(line=artifact.at(index), order=artifact.order)


def unlabelled_namespace(picture: Picture) -> Iterator[Sighting]:
    """A policy admits a namespace by a label that no listed namespace carries."""
    rows = [row for row in picture.all(Row) if row.resource == "namespace" and "LABELS" in row.cells]
    labels = {label for row in rows for label in row.cells["LABELS"].split(",")}
    for policy in _policies(picture) if rows else ():
        for path, value in policy.values.items():
            key = path.partition("namespaceSelector.matchLabels.")[2]
            if key and f"{key}={value}" not in labels:
                yield _sighting(policy, label=f"{key}={value}")


def node_reaches_pods_not(picture: Picture) -> Iterator[Sighting]:
    """A service address answers the node, while a pod of Calico's own gets no answer from it."""
    answered = {reach.target for reach in picture.all(Reach) if reach.outcome == "ok" and not reach.pod}
    for span in picture.all(LogSpan):
        found = _SILENT_SERVICE.search(span.last_message)
        if found and found["address"] in answered and span.program == "kube-controllers":
            yield Sighting(line=span.at, node=picture.node_of_pod(span.pod), values={"address": found["address"]})


def _denies_egress(policy: Object) -> bool:
    return "Egress" in _directions(policy) and not _rules(policy, "Egress")


def _traffic_lost(picture: Picture) -> bool:
    """Whether a test, or a tool in a short output, met silence."""
    if any(reach.outcome in _LOST for reach in picture.all(Reach)):
        return True
    outputs = (artifact.lines for artifact in picture.artifacts if artifact.command and artifact.length < _SHORT)
    return any(_SILENCE.search(text) for lines in outputs for text in lines)


@once
def _policies(picture: Picture) -> list[Object]:
    return [thing for thing in picture.all(Object) if thing.kind in _POLICIES or _looks_like_policy(thing)]


def _looks_like_policy(thing: Object) -> bool:
    """A fragment that was cut off from its head."""
    pods = any(path.startswith("spec.podSelector") for path in thing.values)
    return thing.kind is None and pods and any(path.startswith("spec.policyTypes[") for path in thing.values)


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
    "lookup-fails-under-policy": lookup_fails_under_policy,
    "policy-names-unlabelled-namespace": unlabelled_namespace,
    "node-reaches-service-pods-not": node_reaches_pods_not,
}

"""Signs in what the Tigera operator reports and has made."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.facts.kubernetes import Condition, Object, Row
from calivet.facts.picture import Picture, is_sick
from calivet.facts.roles import role_of_name
from calivet.signs.sighting import Sighting

# These only repeat what a pod or another part of the cluster suffers from.
_ECHOES = ("PodFailure", "ResourceNotReady", "InternalServerError", "Unknown", "AllObjectsAvailable", "")
_OPERATOR_NAMESPACE, _MANIFEST_NAMESPACE = "calico-system", "kube-system"


def degraded(picture: Picture) -> Iterator[Sighting]:
    """A degraded status whose reason is the operator's own."""
    for condition in picture.all(Condition):
        if condition.kind in ("tigerastatus", "installation") and _bad(condition):
            values = {"name": condition.object, "message": (condition.message or "")[:120]}
            yield Sighting(line=condition.at, values=values)


def any_degraded(picture: Picture) -> Iterator[Sighting]:
    """A status that is degraded for whatever reason."""
    for condition in picture.all(Condition):
        if condition.kind == "tigerastatus" and condition.type == "Degraded" and condition.status == "True":
            yield Sighting(line=condition.at, values={"name": condition.object})


def available(picture: Picture) -> Iterator[Sighting]:
    """TigeraStatus calico is available, and nothing is degraded."""
    if any(any_degraded(picture)):
        return
    latest = {
        condition.type: condition
        for condition in picture.all(Condition)
        if condition.kind == "tigerastatus" and condition.object == "calico"
    }
    states = {kind: condition.status for kind, condition in latest.items()}
    if states.get("Available") == "True" and states.get("Degraded") == "False":
        yield Sighting(line=latest["Available"].at)


def two_installations(picture: Picture) -> Iterator[Sighting]:
    """calico-node of an operator and of a manifest installation side by side."""
    seen = {pod.namespace: pod.at for pod in picture.pods("calico-node") if pod.namespace}
    for row in picture.all(Row):
        if row.resource == "daemonset" and row.name == "calico-node" and row.namespace:
            seen[row.namespace] = row.at
    if _OPERATOR_NAMESPACE in seen and _MANIFEST_NAMESPACE in seen:
        values = {"namespaces": f"{_MANIFEST_NAMESPACE}, {_OPERATOR_NAMESPACE}"}
        yield Sighting(line=seen[_MANIFEST_NAMESPACE], values=values)


def beside_manifest(picture: Picture) -> Iterator[Sighting]:
    """The operator's calico-node beside one that a manifest left: on the same node, or sick while the other runs."""
    pods = list({pod.name: pod for pod in picture.pods("calico-node")}.values())
    old = {pod.node for pod in pods if pod.namespace == _MANIFEST_NAMESPACE and pod.status == "Running"}
    for pod in pods:
        clash = (pod.node in old) if pod.node else is_sick(pod)
        if old and pod.namespace == _OPERATOR_NAMESPACE and clash:
            yield Sighting(line=pod.at, node=pod.node, values={"pod": pod.name})


def installed_nothing(picture: Picture) -> Iterator[Sighting]:
    """All pods were listed and the operator is among them, but no calico-node."""
    operators = [pod for pod in picture.pods("operator") if pod.status == "Running"]
    if operators and not picture.pods("calico-node") and _all_listed(picture) and _wanted(picture):
        yield Sighting(line=operators[0].at, node=operators[0].node)


def _bad(condition: Condition) -> bool:
    return condition.type == "Degraded" and condition.status == "True" and (condition.reason or "") not in _ECHOES


def _all_listed(picture: Picture) -> bool:
    commands = [artifact.command or "" for artifact in picture.artifacts]
    wide = [command for command in commands if " -A" in command or "--all-namespaces" in command]
    return any("pod" in command and "grep" not in command and "get" in command for command in wide)


def _wanted(picture: Picture) -> bool:
    """Whether an Installation was seen that asks for Calico."""
    asked = any(thing.kind == "Installation" for thing in picture.all(Object))
    return asked or any(row.resource == "installation" for row in picture.all(Row)) or _namespace_made(picture)


def _namespace_made(picture: Picture) -> bool:
    return any(role_of_name(row.name or "") == "operator" for row in picture.all(Row))


SIGNS = {
    "operator-says-degraded": degraded,
    "operator-status-degraded": any_degraded,
    "operator-says-available": available,
    "two-calico-installations": two_installations,
    "operator-install-beside-manifest": beside_manifest,
    "operator-installed-nothing": installed_nothing,
}

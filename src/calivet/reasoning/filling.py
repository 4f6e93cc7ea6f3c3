"""The names that go into sentences and commands: this cluster's nodes, pods, namespace and captured values."""

from __future__ import annotations

from collections.abc import Iterable

from calivet.catalogue.words import Words
from calivet.facts.kubernetes import Condition, Object, Pod
from calivet.facts.picture import Picture, is_sick, once
from calivet.reasoning.weigh import Seen

_SOME_NODE = Words("the affected node", "受影响的节点")


@once
def installer_of(picture: Picture) -> str:
    """How Calico was installed: operator where its namespace, pods or resources were seen, else manifest."""
    if picture.pods("operator") or any(pod.namespace == "calico-system" for pod in picture.pods("calico-node")):
        return "operator"
    if any(
        (fact.api or "").startswith("operator.tigera.io") or fact.kind == "Installation" for fact in picture.all(Object)
    ):
        return "operator"
    if any(condition.kind == "tigerastatus" for condition in picture.all(Condition)):
        return "operator"
    text = ("calico-system", "operator.tigera.io", "tigera-operator", "tigerastatus")
    commands = (artifact.command or "" for artifact in picture.artifacts)
    if any(word in command for command in commands for word in text):
        return "operator"
    return "manifest"


def values_for(picture: Picture, nodes: list[str], signs: Iterable[Seen]) -> dict[str, str]:
    """What the places in a finding's texts are filled with; the strongest sign's values win."""
    values: dict[str, str] = {}
    for seen in signs:
        for sighting in seen.sightings:
            for name, value in sighting.values.items():
                values.setdefault(name, value)
    pod = _calico_pod(picture, nodes)
    values.setdefault("namespace", _namespace(picture, pod))
    if pod:
        values.setdefault("pod", pod.name)
    if nodes or (pod and pod.node):
        values["node"] = values.get("node") or (nodes[0] if nodes else str(pod and pod.node))
        values["nodes"] = ", ".join(nodes) if nodes else values["node"]
    return {name: value for name, value in values.items() if value}


def with_some_node(words: Words, values: dict[str, str]) -> Words:
    """Fill a sentence; where no node is known it speaks of the affected node."""
    known = values.get("nodes")
    return Words(
        words.fill(values | {"nodes": known or _SOME_NODE.en}).en,
        words.fill(values | {"nodes": known or _SOME_NODE.zh}).zh,
    )


def _calico_pod(picture: Picture, nodes: list[str]) -> Pod | None:
    """The calico-node pod a command should name: on the finding's node, else a sick one, described ones first."""
    own = set(nodes)
    pods = (pod for pod in picture.pods("calico-node") if not own or pod.node is None or pod.node in own)
    return min(pods, key=lambda pod: (pod.node not in own, not is_sick(pod), pod.started is None), default=None)


def _namespace(picture: Picture, pod: Pod | None) -> str:
    if pod and pod.namespace:
        return pod.namespace
    if installer_of(picture) == "operator":
        return "calico-system"
    seen = (each.namespace for each in picture.pods("calico-node") if each.namespace)
    return next(seen, "kube-system")

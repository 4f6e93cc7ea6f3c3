"""The names of this cluster that go into the sentences and commands of an answer, wherever the evidence holds them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice

from calivet.facts.calico import Pool, TyphaAttempt
from calivet.facts.cluster_facts import ClusterFacts, is_sick, once
from calivet.facts.fact import FailedDial
from calivet.facts.installation import find_installation, find_units
from calivet.facts.kubernetes import Event, Node, Pod, RangeSetting
from calivet.facts.platform import find_last_version, find_platform, is_run_by_operator
from calivet.facts.roles import find_role_of_name
from calivet.facts.vocabulary.messages import find_failed_image
from calivet.messages.command_line import name_client, name_kubectl
from calivet.messages.message import find_words
from calivet.messages.words import Words
from calivet.readers.kubectl.kubectl_command import parse_request
from calivet.reasoning.weigh import ObservedSign
from calivet.search.expressions import expression, find_lines_with

MOST_LINES = 5_000
"""Of all artifacts together; a pod that is named at all is named early."""
_AGENT = expression(
    r"(?:^|[\s/\"'`(\[])(?P<pod>(?:[a-z0-9]+-)?(?:calico-node|canal)-[bcdfghjklmnpqrstvwxz2456789]{5})\b"
)
_AGENT_HINTS = ("calico-node-", "canal-")
_PLACE_BY_PORT = {443: "service_address", 6443: "control_plane", 2379: "etcd_address", 5473: "typha_address"}
_CONTROL_PLANE = ("control-plane", "master")


@once
def collect_named_places(picture: ClusterFacts) -> dict[str, str]:
    """What is named, by place; the first that is found."""
    places: dict[str, str] = {}
    for place, value in chain(_list_addresses(picture), _list_images(picture)):
        places.setdefault(place, value)
    if agent := next(_list_agents(picture), None):
        places["pod"], namespace = agent
        if namespace:
            places["namespace"] = namespace
    return places


def _list_agents(picture: ClusterFacts) -> Iterator[tuple[str, str | None]]:
    """calico-node pods that are named without a row of their own, with their namespaces."""
    for event in picture.all(Event):
        if event.object and find_role_of_name(event.object) == "calico-node":
            yield event.object, event.namespace
    for artifact in picture.artifacts:
        asked = parse_request(artifact)
        if asked.name and find_role_of_name(asked.name) == "calico-node":
            yield asked.name, asked.namespace
    lines = list(islice(chain.from_iterable(one.lines for one in picture.artifacts), MOST_LINES))
    for _, text in find_lines_with(_AGENT_HINTS, lines):
        if found := _AGENT.search(text):
            yield found["pod"], None


def _list_addresses(picture: ClusterFacts) -> Iterator[tuple[str, str]]:
    for dial in picture.all(FailedDial):
        if place := _PLACE_BY_PORT.get(dial.port):
            yield place, dial.address
    for attempt in picture.all(TyphaAttempt):
        if attempt.address:
            yield "typha_address", attempt.address.rpartition(":")[0] or attempt.address
    for node in picture.all(Node):
        if any(role in (node.roles or "") for role in _CONTROL_PLANE):
            yield "control_plane", node.internal_ip or node.name


def _list_images(picture: ClusterFacts) -> Iterator[tuple[str, str]]:
    for event in picture.all(Event):
        if image := find_failed_image(event.message):
            yield "image", image


_NAMED = 3
"""Nodes that a sentence names; all of them stand beside it."""
_LONGEST = 60
"""Letters that their names take there at most, where there are several."""


@once
def find_installer(picture: ClusterFacts) -> str | None:
    """How Calico was installed: operator, manifest, or None where nothing was seen of either."""
    whole = picture.whole
    if is_run_by_operator(whole):
        return "operator"
    in_kube_system = any(pod.namespace == "kube-system" for pod in whole.pods("calico-node"))
    return "manifest" if in_kube_system or find_platform(whole).answer("owner") == "manifest" else None


def collect_values(picture: ClusterFacts, nodes: list[str], signs: Sequence[ObservedSign]) -> dict[str, str]:
    """What the places in a finding's texts are filled with; the strongest sign's values win."""
    values: dict[str, str] = {}
    for seen in signs:
        for sighting in seen.sightings:
            for name, value in sighting.values.items():
                values.setdefault(name, value)
    _part_workload(values, picture)
    pod = _find_calico_pod(picture, nodes)
    values |= _collect_names(picture, pod, values.get("pod"))
    if nodes or (pod and pod.node):
        values["node"] = values.get("node") or (_choose_node(nodes, values, signs) if nodes else str(pod and pod.node))
        values["nodes"] = ", ".join(nodes) if nodes else values["node"]
    values |= _collect_of_node(picture, values.get("node"))
    values = _collect_addresses(picture) | values
    return _add_mentioned(picture, {name: value for name, value in values.items() if value}, nodes)


def _choose_node(nodes: list[str], values: dict[str, str], signs: Iterable[ObservedSign]) -> str:
    """The one that commands are for: where the values were seen, and not what a sign names as the other side."""
    possible = [node for node in nodes if node != values.get("other")] or nodes
    seen = (one.node for sign in signs for one in sign.sightings if one.values and one.node in possible)
    return next(seen, None) or possible[0]


def _add_mentioned(picture: ClusterFacts, values: dict[str, str], nodes: list[str]) -> dict[str, str]:
    """Places that nothing else fills, by what is only mentioned; such a pod may be of any node."""
    mentioned = dict(collect_named_places(picture))
    if "pod" in values or (nodes and len(picture.names.nodes) > 1):
        mentioned = {name: value for name, value in mentioned.items() if name not in ("pod", "namespace")}
    if "namespace" in mentioned:
        values = {**values, "namespace": mentioned["namespace"]}
    return {**mentioned, **values}


def collect_other_nodes(
    picture: ClusterFacts, nodes: list[str], values: dict[str, str], signs: Iterable[ObservedSign] = ()
) -> list[dict[str, str]]:
    """The same for each of the other nodes, with its own name and pod, and without what was seen elsewhere only."""
    places = _collect_places(signs)
    return [_move_to_node(picture, node, values, places) for node in nodes if node != values.get("node")]


def _collect_places(signs: Iterable[ObservedSign]) -> dict[str, dict[str, str]]:
    """By the names of values that belong to nodes, as a rule of a packet filter does: what was seen on which node."""
    seen: dict[str, dict[str, str]] = {}
    anywhere: set[str] = set()
    for sighting in (one for sign in signs for one in sign.sightings):
        # A sign that concerns the other end of a session too says whose the values are.
        node = sighting.values.get("node") or sighting.node
        for name, value in sighting.values.items():
            if node:
                seen.setdefault(name, {}).setdefault(node, value)
            else:
                anywhere.add(name)
    return {name: nodes for name, nodes in seen.items() if name not in anywhere}


def _move_to_node(
    picture: ClusterFacts, node: str, values: dict[str, str], places: dict[str, dict[str, str]]
) -> dict[str, str]:
    pod = _find_calico_pod(picture, [node])
    own = {name: seen.get(node, "") for name, seen in places.items()}
    own |= {"node": node, "pod": pod.name if pod else ""} | _collect_of_node(picture, node)
    kept = {name: value for name, value in values.items() if name not in own}
    return kept | {name: value for name, value in own.items() if value}


def _collect_of_node(picture: ClusterFacts, node: str | None) -> dict[str, str]:
    units = find_units(picture, node)
    address = next((one.internal_ip for one in picture.all(Node) if one.name == node and one.internal_ip), None)
    services = {"kubelet_unit": units.kubelet, "runtime_unit": units.runtime, "below_unit": units.below}
    return {name: value or "" for name, value in services.items()} | {"node_address": address or ""}


def _part_workload(values: dict[str, str], picture: ClusterFacts) -> None:
    """A pod that a sign names and that is not calico-node's is a workload; commands for calico-node never name it."""
    name = values.get("pod")
    if not name or find_role_of_name(name) == "calico-node":
        return
    seen = next((pod for pod in picture.all(Pod) if pod.name == name), None)
    values.setdefault("workload", values.pop("pod"))
    namespace = values.pop("namespace", "") or (seen.namespace if seen else None) or ""
    values.setdefault("workload_namespace", namespace)


def _collect_names(picture: ClusterFacts, pod: Pod | None, named: str | None) -> dict[str, str]:
    """What the parts of this installation are called."""
    found, distribution = find_installation(picture), find_platform(picture).answer("distribution")
    return {
        "namespace": (pod.namespace if pod else None) or found.namespace,
        "pod": named or (pod.name if pod else ""),
        "daemonset": found.daemonset,
        "selector": found.selector,
        "api_group": found.api_group,
        "kubectl": name_kubectl(found.kubectl),
        "crictl": name_client("crictl", distribution),
        "ctr": name_client("ctr", distribution),
        "control_plane": found.control_plane or "",
    }


def _collect_addresses(picture: ClusterFacts) -> dict[str, str]:
    """Versions, addresses and ranges that the evidence holds once and for all."""
    pools = {pool.name: pool.cidr for pool in picture.all(Pool) if pool.disabled is not True}
    typha = (pod.ip for pod in picture.pods("typha") if pod.ip)
    services = (one.cidr for one in picture.all(RangeSetting) if one.services)
    version = find_last_version(picture)
    return {
        "version": (version.version if version else "").removeprefix("v"),
        "typha_address": next(typha, ""),
        "pod_range": ",".join(pools.values()),
        "service_range": next(services, ""),
        "pool": next(iter(pools), None) or "" if len(pools) == 1 else "",
    }


def fill_with_some_node(words: Words, values: dict[str, str]) -> Words:
    """Fill a sentence; where no node is known it speaks of the affected node, and where many are, of so many."""
    names = list(filter(None, values.get("nodes", "").split(", ")))
    *others, last = names or [""]
    named = Words(f"{', '.join(others)} and {last}", "、".join(names)) if others else Words(last, last)
    unknown = find_words("summary.some_node")
    if not names:
        named = unknown
    elif others and (len(names) > _NAMED or len(named.en) > _LONGEST):
        named = find_words("summary.many_nodes", count=len(names))
    chinese = words.fill(values | {"nodes": named.zh}).zh.replace(
        f"{unknown.zh}的", find_words("summary.some_node.of").zh
    )
    return Words(words.fill(values | {"nodes": named.en}).en, chinese)


def _find_calico_pod(picture: ClusterFacts, nodes: list[str]) -> Pod | None:
    """The calico-node pod a command should name: on the finding's node, else a sick one, described ones first."""
    own = set(nodes)
    pods = (pod for pod in picture.pods("calico-node") if not own or pod.node is None or pod.node in own)
    return min(pods, key=lambda pod: (pod.node not in own, not is_sick(pod), pod.started is None), default=None)

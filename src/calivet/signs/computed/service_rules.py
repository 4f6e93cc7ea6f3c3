"""Signs that nobody on a node translates the API server's service address: kube-proxy, its rules, the way out."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.evidence.artifact import Artifact
from calivet.evidence.expressions import expression
from calivet.facts.host import Route, VirtualServer
from calivet.facts.kubernetes import Pod
from calivet.facts.picture import Picture, is_sick
from calivet.readers.command import output_lines
from calivet.signs.computed.api_reach import is_service_address
from calivet.signs.sighting import Sighting

# `grep` and selectors show a part only; nothing follows from what such a list lacks.
_PARTIAL = expression(r"\b[ef]?grep\b|\bawk\b|\bhead\b|\btail\b|\s-l\b|--selector|--field-selector|\bsed\b")
_ASKS_FOR_RULE = expression(
    r"(?:iptables(?:-save|-nft-save|-legacy-save)?|nft|ipvsadm)\b.*grep.*(?:(?:\d{1,3}\.){3}1\b|kubernetes:https|KUBE-SVC|KUBE-SERVICES)"
)
_WHOLE_TABLE = expression(
    r"^\s*(?:sudo\s+)?(?:ip(?:\s+-\w+)*\s+r(?:oute)?(?:\s+(?:show|list|ls))?|route\s+-n|netstat\s+-rn)\s*$"
)
_ENOUGH_PODS = 4


def kube_proxy_absent(picture: Picture) -> Iterator[Sighting]:
    """A node with a sick calico-node, in a list that shows kube-proxy for others or could have shown it."""
    for pods in _whole_lists(picture):
        proxied = {pod.node for pod in pods if picture.role(pod) == "kube-proxy"}
        own_services = any(picture.role(pod) == "apiserver" for pod in pods)
        for pod in pods:
            if picture.role(pod) != "calico-node" or not is_sick(pod) or not pod.node or pod.node in proxied:
                continue
            if proxied or (own_services and len(pods) >= _ENOUGH_PODS):
                yield Sighting(line=pod.at, node=pod.node, values={"where": pod.node if proxied else "*"})


def kube_proxy_sick(picture: Picture) -> Iterator[Sighting]:
    """kube-proxy was seen in a bad state, where calico-node is sick too or was not seen."""
    calico = {pod.node for pod in picture.pods("calico-node") if pod.node}
    sick = {pod.node for pod in picture.pods("calico-node") if is_sick(pod)}
    for pod in picture.pods("kube-proxy"):
        if is_sick(pod) and (pod.node in sick or pod.node not in calico):
            values = {"node": pod.node or "*", "status": str(pod.status)}
            yield Sighting(line=pod.at, node=pod.node, values=values)


def service_rule_missing(picture: Picture) -> Iterator[Sighting]:
    """The rules of a node were looked at, and none is for the API server's service address."""
    for artifact in picture.artifacts:
        if _ASKS_FOR_RULE.search(artifact.command or "") and _shows_none(artifact):
            node = picture.names.node(artifact.host) or artifact.host
            yield Sighting(line=artifact.at(0), node=node, values={"what": "iptables"})
    yield from _ipvs_without_entry(picture)


def _shows_none(artifact: Artifact) -> bool:
    """No line was found, or, where they were counted, none."""
    return all(text == "0" for _, text in output_lines(artifact))


def no_default_route(picture: Picture) -> Iterator[Sighting]:
    """A whole routing table without a default route: packets to a service address find no way even to be rewritten."""
    for artifact in picture.artifacts:
        if not _WHOLE_TABLE.match(artifact.command or ""):
            continue
        routes = picture.within(artifact, Route)
        if routes and not any(route.destination in ("default", "0.0.0.0/0", "0.0.0.0") for route in routes):
            node = picture.names.node(artifact.host) or artifact.host
            yield Sighting(line=routes[0].at, node=node)


def _ipvs_without_entry(picture: Picture) -> Iterator[Sighting]:
    for artifact in picture.artifacts:
        if "ipvs" not in artifact.kinds or _PARTIAL.search(artifact.command or ""):
            continue
        servers = picture.within(artifact, VirtualServer)
        entries = [one for one in servers if is_service_address(one.address, _number(one.port), picture)]
        # A list without cluster DNS was broken off, unless it has nothing at all.
        whole = not servers or any(one.port == "53" for one in servers)
        if whole and not any(one.backends for one in entries):
            line = entries[0].at if entries else artifact.at(len(artifact.lines) - 1)
            node = picture.names.node(artifact.host) or artifact.host
            yield Sighting(line=line, node=node, values={"what": "ipvs"})


def _whole_lists(picture: Picture) -> Iterator[list[Pod]]:
    """The pods of each list that was not cut down to a part."""
    for artifact in picture.artifacts:
        if "kubectl-get" not in artifact.kinds or _PARTIAL.search(artifact.command or ""):
            continue
        if pods := picture.within(artifact, Pod):
            yield pods


def _number(port: str) -> int | None:
    return int(port) if port.isdigit() else None


SIGNS = {
    "kube-proxy-absent": kube_proxy_absent,
    "kube-proxy-sick": kube_proxy_sick,
    "service-rule-missing": service_rule_missing,
    "no-default-route": no_default_route,
}

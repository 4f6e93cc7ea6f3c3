"""The first screen: one line for each part of the cluster, as far as it was seen."""

from __future__ import annotations

from collections.abc import Sequence

from calivet.catalogue.model import Cause
from calivet.facts.calico import BgpPeer
from calivet.facts.cluster_facts import ClusterFacts, is_healthy, is_sick
from calivet.facts.cluster_network import list_latest_sessions
from calivet.facts.host import Unit
from calivet.facts.kubernetes import Node, Pod
from calivet.facts.names import list_names, list_names_in_chinese
from calivet.facts.runtime import RuntimeContainer
from calivet.messages.words import Words
from calivet.reasoning.diagnosis import Component, Finding
from calivet.reasoning.graph import Observed

# Parts that not every cluster has, or that are seldom looked at: shown where they were seen.
_HELPERS = ("typha", "kube-controllers", "operator", "kube-proxy", "dns")
_RUNTIMES = ("containerd", "docker", "dockerd", "crio", "cri-o")


# The part that a cause blames: by its layer, or by name where a layer has several.
_BLAMED_LAYERS = {"bgp": "BGP", "kubelet": "nodes", "felix": "calico-node"}
_BLAMED = {
    "apiserver-down": "datastore",
    "etcd-unhealthy": "datastore",
    "etcd-datastore-unreachable": "datastore",
    "datastore-not-ready-flag": "datastore",
    "crd-missing": "datastore",
    "runtime-unresponsive": "runtime",
    "runtime-config-invalid": "runtime",
    "cgroup-driver-mismatch": "runtime",
    "service-vip-unreachable": "kube-proxy",
    "typha-unreachable": "typha",
    "typha-tls-mismatch": "typha",
    "operator-misconfigured": "operator",
    "node-unreachable": "nodes",
    "node-overload": "nodes",
    "no-ip-autodetected": "calico-node",
    # These lie in a layer of the list above and blame none of its parts.
    "network-policy-blocks": "",
    "host-endpoint-policy": "",
    "pod-security-forbidden": "",
    "daemonset-not-scheduled": "calico-node",
    "probe-timeout-too-short": "calico-node",
}


def list_components(picture: ClusterFacts, observed: Observed, findings: Sequence[Finding]) -> list[Component]:
    """The parts that every cluster has, then those that were seen in this one; what a finding blames is not good."""
    always = [
        _describe_nodes(picture),
        _describe_calico_node(picture),
        _describe_bgp(picture, observed),
        _describe_datastore(picture, observed),
        _describe_runtime(picture),
    ]
    parts = [*always, *(part for role in _HELPERS if (part := _describe_helper(picture, role)))]
    return [_blame(part, findings) for part in parts]


def _blame(part: Component, findings: Sequence[Finding]) -> Component:
    """The part as a finding leaves it: a list that calls it good above a finding that blames it contradicts itself."""
    blaming = [found.cause.title for found in findings if _blamed_part(found.cause) == part.name.en]
    if part.good is False or not blaming:
        return part
    titles = Words("; ".join(title.en for title in blaming), "；".join(title.zh for title in blaming))
    if part.good is None:
        return Component(part.name, False, titles)
    return Component(part.name, False, Words(f"{part.state.en}, but: {titles.en}", f"{part.state.zh}，但：{titles.zh}"))


def _blamed_part(cause: Cause) -> str:
    return _BLAMED.get(cause.id, _BLAMED_LAYERS.get(cause.layer, ""))


def _describe_nodes(picture: ClusterFacts) -> Component:
    name = Words("nodes", "节点")
    latest = {node.name: node for node in picture.all(Node)}
    if not latest:
        return _describe_unseen(name)
    bad = [node.name for node in picture.all(Node) if node.ready is False]
    if not bad and not any(node.ready for node in latest.values()):
        return _describe_unseen(name)
    again = [node for node in dict.fromkeys(bad) if latest[node].ready]
    return _count_component(name, len(latest), list(dict.fromkeys(bad)), again, Words("Ready", " Ready"))


def _describe_calico_node(picture: ClusterFacts) -> Component:
    name = Words("calico-node", "calico-node")
    sightings = picture.pods("calico-node")
    if not any(is_sick(pod) or is_healthy(pod) for pod in sightings):
        return _describe_unseen(name)
    latest = {pod.name: pod for pod in sightings if pod.status}
    bad = {pod.name: pod for pod in sightings if is_sick(pod)}
    again = [pod for pod in bad if is_healthy(latest[pod])]
    return _count_component(name, len(latest), [_name_pod(pod) for pod in bad.values()], again, Words("ready", "就绪"))


def _describe_helper(picture: ClusterFacts, role: str) -> Component | None:
    latest = [pod for pod in picture.list_latest_pods(role) if is_sick(pod) or is_healthy(pod)]
    if not latest:
        return None
    bad = [_name_pod(pod) for pod in latest if is_sick(pod)]
    return _count_component(Words(role, role), len(latest), bad, [], Words("ready", "就绪"))


def _name_pod(pod: Pod) -> str:
    where = f" @ {pod.node}" if pod.node else ""
    count = f" {pod.ready}/{pod.containers}" if pod.status == "Running" and pod.containers else ""
    return f"{pod.name}{where}: {pod.status}{count}"


def _count_component(name: Words, total: int, bad: list[str], again: list[str], word: Words) -> Component:
    if not bad:
        every = Words(f"{_name_all(total)} {word.en}", f"{total} 个全部{word.zh}") if total > 1 else word
        return Component(name, True, every)
    later_en = f"; later {word.en}: {list_names(again)}" if again else ""
    later_zh = f"；之后恢复{word.zh}：{list_names_in_chinese(again)}" if again else ""
    return Component(
        name,
        False,
        Words(
            f"{_count_bad(len(bad), total)}not {word.en}: {list_names(bad)}{later_en}",
            f"{_count_bad_in_chinese(len(bad), total)}未{word.zh}：{list_names_in_chinese(bad)}{later_zh}",
        ),
    )


def _count_bad(bad: int, total: int) -> str:
    return "" if total == 1 else f"{_name_all(total)} " if bad >= total else f"{bad} of {total} "


def _name_all(total: int) -> str:
    return "both" if total == 2 else f"all {total}"


def _count_bad_in_chinese(bad: int, total: int) -> str:
    return "" if total == 1 else f"{total} 个全部" if bad >= total else f"{total} 个中有 {bad} 个"


def _describe_bgp(picture: ClusterFacts, observed: Observed) -> Component:
    name = Words("BGP", "BGP")
    peers = list_latest_sessions(picture)
    if not peers and (nodes := {one.node for one in observed.get("bgp-down", ()) if one.node}):
        shown = list_names(sorted(nodes))
        return Component(name, False, Words(f"not established on {shown}", f"{shown} 上未建立"))
    if not peers:
        return _describe_unseen(name)
    down = [_describe_session(peer) for peer in peers if not peer.established]
    ends = len(peers)
    if not down:
        seen = "1 session seen: Established" if ends == 1 else f"{_name_all(ends)} sessions seen are Established"
        return Component(name, True, Words(seen, f"看到 {ends} 个会话，全部 Established"))
    return Component(name, False, Words(f"down: {list_names(down)}", f"未建立：{list_names_in_chinese(down)}"))


def _describe_session(peer: BgpPeer) -> str:
    """Its ends, as far as they are known, and its state."""
    ends = f"{peer.host} -> {peer.address}" if peer.host else peer.address
    return f"{ends}: {peer.info or peer.state}"


def _describe_datastore(picture: ClusterFacts, observed: Observed) -> Component:
    name = Words("datastore", "数据存储")
    if troubled := observed.get("api-unreachable"):
        where = [sighting.node for sighting in troubled if sighting.node]
        en, zh = (f" from {list_names(where)}", f"（{list_names_in_chinese(where)}）") if where else ("", "")
        return Component(name, False, Words(f"errors seen{en}", f"出现访问错误{zh}"))
    servers = [pod for role in ("apiserver", "etcd") for pod in picture.list_latest_pods(role)]
    if not servers:
        return _describe_unseen(name)
    bad = [_name_pod(pod) for pod in servers if is_sick(pod)]
    return _count_component(name, len(servers), bad, [], Words("ready", "就绪"))


def _describe_runtime(picture: ClusterFacts) -> Component:
    name = Words("runtime", "容器运行时")
    units = {(unit.host, unit.name): unit for unit in picture.all(Unit) if unit.name in _RUNTIMES and unit.active}
    bad = [f"{unit.name} @ {unit.host}: {unit.active}" for unit in units.values() if unit.active != "active"]
    if bad:
        return Component(name, False, Words(list_names(bad), list_names_in_chinese(bad)))
    if picture.all(RuntimeContainer):
        return Component(name, None, Words("answers where it was asked", "已查询处均有应答"))
    if units:
        names = [unit.name for unit in units.values()]
        active, active_zh = list_names(names), list_names_in_chinese(names)
        return Component(
            name,
            None,
            Words(f"{active} is active; whether it answers was not seen", f"{active_zh} 为 active；未见其是否应答"),
        )
    versions = [node.runtime for node in picture.all(Node) if node.runtime]
    if not versions:
        return _describe_unseen(name)
    return Component(
        name,
        None,
        Words(f"{list_names(versions)}; its state was not seen", f"{list_names_in_chinese(versions)}；未见其状态"),
    )


def _describe_unseen(name: Words) -> Component:
    return Component(name, None, Words("not seen", "未见到"))

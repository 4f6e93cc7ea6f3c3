"""The first screen: one line for each part of the cluster, as far as it was seen."""

from __future__ import annotations

from calivet.catalogue.words import Words
from calivet.facts.host import RuntimeContainer, Unit
from calivet.facts.kubernetes import Node, Pod
from calivet.facts.listing import listed
from calivet.facts.picture import Picture, is_healthy, is_sick
from calivet.facts.sessions import latest_sessions
from calivet.reasoning.diagnosis import Component
from calivet.reasoning.effects import Observed

# Parts that not every cluster has, or that are seldom looked at: shown where they were seen.
_HELPERS = ("typha", "kube-controllers", "operator", "kube-proxy", "dns")
_RUNTIMES = ("containerd", "docker", "dockerd", "crio", "cri-o")


def components(picture: Picture, observed: Observed) -> list[Component]:
    """The parts that every cluster has, then those that were seen in this one."""
    always = [_nodes(picture), _calico_node(picture), _bgp(picture), _datastore(picture, observed), _runtime(picture)]
    return [*always, *(part for role in _HELPERS if (part := _helper(picture, role)))]


def _nodes(picture: Picture) -> Component:
    name = Words("nodes", "节点")
    latest = {node.name: node for node in picture.all(Node)}
    if not latest:
        return _unseen(name)
    bad = [node.name for node in picture.all(Node) if node.ready is False]
    if not bad and not any(node.ready for node in latest.values()):
        return _unseen(name)
    again = [node for node in dict.fromkeys(bad) if latest[node].ready]
    return _counted(name, len(latest), list(dict.fromkeys(bad)), again, Words("Ready", " Ready"))


def _calico_node(picture: Picture) -> Component:
    name = Words("calico-node", "calico-node")
    sightings = picture.pods("calico-node")
    if not any(is_sick(pod) or is_healthy(pod) for pod in sightings):
        return _unseen(name)
    latest = {pod.name: pod for pod in sightings if pod.status}
    bad = {pod.name: pod for pod in sightings if is_sick(pod)}
    again = [pod for pod in bad if is_healthy(latest[pod])]
    return _counted(name, len(latest), [_named(pod) for pod in bad.values()], again, Words("ready", "就绪"))


def _helper(picture: Picture, role: str) -> Component | None:
    latest = [pod for pod in picture.latest_pods(role) if is_sick(pod) or is_healthy(pod)]
    if not latest:
        return None
    bad = [_named(pod) for pod in latest if is_sick(pod)]
    return _counted(Words(role, role), len(latest), bad, [], Words("ready", "就绪"))


def _named(pod: Pod) -> str:
    where = f" @ {pod.node}" if pod.node else ""
    count = f" {pod.ready}/{pod.containers}" if pod.status == "Running" and pod.containers else ""
    return f"{pod.name}{where}: {pod.status}{count}"


def _counted(name: Words, total: int, bad: list[str], again: list[str], word: Words) -> Component:
    if not bad:
        every = Words(f"all {total} {word.en}", f"{total} 个全部{word.zh}") if total > 1 else word
        return Component(name, True, every)
    later_en = f"; later {word.en}: {listed(again)}" if again else ""
    later_zh = f"；之后恢复{word.zh}：{listed(again)}" if again else ""
    return Component(
        name,
        False,
        Words(
            f"{len(bad)} of {total} not {word.en}: {listed(bad)}{later_en}",
            f"{total} 个中有 {len(bad)} 个未{word.zh}：{listed(bad)}{later_zh}",
        ),
    )


def _bgp(picture: Picture) -> Component:
    name = Words("BGP", "BGP")
    peers = latest_sessions(picture)
    if not peers:
        return _unseen(name)
    down = [
        f"{peer.host or '?'} -> {peer.address}: {peer.info or peer.state}" for peer in peers if not peer.established
    ]
    ends = len(peers)
    if not down:
        return Component(
            name, True, Words(f"{ends} sessions seen, all Established", f"看到 {ends} 个会话，全部 Established")
        )
    return Component(name, False, Words(f"down: {listed(down)}", f"未建立：{listed(down)}"))


def _datastore(picture: Picture, observed: Observed) -> Component:
    name = Words("datastore", "数据存储")
    if troubled := observed.get("api-unreachable"):
        where = listed(sighting.node for sighting in troubled if sighting.node)
        en, zh = (f" from {where}", f"（{where}）") if where else ("", "")
        return Component(name, False, Words(f"errors seen{en}", f"出现访问错误{zh}"))
    servers = [pod for role in ("apiserver", "etcd") for pod in picture.latest_pods(role)]
    if not servers:
        return _unseen(name)
    bad = [_named(pod) for pod in servers if is_sick(pod)]
    return _counted(name, len(servers), bad, [], Words("ready", "就绪"))


def _runtime(picture: Picture) -> Component:
    name = Words("runtime", "容器运行时")
    units = {(unit.host, unit.name): unit for unit in picture.all(Unit) if unit.name in _RUNTIMES and unit.active}
    bad = [f"{unit.name} @ {unit.host}: {unit.active}" for unit in units.values() if unit.active != "active"]
    if bad:
        return Component(name, False, Words(listed(bad), listed(bad)))
    if units or picture.all(RuntimeContainer):
        return Component(name, None, Words("answers where it was asked", "已查询处均有应答"))
    versions = listed(node.runtime for node in picture.all(Node) if node.runtime)
    if not versions:
        return _unseen(name)
    return Component(name, None, Words(f"{versions}; its state was not seen", f"{versions}；未见其状态"))


def _unseen(name: Words) -> Component:
    return Component(name, None, Words("not seen", "未见到"))

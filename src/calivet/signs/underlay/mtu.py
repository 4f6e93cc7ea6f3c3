"""Signs in MTU values, and in pings of different sizes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from msgspec import Struct

from calivet.facts.calico import CniConfig, DeterminedMtu
from calivet.facts.cluster_facts import ClusterFacts, once
from calivet.facts.cluster_network import list_configured_mtus
from calivet.facts.fact import Reach
from calivet.facts.host import Interface, Route
from calivet.facts.networks import is_inside, parse_network
from calivet.signs.sighting import Sighting

# Bytes that each tunnel adds to a packet.
_CALICOS = ("bird", "80")
"""Who programs routes to pods: BIRD, and Felix by its number."""
OVERHEAD = {"tunl0": 20, "vxlan.calico": 50, "vxlan-v6.calico": 70, "wireguard.cali": 60, "wg-v6.cali": 80}


def find_pod_mtu_over_tunnel(cluster: ClusterFacts) -> Iterator[Sighting]:
    """Pods may send larger packets than their tunnel takes."""
    for host, devices in _collect_devices(cluster).items():
        tunnel = _find_smallest_tunnel(devices)
        pods = [device for name, device in devices.items() if name.startswith("cali") and device.mtu]
        if tunnel and pods and (pods[0].mtu or 0) > (tunnel.mtu or 0):
            yield _build_sighting(
                pods[0], str(pods[0].mtu), pods[0].name, tunnel, cluster.names.find_node_or_host(host)
            )
    yield from _find_configured_over_tunnel(cluster)


def find_tunnel_mtu_over_card(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A tunnel whose packets, with what it adds, are larger than the card takes."""
    for host, devices in _collect_devices(cluster).items():
        card = _find_card(host, devices, cluster)
        for name, overhead in OVERHEAD.items():
            tunnel = devices.get(name)
            if card and tunnel and _is_in_use(tunnel) and (tunnel.mtu or 0) + overhead > (card.mtu or 0):
                values = {
                    "device": name,
                    "tunnel_mtu": str(tunnel.mtu),
                    "overhead": str(overhead),
                    "card": card.name,
                    "card_mtu": str(card.mtu),
                }
                yield Sighting(line=tunnel.at, node=cluster.names.find_node_or_host(host), values=values)


def find_pod_mtu_over_card(cluster: ClusterFacts) -> Iterator[Sighting]:
    """Pods may send larger packets than the card takes, and there is no tunnel that would have its say before."""
    for host, devices in _collect_devices(cluster).items():
        card = _find_card(host, devices, cluster)
        pods = [device for name, device in devices.items() if name.startswith("cali") and device.mtu]
        if card and pods and not _find_smallest_tunnel(devices) and (pods[0].mtu or 0) > (card.mtu or 0):
            values = {"pod_mtu": str(pods[0].mtu), "card": card.name, "card_mtu": str(card.mtu)}
            yield Sighting(line=pods[0].at, node=cluster.names.find_node_or_host(host), values=values)


def find_pod_mtu_over_path(cluster: ClusterFacts) -> Iterator[Sighting]:
    """Pods may send packets that are larger than the card on their way takes, whatever the tunnel adds to them.

    Where only the tunnel's part is missing, the host tells the pods to send less: that is a hint (pod-mtu-over-tunnel).
    """
    for host, devices in _collect_devices(cluster).items():
        pods = max((one for name, one in devices.items() if name.startswith("cali")), key=_measure, default=None)
        paths = (path for route in _collect_ways(cluster).get(host, ()) if (path := _follow(route, devices, cluster)))
        path = min(paths, key=lambda path: path.limit, default=None)
        if pods and path and _measure(pods) > _measure(path.card):
            values = {"pod_mtu": str(pods.mtu), "card": path.card.name, "card_mtu": str(path.card.mtu)}
            values["overhead"] = str(path.overhead)
            yield Sighting(line=pods.at, node=cluster.names.find_node_or_host(host), values=values)


class _Path(Struct, frozen=True):
    """How packets leave for another node: by this card, with this much added to them."""

    card: Interface
    overhead: int

    @property
    def limit(self) -> int:
        return _measure(self.card) - self.overhead


def _follow(route: Route, devices: dict[str, Interface], cluster: ClusterFacts) -> _Path | None:
    """Along a route of Calico's; under a tunnel lies the card beside the next node, else that of the default route."""
    overhead = OVERHEAD.get(route.device or "", 0)
    beside = next((one for one in devices.values() if one.name not in OVERHEAD and _is_beside(one, route.via)), None)
    card = beside or _find_card(route.host, devices, cluster) if overhead else devices.get(route.device or "")
    return _Path(card, overhead) if card and card.mtu else None


def _is_beside(device: Interface, address: str | None) -> bool:
    return any(is_inside(address, network) for one in device.addresses if address and (network := parse_network(one)))


@once
def _collect_ways(cluster: ClusterFacts) -> dict[str | None, list[Route]]:
    """Of each host, the routes to other nodes' pods that Calico made."""
    found: dict[str | None, list[Route]] = defaultdict(list)
    for route in cluster.all(Route):
        if route.via and route.kind == "unicast" and (route.device in OVERHEAD or route.protocol in _CALICOS):
            found[route.host].append(route)
    return found


def _measure(device: Interface) -> int:
    return device.mtu or 0


def find_configured_mtu_over_determined(cluster: ClusterFacts) -> Iterator[Sighting]:
    """Pods are to have an MTU that exceeds what Felix found right by more than any tunnel adds: no card takes that."""
    for determined in {(one.host, one.pod): one for one in cluster.all(DeterminedMtu)}.values():
        for configured in list_configured_mtus(cluster):
            is_other = configured.host and determined.host and configured.host != determined.host
            if not is_other and configured.mtu - determined.mtu > max(OVERHEAD.values()):
                values = {"pod_mtu": str(configured.mtu), "determined": str(determined.mtu)}
                node = cluster.find_node_of_pod(determined.pod) or cluster.names.find_node_or_host(determined.host)
                yield Sighting(line=configured.line, node=node, values=values)
                break


def _find_card(host: str | None, devices: dict[str, Interface], cluster: ClusterFacts) -> Interface | None:
    """The one of the default route, or with the node's own address."""
    return devices.get(_collect_default_devices(cluster).get(host) or "") or _find_addressed_device(devices, cluster)


@once
def _collect_default_devices(cluster: ClusterFacts) -> dict[str | None, str | None]:
    return {route.host: route.device for route in cluster.all(Route) if route.destination == "default"}


def _find_configured_over_tunnel(cluster: ClusterFacts) -> Iterator[Sighting]:
    tunnels = [tunnel for devices in _collect_devices(cluster).values() if (tunnel := _find_smallest_tunnel(devices))]
    for config in cluster.all(CniConfig):
        mtu = config.mtu if config.mtu and config.mtu.isdigit() else None
        if tunnels and mtu and int(mtu) > (tunnels[0].mtu or 0):
            node = cluster.names.find_node_or_host(config.host)
            yield _build_sighting(config, mtu, config.file or "CNI", tunnels[0], node)


def _build_sighting(fact: Interface | CniConfig, mtu: str, where: str, tunnel: Interface, node: str | None) -> Sighting:
    values = {"pod_mtu": mtu, "where": where, "device": tunnel.name, "tunnel_mtu": str(tunnel.mtu)}
    return Sighting(line=fact.at, node=node, values=values)


@once
def _collect_devices(cluster: ClusterFacts) -> dict[str | None, dict[str, Interface]]:
    """The last sighting of each device of each host."""
    found: dict[str | None, dict[str, Interface]] = defaultdict(dict)
    for device in cluster.all(Interface):
        if device.mtu:
            found[device.host][device.name] = device
    return found


def _find_smallest_tunnel(devices: dict[str, Interface]) -> Interface | None:
    tunnels = [device for name, device in devices.items() if name in OVERHEAD and _is_in_use(device)]
    return min(tunnels, key=lambda device: device.mtu or 0, default=None)


def _is_in_use(device: Interface) -> bool:
    """A tunnel device may be there, down and bare, merely because the module is loaded."""
    return bool(device.addresses) or "UP" in device.flags or device.up is True


def _find_addressed_device(devices: dict[str, Interface], cluster: ClusterFacts) -> Interface | None:
    """The device with the node's own address, for want of a default route."""
    for device in devices.values():
        if device.name.startswith(("cali", "kube-ipvs", "lo")) or device.name in OVERHEAD:
            continue
        if any(cluster.names.node(address.split("/")[0]) for address in device.addresses):
            return device
    return None


FULL = 1200
"""Bytes of a ping that is not a small one."""
_SMALL = 56
_LOST = ("timeout", "loss")


# The heads of IP and ICMP before what ping sends.
_PING_HEADS = 28
_LOOKED_FOR = 1200


def find_large_fails_small_passes(cluster: ClusterFacts) -> Iterator[Sighting]:
    """Small packets reach the target, large ones vanish or are turned back."""
    for tests in _group_pings(cluster).values():
        passed = [reach for reach in tests if reach.outcome == "ok"]
        lost = [reach for reach in tests if (reach.size or 0) >= FULL and _does_not_fit(reach, cluster)]
        small = min((reach.size or _SMALL for reach in passed), default=None)
        for reach in lost[:1]:
            if small is not None and small < (reach.size or 0):
                values = {"target": reach.target, "small": str(small), "large": str(reach.size)}
                values |= _tell_what_fits(passed)
                yield Sighting(line=reach.at, node=_find_node(reach, cluster), values=values)


def _tell_what_fits(passed: list[Reach]) -> dict[str, str]:
    """The largest packet that was seen to pass, where somebody looked for it: a plain ping says nothing of that."""
    largest = max((reach.size or 0 for reach in passed), default=0)
    return {"fits": str(largest + _PING_HEADS)} if largest >= _LOOKED_FOR else {}


def find_large_passes(cluster: ClusterFacts) -> Iterator[Sighting]:
    """Full packets reach their targets, and none was lost anywhere.

    Between machines they say nothing of what a tunnel makes of pods' packets, where that is larger still.
    """
    full = [reach for tests in _group_pings(cluster).values() for reach in tests if (reach.size or 0) >= FULL]
    too_large = any(find_tunnel_mtu_over_card(cluster)) or any(find_pod_mtu_over_tunnel(cluster))
    telling = [reach for reach in full if reach.pod or not too_large]
    if telling and all(reach.outcome == "ok" for reach in full):
        values = {"target": telling[0].target, "size": str(telling[0].size)}
        yield Sighting(line=telling[0].at, node=_find_node(telling[0], cluster), values=values)


def _does_not_fit(reach: Reach, cluster: ClusterFacts) -> bool:
    """All of its size were lost, or turned back for a limit that is none of the machine's own devices'."""
    if reach.outcome in _LOST:
        return not reach.arrived
    own = {card.mtu for card in cluster.on(reach.host, Interface)}
    return bool(reach.path_mtu and own and not reach.pod and reach.path_mtu not in own)


@once
def _group_pings(cluster: ClusterFacts) -> dict[tuple[str | None, str | None, str], list[Reach]]:
    found: dict[tuple[str | None, str | None, str], list[Reach]] = defaultdict(list)
    for reach in cluster.all(Reach):
        if reach.protocol == "icmp":
            found[reach.host, reach.pod, reach.target].append(reach)
    return found


def _find_node(reach: Reach, cluster: ClusterFacts) -> str | None:
    return cluster.find_node_of_pod(reach.pod) or cluster.names.find_node_or_host(reach.host)


SIGNS = {
    "pod-mtu-over-tunnel": find_pod_mtu_over_tunnel,
    "tunnel-mtu-over-card": find_tunnel_mtu_over_card,
    "pod-mtu-over-card": find_pod_mtu_over_card,
    "pod-mtu-over-path": find_pod_mtu_over_path,
    "configured-mtu-over-determined": find_configured_mtu_over_determined,
    "large-fails-small-passes": find_large_fails_small_passes,
    "large-passes": find_large_passes,
}

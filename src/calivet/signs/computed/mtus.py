"""Signs in MTU values: pods against their tunnel, the tunnel against the card below it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from calivet.facts.calico import CniConfig
from calivet.facts.host import Interface, Route
from calivet.facts.picture import Picture, once
from calivet.signs.sighting import Sighting

# Bytes that each tunnel adds to a packet.
OVERHEAD = {"tunl0": 20, "vxlan.calico": 50, "vxlan-v6.calico": 70, "wireguard.cali": 60, "wg-v6.cali": 80}


def pod_mtu_over_tunnel(picture: Picture) -> Iterator[Sighting]:
    """Pods may send larger packets than their tunnel takes."""
    for host, devices in _hosts(picture).items():
        tunnel = _smallest_tunnel(devices)
        pods = [device for name, device in devices.items() if name.startswith("cali") and device.mtu]
        if tunnel and pods and (pods[0].mtu or 0) > (tunnel.mtu or 0):
            yield _sighting(pods[0], str(pods[0].mtu), pods[0].name, tunnel, picture.names.node(host) or host)
    yield from _configured_over_tunnel(picture)


def tunnel_mtu_over_card(picture: Picture) -> Iterator[Sighting]:
    """A tunnel whose packets, with what it adds, are larger than the card takes."""
    defaults = {route.host: route.device for route in picture.all(Route) if route.destination == "default"}
    for host, devices in _hosts(picture).items():
        card = devices.get(defaults.get(host) or "") or _addressed(devices, picture)
        for name, overhead in OVERHEAD.items():
            tunnel = devices.get(name)
            if card and tunnel and _in_use(tunnel) and (tunnel.mtu or 0) + overhead > (card.mtu or 0):
                values = {
                    "device": name,
                    "tunnel_mtu": str(tunnel.mtu),
                    "overhead": str(overhead),
                    "card": card.name,
                    "card_mtu": str(card.mtu),
                }
                yield Sighting(line=tunnel.at, node=picture.names.node(host) or host, values=values)


def _configured_over_tunnel(picture: Picture) -> Iterator[Sighting]:
    tunnels = [tunnel for devices in _hosts(picture).values() if (tunnel := _smallest_tunnel(devices))]
    for config in picture.all(CniConfig):
        mtu = config.mtu if config.mtu and config.mtu.isdigit() else None
        if tunnels and mtu and int(mtu) > (tunnels[0].mtu or 0):
            node = picture.names.node(config.host) or config.host
            yield _sighting(config, mtu, config.file or "CNI", tunnels[0], node)


def _sighting(fact: Interface | CniConfig, mtu: str, where: str, tunnel: Interface, node: str | None) -> Sighting:
    values = {"pod_mtu": mtu, "where": where, "device": tunnel.name, "tunnel_mtu": str(tunnel.mtu)}
    return Sighting(line=fact.at, node=node, values=values)


@once
def _hosts(picture: Picture) -> dict[str | None, dict[str, Interface]]:
    """The last sighting of each device of each host."""
    found: dict[str | None, dict[str, Interface]] = defaultdict(dict)
    for device in picture.all(Interface):
        if device.mtu:
            found[device.host][device.name] = device
    return found


def _smallest_tunnel(devices: dict[str, Interface]) -> Interface | None:
    tunnels = [device for name, device in devices.items() if name in OVERHEAD and _in_use(device)]
    return min(tunnels, key=lambda device: device.mtu or 0, default=None)


def _in_use(device: Interface) -> bool:
    """A tunnel device may be there, down and bare, merely because the module is loaded."""
    return bool(device.addresses) or "UP" in device.flags or device.up is True


def _addressed(devices: dict[str, Interface], picture: Picture) -> Interface | None:
    """The device with the node's own address, for want of a default route."""
    for device in devices.values():
        if device.name.startswith(("cali", "kube-ipvs", "lo")) or device.name in OVERHEAD:
            continue
        if any(picture.names.node(address.split("/")[0]) for address in device.addresses):
            return device
    return None


SIGNS = {"pod-mtu-over-tunnel": pod_mtu_over_tunnel, "tunnel-mtu-over-card": tunnel_mtu_over_card}

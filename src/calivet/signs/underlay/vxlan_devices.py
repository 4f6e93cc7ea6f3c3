"""Signs of something else that has the port or the network id of Calico's VXLAN device."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from calivet.facts.cluster_facts import ClusterFacts, once
from calivet.facts.host import Socket, VxlanDevice
from calivet.facts.kubernetes import Object
from calivet.signs.sighting import Sighting

_OWN = ("vxlan.calico", "vxlan-v6.calico")


class _Wanted(Struct, frozen=True):
    """What Calico's device is to have."""

    port: int = 4789
    vni: int = 4096
    external: bool = False
    """It takes packets of every network id, as in eBPF mode, and suffers no other device on its port."""


def find_other_vxlan_device_alike(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A device that is not Calico's has its port, and its network id or all of them."""
    wanted = _find_wanted(cluster)
    for device in cluster.all(VxlanDevice):
        alike = device.port == wanted.port and (wanted.external or device.external or device.vni == wanted.vni)
        if alike and device.name not in _OWN and not _is_own_made(cluster, device):
            values = {"device": device.name, "port": str(device.port), "vni": str(device.vni)}
            yield Sighting(line=device.at, node=cluster.names.find_node_or_host(device.host), values=values)


def _is_own_made(cluster: ClusterFacts, other: VxlanDevice) -> bool:
    """Whether Calico's device is there with the same id beside the other: then the kernel took both."""
    return any(
        device.name in _OWN and not device.external and (device.port, device.vni) == (other.port, other.vni)
        for device in cluster.on(other.host, VxlanDevice)
    )


def find_vxlan_port_held(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A program has the port open; the kernel's own socket for a device names none."""
    wanted = _find_wanted(cluster)
    for socket in cluster.all(Socket):
        if socket.protocol.startswith("udp") and socket.port == wanted.port and socket.process:
            values = {"holder": socket.process, "port": str(socket.port)}
            yield Sighting(line=socket.at, node=cluster.names.find_node_or_host(socket.host), values=values)


@once
def _find_wanted(cluster: ClusterFacts) -> _Wanted:
    """As configured; else as Calico's own device has it; else the default."""
    own = next((device for device in cluster.all(VxlanDevice) if device.name in _OWN), None)
    port, vni = (own.port, own.vni) if own else (_Wanted().port, _Wanted().vni)
    for thing in cluster.all(Object):
        if thing.kind == "FelixConfiguration":
            port = _read_number(thing, "spec.vxlanPort") or port
            vni = _read_number(thing, "spec.vxlanVNI") or vni
    return _Wanted(port=port, vni=vni, external=own is not None and own.external)


def _read_number(thing: Object, path: str) -> int | None:
    value = thing.values.get(path)
    return value if isinstance(value, int) else None


SIGNS = {
    "other-vxlan-device-alike": find_other_vxlan_device_alike,
    "vxlan-port-held": find_vxlan_port_held,
}

"""Something else with the port or the network id of vxlan.calico."""

from __future__ import annotations

from calivet.facts.host import Socket, VxlanDevice
from calivet.readers.network.interfaces import VXLAN_READER
from calivet.signs.underlay.vxlan_devices import SIGNS
from tests.readers.host_reading import facts_of
from tests.signs.made_pictures import line, picture, thing

DETAILS = """
9: flannel.4096: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1450 qdisc noqueue state UNKNOWN mode DEFAULT group default
    link/ether 0e:2a:aa:b1:c0:01 brd ff:ff:ff:ff:ff:ff promiscuity 0 minmtu 68 maxmtu 65535
    vxlan id 4096 local 10.9.14.8 dev eth0 srcport 0 0 dstport 4789 nolearning ttl auto ageing 300
14: cilium_vxlan: <BROADCAST,MULTICAST> mtu 1450 qdisc noop state DOWN mode DEFAULT group default qlen 1000
    link/ether 66:0a:11:02:3c:90 brd ff:ff:ff:ff:ff:ff promiscuity 0
    vxlan external id 0 srcport 0 0 dstport 8472 nolearning ttl auto ageing 300 udpcsum
    vxlan id 9 dstport
"""


def device(name, vni=4096, port=4789, **more):
    return VxlanDevice(at=line(), host="yew-8", name=name, vni=vni, port=port, **more)


def seen(*facts, name="other-vxlan-device-alike"):
    return list(SIGNS[name](picture(*facts)))


def test_devices_are_read_with_their_names():
    found = [(one.name, one.vni, one.port, one.external) for one in facts_of(VXLAN_READER, DETAILS)]
    assert found == [("flannel.4096", 4096, 4789, False), ("cilium_vxlan", 0, 8472, True)]
    one_line = (
        "7: vxlan.calico: <BROADCAST> mtu 1450 state UNKNOWN \\    link/ether 66:0a \\    vxlan id 4096 dstport 4789"
    )
    assert not facts_of(VXLAN_READER, one_line.replace("7: ", "x "))


def test_another_device_with_port_and_id():
    (found,) = seen(device("flannel.4096"))
    assert found.values == {"device": "flannel.4096", "port": "4789", "vni": "4096"}
    assert not seen(device("vxlan.calico"))
    assert not seen(device("flannel.1", vni=1, port=8472))
    assert not seen(device("vx-001001", vni=4097)), "two ids share a port"
    assert not seen(device("flannel.4096"), device("vxlan.calico")), "the kernel took both, of two families"


def test_a_device_for_all_ids_suffers_no_other():
    assert seen(device("cilium_vxlan", vni=0, external=True))
    own = device("vxlan.calico", vni=0, external=True)
    assert seen(own, device("vx-001001", vni=4097))


def test_calico_may_be_told_another_port():
    settings = thing("FelixConfiguration", spec__vxlanPort=4790)
    assert not seen(settings, device("flannel.4096"))
    assert seen(settings, device("other0", port=4790))


def test_a_program_holds_the_port():
    held = Socket(at=line(), protocol="udp", address="0.0.0.0", port=4789, state="UNCONN", process="ovs-vswitchd")
    (found,) = seen(held, name="vxlan-port-held")
    assert found.values == {"holder": "ovs-vswitchd", "port": "4789"}
    kernel = Socket(at=line(), protocol="udp", address="0.0.0.0", port=4789, state="UNCONN")
    assert not seen(kernel, name="vxlan-port-held")

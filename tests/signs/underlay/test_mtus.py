"""MTU values that do not fit into each other."""

from __future__ import annotations

from tests.facts.drawing import sightings

LISTING = """
[root@oak-1 ~]# ip addr
1: lo: <LOOPBACK,UP,LOWER_UP> mtu 65536 qdisc noqueue state UNKNOWN group default qlen 1000
    inet 127.0.0.1/8 scope host lo
2: ens3: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu {card} qdisc fq_codel state UP group default qlen 1000
    inet 10.40.0.11/24 brd 10.40.0.255 scope global ens3
7: vxlan.calico: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu {tunnel} qdisc noqueue state UNKNOWN group default
    inet 10.99.4.0/32 scope global vxlan.calico
9: cali0a1b2c3d4e5@if4: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu {pod} qdisc noqueue state UP group default
[root@oak-1 ~]# ip route
default via 10.40.0.1 dev ens3
"""
IDLE_TUNNEL = """
[root@oak-1 ~]# ip link
6: tunl0@NONE: <NOARP> mtu 1440 qdisc noop state DOWN mode DEFAULT group default qlen 1000
9: cali0a1b2c3d4e5@if4: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 qdisc noqueue state UP mode DEFAULT group default
"""


def test_pods_may_send_more_than_the_tunnel_takes():
    (seen,) = sightings("pod-mtu-over-tunnel", LISTING.format(card=1500, tunnel=1450, pod=1500))
    assert seen.node == "oak-1"
    assert seen.values == {
        "pod_mtu": "1500", "where": "cali0a1b2c3d4e5", "device": "vxlan.calico", "tunnel_mtu": "1450"
    }  # fmt: skip


def test_the_tunnel_does_not_fit_the_card():
    (seen,) = sightings("tunnel-mtu-over-card", LISTING.format(card=1450, tunnel=1450, pod=1450))
    assert (seen.values["card"], seen.values["card_mtu"], seen.values["overhead"]) == ("ens3", "1450", "50")


def test_values_that_fit():
    text = LISTING.format(card=1500, tunnel=1450, pod=1450)
    assert sightings("pod-mtu-over-tunnel", text) == []
    assert sightings("tunnel-mtu-over-card", text) == []


def test_a_tunnel_that_is_not_used_limits_nothing():
    assert sightings("pod-mtu-over-tunnel", IDLE_TUNNEL) == []


def without_tunnel(text: str) -> str:
    return "\n".join(line for line in text.splitlines() if "vxlan.calico" not in line)


def test_without_a_tunnel_the_card_is_the_limit():
    (seen,) = sightings("pod-mtu-over-card", without_tunnel(LISTING.format(card=1500, tunnel=0, pod=8900)))
    assert seen.values == {"pod_mtu": "8900", "card": "ens3", "card_mtu": "1500"}
    assert sightings("pod-mtu-over-card", without_tunnel(LISTING.format(card=1500, tunnel=0, pod=1500))) == []
    assert sightings("pod-mtu-over-card", LISTING.format(card=1500, tunnel=1450, pod=8900)) == []

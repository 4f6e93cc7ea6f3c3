"""How large a packet may be on its way."""

from __future__ import annotations

import pytest

from tests.facts.drawing import sightings

SIZED = """
[root@fir-1 ~]# ping -c 4 -M do -s {size} 10.88.9.9
PING 10.88.9.9 (10.88.9.9) {size}({whole}) bytes of data.
{said}
--- 10.88.9.9 ping statistics ---
4 packets transmitted, {received} received, {lost}% packet loss, time 3001ms
"""
CARDS = """
[root@fir-1 ~]# ip addr
2: eth0: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 qdisc fq_codel state UP group default qlen 1000
    inet 10.5.0.11/24 brd 10.5.0.255 scope global eth0
3: tunl0@NONE: <NOARP,UP,LOWER_UP> mtu {tunnel} qdisc noqueue state UNKNOWN group default qlen 1000
    inet 10.88.1.0/32 scope global tunl0
[root@fir-1 ~]# ip route
default via 10.5.0.1 dev eth0
"""
TOO_LONG = "ping: local error: message too long, mtu={}"


def sized(size: int, *, received: int = 0, said: str = "") -> str:
    reply = f"{size + 8} bytes from 10.88.9.9: icmp_seq=1 ttl=62 time=0.4 ms\n" if received else said
    return SIZED.format(size=size, whole=size + 28, said=reply, received=received, lost=100 - 25 * received)


def narrow(text: str) -> list[dict[str, str]]:
    return [seen.values for seen in sightings("large-fails-small-passes", text)]


def test_small_passes_and_large_does_not():
    assert narrow(sized(1300, received=4) + sized(1430)) == [
        {"target": "10.88.9.9", "small": "1300", "large": "1430", "fits": "1328"}
    ]


def test_nothing_passes():
    assert narrow(sized(1300) + sized(1430)) == []


@pytest.mark.parametrize("received", [1, 3])
def test_where_some_of_the_large_ones_arrive_they_fit(received):
    assert narrow(sized(56, received=4) + sized(1472, received=received)) == []


@pytest.mark.parametrize(
    "said", [TOO_LONG.format(1400), "From 10.5.0.1 icmp_seq=1 Frag needed and DF set (mtu = 1400)"]
)
def test_turned_back_for_a_limit_on_the_way(said):
    text = CARDS.format(tunnel=1480) + sized(56, received=4) + sized(1472, said=said)
    assert [values["large"] for values in narrow(text)] == ["1472"]


@pytest.mark.parametrize("limit", [1480, 1500])
def test_turned_back_by_a_device_of_its_own(limit):
    assert narrow(CARDS.format(tunnel=1480) + sized(56, received=4) + sized(1473, said=TOO_LONG.format(limit))) == []


def test_of_a_machine_whose_devices_nobody_saw_the_limit_may_be_its_own():
    assert narrow(sized(56, received=4) + sized(1472, said=TOO_LONG.format(1400))) == []


def test_large_passes():
    (seen,) = sightings("large-passes", sized(1430, received=4))
    assert seen.values == {"target": "10.88.9.9", "size": "1430"}
    assert sightings("large-passes", sized(1430, received=4) + sized(1450)) == []


def test_between_machines_large_packets_say_nothing_of_what_a_tunnel_makes_of_pods_packets():
    assert sightings("large-passes", CARDS.format(tunnel=1500) + sized(1472, received=4)) == []
    assert sightings("large-passes", CARDS.format(tunnel=1480) + sized(1472, received=4))

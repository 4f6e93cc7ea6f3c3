"""Cards as the tools of a host list them: their order, their addresses, and whether all of them are there."""

from __future__ import annotations

import pytest

from calivet.forecast.autodetection import detect_address
from calivet.forecast.cards import find_listing
from calivet.forecast.nodes import collect_host
from tests.facts.drawing import picture_of

IP_ADDR = """
    [root@heron-1 ~]# ip addr
    1: lo: <LOOPBACK,UP,LOWER_UP> mtu 65536 qdisc noqueue state UNKNOWN group default qlen 1000
        link/loopback 00:00:00:00:00:00 brd 00:00:00:00:00:00
        inet 127.0.0.1/8 scope host lo
           valid_lft forever preferred_lft forever
        inet6 ::1/128 scope host
           valid_lft forever preferred_lft forever
    2: eth0: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 qdisc mq state UP group default qlen 1000
        link/ether 52:54:00:6b:10:01 brd ff:ff:ff:ff:ff:ff
        inet 10.44.0.11/23 brd 10.44.1.255 scope global eth0
           valid_lft forever preferred_lft forever
        inet 10.44.0.250/32 scope global eth0
           valid_lft forever preferred_lft forever
        inet6 fe80::5054:ff:fe6b:1001/64 scope link
           valid_lft forever preferred_lft forever
    3: eth1: <BROADCAST,MULTICAST> mtu 9000 qdisc mq state DOWN group default qlen 1000
        link/ether 52:54:00:6b:10:02 brd ff:ff:ff:ff:ff:ff
        inet 172.29.7.11/24 scope global eth1
           valid_lft forever preferred_lft forever
    7: tun0: <POINTOPOINT,MULTICAST,NOARP,UP,LOWER_UP> mtu 1500 qdisc fq state UNKNOWN group default qlen 500
        inet 10.8.0.6 peer 10.8.0.5/32 scope global tun0
           valid_lft forever preferred_lft forever
"""
JSON = """
    [root@heron-1 ~]# ip -j addr
    [{"ifindex":1,"ifname":"lo","flags":["LOOPBACK","UP"],"mtu":65536,"operstate":"UNKNOWN","addr_info":[{"family":"inet","local":"127.0.0.1","prefixlen":8}]},{"ifindex":2,"ifname":"eth0","flags":["UP"],"mtu":1500,"operstate":"UP","addr_info":[{"family":"inet","local":"10.44.0.11","prefixlen":23}]},{"ifindex":3,"ifname":"eth1","flags":[],"mtu":9000,"operstate":"DOWN","addr_info":[{"family":"inet","local":"172.29.7.11","prefixlen":24}]}]
"""
BRIEF = """
    [root@heron-1 ~]# ip -br -4 addr
    lo               UNKNOWN        127.0.0.1/8
    eth0             UP             10.44.0.11/23 10.44.0.250/32
    eth1             DOWN           172.29.7.11/24
"""
IFCONFIG = """
    [root@heron-1 ~]# ifconfig -a
    eth0: flags=4163<UP,BROADCAST,RUNNING,MULTICAST>  mtu 1500
            inet 10.44.0.11  netmask 255.255.254.0  broadcast 10.44.1.255
            ether 52:54:00:6b:10:01  txqueuelen 1000  (Ethernet)

    eth0:1: flags=4163<UP,BROADCAST,RUNNING,MULTICAST>  mtu 1500
            inet 10.44.0.250  netmask 255.255.255.255  broadcast 0.0.0.0
            ether 52:54:00:6b:10:01  txqueuelen 1000  (Ethernet)

    eth1: flags=4099<UP,BROADCAST,MULTICAST>  mtu 9000
            inet 172.29.7.11  netmask 255.255.255.0  broadcast 172.29.7.255
            ether 52:54:00:6b:10:02  txqueuelen 1000  (Ethernet)

    lo: flags=73<UP,LOOPBACK,RUNNING>  mtu 65536
            inet 127.0.0.1  netmask 255.0.0.0
            loop  txqueuelen 1000  (Local Loopback)
"""
NODES = """
    [root@heron-1 ~]# kubectl get nodes -o wide
    NAME      STATUS   ROLES    AGE   VERSION   INTERNAL-IP   EXTERNAL-IP   OS-IMAGE   KERNEL-VERSION   CONTAINER-RUNTIME
    heron-1   Ready    <none>   9d    v1.30.1   10.44.0.11    <none>        Debian 12  6.1.0-18-amd64   containerd://1.7.2
"""


def seen(text, family=4, node="heron-1"):
    found = find_listing(picture_of(text), node, family)
    assert found is not None
    return found


def written(found):
    return [(card.name, [str(own) for own in card.addresses]) for card in found.cards]


@pytest.mark.parametrize(("text", "ordered"), [(IP_ADDR, True), (JSON, True), (BRIEF, True), (IFCONFIG, False)])
def test_every_tool_shows_the_cards_and_ifconfig_sorts_them(text, ordered):
    found = seen(text)
    assert found.whole
    assert found.ordered is ordered
    cards = dict(written(found))
    assert cards["eth0"][0] == "10.44.0.11/23"
    assert cards["eth1"] == ["172.29.7.11/24"]


def test_order_addresses_and_sizes_are_the_kernels():
    found = seen(IP_ADDR)
    assert [card.name for card in found.cards] == ["lo", "eth0", "eth1", "tun0"]
    assert written(found)[1] == ("eth0", ["10.44.0.11/23", "10.44.0.250/32", "fe80::5054:ff:fe6b:1001/64"])
    assert written(found)[3] == ("tun0", ["10.8.0.6/32"])
    assert found.cards[2].mtu == 9000


def test_an_alias_of_ifconfig_is_an_address_of_its_card():
    assert dict(written(seen(IFCONFIG)))["eth0"] == ["10.44.0.11/23", "10.44.0.250/32"]


def test_a_card_that_is_down_is_taken_all_the_same():
    picture = picture_of(NODES + BRIEF)
    assert detect_address(collect_host(picture, "heron-1", 4), "first-found").address == "172.29.7.11/24"


@pytest.mark.parametrize(
    "command",
    ["ip addr show eth0", "ip addr | grep inet", "ip -4 addr show dev eth0", "ip a | grep -A3 -E 'lo|eth0'"],
)
def test_part_of_a_listing_is_known_to_be_one(command):
    text = f"""
        [root@heron-1 ~]# {command}
        2: eth0: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 qdisc mq state UP group default qlen 1000
            inet 10.44.0.11/23 brd 10.44.1.255 scope global eth0
    """
    assert not seen(text).whole


def test_scraps_are_put_together():
    text = """
        [root@heron-1 ~]# ip addr show eth1
        3: eth1: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 qdisc mq state UP group default qlen 1000
            inet 172.29.7.11/24 scope global eth1
        [root@heron-1 ~]# ip addr show eth0
        2: eth0: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 qdisc mq state UP group default qlen 1000
            inet 10.44.0.11/23 brd 10.44.1.255 scope global eth0
    """
    assert dict(written(seen(text))) == {"eth1": ["172.29.7.11/24"], "eth0": ["10.44.0.11/23"]}


def test_the_last_whole_listing_counts():
    assert [card.name for card in seen(IP_ADDR + BRIEF).cards] == ["lo", "eth0", "eth1"]


def test_a_listing_of_one_family_says_nothing_of_the_other():
    assert find_listing(picture_of(BRIEF), "heron-1", 6) is None


def test_what_calico_stored_was_on_a_card():
    text = """
        [root@desk ~]# kubectl get node heron-4 -o yaml
        apiVersion: v1
        kind: Node
        metadata:
          annotations:
            projectcalico.org/IPv4Address: 10.44.0.14/23
          name: heron-4
        status:
          addresses:
          - address: 10.44.0.14
            type: InternalIP
    """
    found = seen(text, node="heron-4")
    assert not found.whole
    assert written(found) == [("", ["10.44.0.14/23"])]
    here = collect_host(picture_of(text), "heron-4", 4)
    assert detect_address(here, "kubernetes-internal-ip").address == "10.44.0.14/23"
    assert detect_address(here, "first-found").why == "not-all-listed"


def test_the_network_of_a_pod_is_not_that_of_its_host():
    text = """
        [root@heron-1 ~]# kubectl exec -n shop web-0 -- ip addr
        1: lo: <LOOPBACK,UP,LOWER_UP> mtu 65536 qdisc noqueue state UNKNOWN
            inet 127.0.0.1/8 scope host lo
        4: eth0@if19: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1450 qdisc noqueue state UP
            inet 10.200.7.3/32 scope global eth0
    """
    assert find_listing(picture_of(text), "heron-1", 4) is None


def test_of_a_host_that_was_never_listed_nothing_is_known():
    assert find_listing(picture_of(NODES), "heron-1", 4) is None

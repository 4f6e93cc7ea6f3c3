"""Packets that a node throws away on arrival."""

from __future__ import annotations

import pytest

from calivet.facts.calico import NodeAddress
from calivet.facts.fact import Reach
from calivet.facts.host import Interface, KernelCounter, Packet, Sysctl
from calivet.signs.felix.rejected_packets import SIGNS
from tests.facts.drawing import sightings
from tests.signs.made_pictures import line, picture

LISTED = """
[root@sill-3 ~]# iptables -nvL cali-INPUT
Chain cali-INPUT (1 references)
 pkts bytes target     prot opt in     out     source               destination
{count} 86688 DROP       4    --  *      *       0.0.0.0/0            0.0.0.0/0            /* cali:_wjq-Yrma8Ly1Svo */ /* Drop IPIP packets from non-Calico hosts */
"""
SAVED = """
[root@sill-3 ~]# iptables-save -c
*filter
[{count}:612990] -A cali-INPUT -p udp -m comment --comment "cali:JXrbdHAYwBMZ4sWA" -m comment --comment "Drop IPv4 VXLAN packets from non-allowed hosts" -m multiport --dports 4789 -m addrtype --dst-type LOCAL -j DROP
COMMIT
"""
RAW = """
[root@sill-3 ~]# iptables -t raw -nvL cali-PREROUTING
Chain cali-PREROUTING (1 references)
 pkts bytes target     prot opt in     out     source               destination
 {count} 514K DROP       all  --  *      *       0.0.0.0/0            0.0.0.0/0            /* cali:PWuxTAIaFCtsg5Qa */ mark match 0x40000/0x40000 rpfilter validmark invert
"""
LOST = """
[root@sill-3 ~]# ping -c 2 10.12.9.7
2 packets transmitted, 0 received, 100% packet loss, time 1001ms
"""


def seen(name, *facts):
    return list(SIGNS[name](picture(*facts)))


@pytest.mark.parametrize("table", [LISTED, SAVED])
def test_tunnels_of_strangers(table):
    (found,) = sightings("tunnel-packets-rejected", table.format(count=" 1032" if table is LISTED else "1032"))
    assert found.values == {"packets": "1032"}
    assert not sightings("tunnel-packets-rejected", table.format(count="    0" if table is LISTED else "0"))
    assert not sightings("reverse-path-rule-drops", table.format(count="1032"))


def test_they_prove_it_only_beside_lost_traffic():
    table = LISTED.format(count=" 1032")
    assert sightings("tunnel-packets-rejected-and-traffic-lost", table + LOST)
    assert not sightings("tunnel-packets-rejected-and-traffic-lost", table)


CAUGHT = """
[root@sill-3 ~]# tcpdump -ni ens224 ip proto 4 -c1
12:10:31.118223 IP {source} > 10.2.0.3: IP 10.12.10.7 > 10.12.9.7: ICMP echo request, id 7, seq 1, length 64 (ipip-proto-4)
$ kubectl get nodes -o wide
NAME     STATUS   ROLES    AGE   VERSION   INTERNAL-IP   EXTERNAL-IP   OS-IMAGE   KERNEL-VERSION   CONTAINER-RUNTIME
sill-3   Ready    <none>   9d    v1.29.4   10.1.0.3      <none>        Debian     6.1.0            containerd://1.7.2
sill-4   Ready    <none>   9d    v1.29.4   10.1.0.4      <none>        Debian     6.1.0            containerd://1.7.2
"""


@pytest.mark.parametrize(("source", "strange"), [("10.2.0.4", True), ("10.1.0.4", False)])
def test_or_beside_a_strangers_packet_on_its_way_in(source, strange):
    table = LISTED.format(count=" 1032") + CAUGHT.format(source=source)
    assert bool(sightings("tunnel-packets-rejected-and-traffic-lost", table)) is strange


def test_a_tunnel_from_an_address_that_is_no_nodes():
    nodes = [NodeAddress(at=line(), node=f"sill-{n}", address=f"10.1.0.{n}/24", source="annotation") for n in (3, 4)]

    def packet(source, tunnel="IP-in-IP"):
        return Packet(at=line(), capture=line(), source=source, target="10.1.0.3", tunnel=tunnel)

    (found,) = seen("tunnel-source-unknown", *nodes, packet("172.16.0.4"))
    assert (found.node, found.values["source"]) == ("sill-3", "172.16.0.4")
    assert not seen("tunnel-source-unknown", *nodes, packet("10.1.0.4"))
    assert not seen("tunnel-source-unknown", *nodes, packet("172.16.0.4", tunnel=None))
    assert not seen("tunnel-source-unknown", nodes[0], packet("172.16.0.4")), "the other nodes are not known"


def test_felix_checks_the_way_back_of_pods():
    (found,) = sightings("reverse-path-rule-drops", RAW.format(count="6120"))
    assert found.values == {"packets": "6120"}
    assert not sightings("reverse-path-rule-drops", RAW.format(count="   0"))
    assert sightings("reverse-path-rule-drops-and-traffic-lost", RAW.format(count="6120") + LOST)
    assert not sightings("reverse-path-rule-drops-and-traffic-lost", RAW.format(count="6120"))


def test_the_kernel_counts_and_filters_strictly():
    cards = [
        Interface(at=line(), host="sill-3", name="eth0", addresses=("10.1.0.3/24",)),
        Interface(at=line(), host="sill-3", name="eth1", addresses=("192.0.2.3/24",)),
    ]
    strict = Sysctl(at=line(), host="sill-3", key="net.ipv4.conf.eth1.rp_filter", value="1")
    loose = Sysctl(at=line(), host="sill-3", key="net.ipv4.conf.eth1.rp_filter", value="2")
    counter = KernelCounter(at=line(), host="sill-3", name="IPReversePathFilter", value=88)
    lost = Reach(at=line(), target="192.0.2.3", port=30080, protocol="http", outcome="timeout")
    proof = "reverse-path-counter-and-traffic-lost"
    assert seen(proof, *cards, strict, counter, lost)
    assert not seen(proof, *cards, strict, counter), "such packets come to every machine with two cards"
    assert not seen(proof, *cards, loose, counter, lost)
    assert not seen(proof, cards[0], strict, counter, lost), "one card has one way back"
    assert seen("reverse-path-counter", counter)
    other = KernelCounter(at=line(), host="sill-3", name="TCPMD5Failure", value=88)
    assert not seen("reverse-path-counter", other)
    assert seen("filter-not-strict", loose)
    assert not seen("filter-not-strict", loose, strict)


def test_ends_of_pods_and_tunnels_are_no_cards():
    strict = Sysctl(at=line(), host="sill-3", key="net.ipv4.conf.all.rp_filter", value="1")
    cards = [
        Interface(at=line(), host="sill-3", name=name, addresses=("10.1.0.3/24",))
        for name in ("eth0", "vxlan.calico", "cali0a1b", "docker0", "lo")
    ]
    assert not seen("strict-filter-on-several-cards", *cards, strict)

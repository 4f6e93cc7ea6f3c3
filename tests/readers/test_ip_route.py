from __future__ import annotations

import pytest

from calivet.readers.network.ip_route import ROUTES_READER
from tests.readers.host_reading import facts_of, reading_of


def test_ip_route():
    text = """
    default via 10.61.4.1 dev ens7 proto dhcp src 10.61.4.12 metric 100
    10.61.4.0/22 dev ens7 proto kernel scope link src 10.61.4.12
    blackhole 10.90.12.0/26 proto bird
    10.90.12.3 dev cali12ab34cd56e scope link
    10.90.77.64/26 via 10.61.4.13 dev tunl0 proto bird onlink
    10.90.80.0/26 via 10.90.80.0 dev vxlan.calico onlink
    10.90.81.0/26 via 10.61.4.14 dev ens7 proto 80 onlink
    unreachable default dev lo metric 4294967295 error -101
    fd00:90::/122 via fe80::1 dev ens7 proto bird metric 1024 pref medium
    """
    routes = facts_of(ROUTES_READER, text, "ip route", "fig-2")
    assert [(one.destination, one.kind) for one in routes[:4]] == [
        ("default", "unicast"),
        ("10.61.4.0/22", "unicast"),
        ("10.90.12.0/26", "blackhole"),
        ("10.90.12.3", "unicast"),
    ]
    default, *_, tunnel, vxlan, felix, unreachable, six = routes
    assert (default.via, default.device, default.source, default.host) == ("10.61.4.1", "ens7", "10.61.4.12", "fig-2")
    assert (tunnel.via, tunnel.device, tunnel.protocol) == ("10.61.4.13", "tunl0", "bird")
    assert (vxlan.device, felix.protocol, unreachable.kind) == ("vxlan.calico", "80", "unreachable")
    assert (six.destination, six.via) == ("fd00:90::/122", "fe80::1")


def test_several_next_hops_are_several_routes():
    text = """
    default proto static metric 100
    \tnexthop via 10.61.4.1 dev ens7 weight 1
    \tnexthop via 10.62.4.1 dev ens8 weight 1
    """
    assert [(one.via, one.device, one.protocol) for one in facts_of(ROUTES_READER, text)] == [
        ("10.61.4.1", "ens7", "static"),
        ("10.62.4.1", "ens8", "static"),
    ]


@pytest.mark.parametrize("command", ["ip route get 10.90.77.70", None])
def test_a_look_up_is_no_line_of_the_table(command: str | None):
    text = "10.90.77.70 via 10.61.4.13 dev tunl0 src 10.90.12.0 uid 0\n    cache"
    (route,) = facts_of(ROUTES_READER, text, command, "fig-2" if command else None)
    assert (route.kind, route.device, route.source) == ("lookup", "tunl0", "10.90.12.0")


def test_tables_with_masks():
    text = """
    Kernel IP routing table
    Destination     Gateway         Genmask         Flags Metric Ref    Use Iface
    0.0.0.0         10.61.4.1       0.0.0.0         UG    100    0        0 ens7
    10.61.4.0       0.0.0.0         255.255.252.0   U     100    0        0 ens7
    10.90.12.0      0.0.0.0         255.255.255.192 !     0      -        0 -
    10.90.12.3      0.0.0.0         255.255.255.255 UH    0      0        0 cali12ab34cd56e
    """
    default, link, block, pod = facts_of(ROUTES_READER, text, "route -n", "fig-2")
    assert (default.destination, default.via, default.device) == ("default", "10.61.4.1", "ens7")
    assert (link.destination, link.via) == ("10.61.4.0/22", None)
    assert (block.destination, block.kind, block.device) == ("10.90.12.0/26", "blackhole", None)
    assert pod.destination == "10.90.12.3/32"


def test_netstat_s_table():
    (route,) = facts_of(
        ROUTES_READER, "10.90.77.64     10.61.4.13      255.255.255.192 UG        0 0          0 tunl0", "netstat -rn"
    )
    assert (route.destination, route.via, route.device) == ("10.90.77.64/26", "10.61.4.13", "tunl0")


@pytest.mark.parametrize(
    "line",
    [
        "169.254.1.1 dev eth0  FAILED",
        "10.61.4.13 dev ens7 lladdr 52:54:00:aa:bb:02 REACHABLE",
        "66:90:1f:5a:d2:3c dev vxlan.calico dst 10.61.4.13 self permanent",
        "0:\tfrom all lookup local",
        "10.61.4.14 from 10.61.4.14 (10.61.4.14)",
        "10.61.4.13    4 64512   15022   14980      511    0    0 1w3d     2",
        "default      web-0     1/1     Running",
        "local disk is full",
    ],
)
def test_neighbours_rules_and_routers_are_left_alone(line: str):
    assert not reading_of(ROUTES_READER, line).facts


def test_a_pod_s_routes_are_not_the_host_s():
    text = "default via 169.254.1.1 dev eth0\n169.254.1.1 dev eth0 scope link"
    assert {one.host for one in facts_of(ROUTES_READER, text, "kubectl exec web-0 -- ip route", "bastion")} == {None}

from __future__ import annotations

import pytest

from calivet.readers.network.interfaces import IP_ADDR_READER as READER
from tests.readers.host_reading import facts_of, reading_of

LONG = """
1: lo: <LOOPBACK,UP,LOWER_UP> mtu 65536 qdisc noqueue state UNKNOWN group default qlen 1000
    link/loopback 00:00:00:00:00:00 brd 00:00:00:00:00:00
    inet 127.0.0.1/8 scope host lo
       valid_lft forever preferred_lft forever
    inet6 ::1/128 scope host
       valid_lft forever preferred_lft forever
2: ens7: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 9000 qdisc mq state UP group default qlen 1000
    link/ether 52:54:00:aa:bb:01 brd ff:ff:ff:ff:ff:ff
    altname enp0s7
    inet 10.61.4.12/22 brd 10.61.7.255 scope global dynamic noprefixroute ens7
       valid_lft 85213sec preferred_lft 85213sec
    inet 10.61.4.200/32 scope global ens7:vip
       valid_lft forever preferred_lft forever
    inet6 fe80::5054:ff:feaa:bb01/64 scope link
       valid_lft forever preferred_lft forever
3: docker0: <NO-CARRIER,BROADCAST,MULTICAST,UP> mtu 1500 qdisc noqueue state DOWN group default
    link/ether 02:42:11:22:33:44 brd ff:ff:ff:ff:ff:ff
    inet 172.17.0.1/16 brd 172.17.255.255 scope global docker0
       valid_lft forever preferred_lft forever
7: cali12ab34cd56e@if4: <BROADCAST,MULTICAST> mtu 1480 qdisc noop state DOWN group default
    link/ether ee:ee:ee:ee:ee:ee brd ff:ff:ff:ff:ff:ff link-netnsid 0
"""


def test_the_long_form():
    lo, ens7, docker0, cali = facts_of(READER, LONG, "ip a", "fig-2")
    assert (lo.name, lo.addresses, lo.up) == ("lo", ("127.0.0.1/8", "::1/128"), True)
    assert ens7.addresses == ("10.61.4.12/22", "10.61.4.200/32", "fe80::5054:ff:feaa:bb01/64")
    assert (ens7.mtu, ens7.up, ens7.host, ens7.at.number) == (9000, True, "fig-2", 8)
    assert (docker0.up, docker0.addresses) == (False, ("172.17.0.1/16",))
    assert (cali.name, cali.up, cali.flags) == ("cali12ab34cd56e", False, ("BROADCAST", "MULTICAST"))


def test_the_brief_forms():
    text = """
    lo               UNKNOWN        127.0.0.1/8 ::1/128
    bond0.120@bond0  UP             10.61.4.12/22 fe80::1/64
    eth1             DOWN
    """
    lo, bond, eth1 = facts_of(READER, text, "ip -br a", "fig-2")
    assert (bond.name, bond.addresses, bond.up) == ("bond0.120", ("10.61.4.12/22", "fe80::1/64"), True)
    assert (lo.up, eth1.up, eth1.addresses) == (True, False, ())
    (link,) = facts_of(
        READER, "cali12ab34cd56e@if4 DOWN           ee:ee:ee:ee:ee:ee <BROADCAST,MULTICAST>", "ip -br link"
    )
    assert (link.name, link.up, link.flags) == ("cali12ab34cd56e", False, ("BROADCAST", "MULTICAST"))


def test_the_one_line_form():
    text = r"""
    1: lo    inet 127.0.0.1/8 scope host lo\       valid_lft forever preferred_lft forever
    2: ens7    inet 10.61.4.12/22 brd 10.61.7.255 scope global ens7\       valid_lft forever preferred_lft forever
    2: ens7    inet6 fe80::1/64 scope link \       valid_lft forever preferred_lft forever
    """
    assert [(one.name, one.addresses) for one in facts_of(READER, text, "ip -o addr")] == [
        ("lo", ("127.0.0.1/8",)),
        ("ens7", ("10.61.4.12/22", "fe80::1/64")),
    ]


def test_lines_that_were_grepped_out_name_their_interface():
    text = """
        inet 10.61.4.12/22 brd 10.61.7.255 scope global ens7
        inet 10.61.4.63/22 scope global secondary ens7
        inet 172.30.0.5/24 brd 172.30.0.255 scope global ens8
    """
    assert [(one.name, one.addresses) for one in facts_of(READER, text, "ip add | grep 10", "fig-2")] == [
        ("ens7", ("10.61.4.12/22", "10.61.4.63/22")),
        ("ens8", ("172.30.0.5/24",)),
    ]


def test_a_point_to_point_address():
    (tunnel,) = facts_of(READER, "    inet 10.8.0.6 peer 10.8.0.5/32 scope global tun0")
    assert (tunnel.name, tunnel.addresses) == ("tun0", ("10.8.0.6",))


def test_a_device_that_is_not_there():
    (absent,) = facts_of(READER, 'Device "wireguard.cali" does not exist.', "ip link show wireguard.cali", "fig-2")
    assert (absent.name, absent.exists, absent.up, absent.host) == ("wireguard.cali", False, None, "fig-2")


def test_a_pod_s_interfaces_are_not_the_host_s():
    assert {one.host for one in facts_of(READER, LONG, "kubectl exec web-0 -- ip a", "bastion")} == {None}


def test_indented_in_a_note():
    indented = "\n".join(f"    {line}" for line in LONG.strip().split("\n"))
    assert [len(one.addresses) for one in facts_of(READER, "x\n" + indented)] == [2, 3, 1, 0]


@pytest.mark.parametrize(
    "line",
    [
        "coredns UP",
        "web-0 DOWN 3m",
        "        inet 10.61.4.12  netmask 255.255.252.0  broadcast 10.61.7.255",
        "2021-01-01: host: <nothing>",
        "service UP since yesterday",
    ],
)
def test_other_lines_are_left_alone(line: str):
    assert not reading_of(READER, line).facts


def test_hardware_addresses():
    lo, ens7, *_ = facts_of(READER, LONG, "ip a", "fig-2")
    assert (lo.hardware, ens7.hardware) == (None, "52:54:00:aa:bb:01")


def test_a_word_about_an_address_is_no_interface():
    text = """
    4: eth0: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1400 qdisc fq state UP group default qlen 1000
        link/ether 02:fc:00:00:00:01 brd ff:ff:ff:ff:ff:ff
        inet6 fd00::2/64 scope global nodad
           valid_lft forever preferred_lft forever
        inet6 fd00::3/64 scope global temporary dynamic mngtmpaddr
    """
    (eth0,) = facts_of(READER, text)
    assert eth0.addresses == ("fd00::2/64", "fd00::3/64")

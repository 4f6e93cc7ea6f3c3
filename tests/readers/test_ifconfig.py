from __future__ import annotations

from calivet.readers.network.interfaces import IFCONFIG_READER as READER
from tests.readers.host_reading import facts_of


def test_the_new_layout():
    text = """
    ens7: flags=4163<UP,BROADCAST,RUNNING,MULTICAST>  mtu 1450
            inet 10.61.4.12  netmask 255.255.252.0  broadcast 10.61.7.255
            inet6 fe80::1  prefixlen 64  scopeid 0x20<link>
            ether 52:54:00:aa:bb:01  txqueuelen 1000  (Ethernet)
            RX packets 10  bytes 840 (840.0 B)

    tunl0: flags=193<UP,RUNNING,NOARP>  mtu 1440
            inet 10.90.12.0  netmask 255.255.255.255
            tunnel   txqueuelen 1000  (IPIP Tunnel)
    """
    ens7, tunl0 = facts_of(READER, text, "ifconfig", "fig-2")
    assert (ens7.addresses, ens7.mtu, ens7.up) == (("10.61.4.12/22", "fe80::1/64"), 1450, True)
    assert (tunl0.name, tunl0.addresses, tunl0.mtu, tunl0.host) == ("tunl0", ("10.90.12.0/32",), 1440, "fig-2")


def test_the_old_layout():
    text = """
    eth0      Link encap:Ethernet  HWaddr 52:54:00:AA:BB:01
              inet addr:10.61.4.12  Bcast:10.61.4.255  Mask:255.255.255.0
              inet6 addr: fe80::1/64 Scope:Link
              UP BROADCAST RUNNING MULTICAST  MTU:1500  Metric:1
    eth0:1    Link encap:Ethernet  HWaddr 52:54:00:AA:BB:01
              inet addr:10.61.4.63  Bcast:10.61.4.255  Mask:255.255.255.0
    """
    eth0, alias = facts_of(READER, text, "ifconfig -a", "fig-2")
    assert (eth0.addresses, eth0.mtu, eth0.up) == (("10.61.4.12/24", "fe80::1/64"), 1500, True)
    assert (alias.name, alias.addresses, alias.up) == ("eth0:1", ("10.61.4.63/24",), None)


def test_the_old_layout_in_chinese():
    text = """
    eth0      链接封装：以太网  硬件地址 52:54:00:aa:bb:01
              inet 地址:10.61.4.12  广播:10.61.4.255  掩码:255.255.255.0
    """
    (eth0,) = facts_of(READER, text)
    assert eth0.addresses == ("10.61.4.12/24",)


def test_a_mask_in_hexadecimal_and_a_broken_one():
    text = """
    en0: flags=8863<UP,BROADCAST,RUNNING> mtu 1500
    \tinet 10.61.4.12 netmask 0xffffff00 broadcast 10.61.4.255
    en1: flags=8863<BROADCAST> mtu 1500
    \tinet 10.61.5.12 netmask 255.999.0.0
    """
    first, second = facts_of(READER, text)
    assert (first.addresses, second.addresses, second.up) == (("10.61.4.12/24",), ("10.61.5.12",), False)

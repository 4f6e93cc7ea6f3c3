from __future__ import annotations

from calivet.readers.network.sockets import IPVS_READER as READER
from tests.readers.host_reading import facts_of, reading_of


def test_servers_with_and_without_backends():
    text = """
    IP Virtual Server version 1.2.1 (size=4096)
    Prot LocalAddress:Port Scheduler Flags
      -> RemoteAddress:Port           Forward Weight ActiveConn InActConn
    TCP  10.7.0.1:443 rr
      -> 10.61.4.11:6443              Masq    1      3          0
      -> 10.61.4.12:6443              Masq    1      0          0
    TCP  10.7.0.10:53 rr persistent 10800
    UDP  [fd00:7::a]:53 rr
      -> [fd00:90::5]:53              Masq    1      0          0
    """
    api, dns, six = facts_of(READER, text, "ipvsadm -Ln", "fig-2")
    assert (api.address, api.port, api.backends) == ("10.7.0.1", "443", ("10.61.4.11:6443", "10.61.4.12:6443"))
    assert (dns.backends, dns.host) == ((), "fig-2")
    assert (six.address, six.backends) == ("[fd00:7::a]", ("[fd00:90::5]:53",))


def test_names_of_ports_and_a_paste_with_gaps():
    text = """
    TCP  localhost:30080 rr

      -> 10.90.77.70:http-alt      Masq    1      0          0
    TCP  fig-2:https rr
    """
    first, second = facts_of(READER, text)
    assert (first.port, first.backends, second.port) == ("30080", ("10.90.77.70:8080",), "443")


def test_other_lines_are_left_alone():
    assert not reading_of(READER, "TCP  10.7.0.1:443 is closed\n  -> a:b\n-> see notes: 3").facts

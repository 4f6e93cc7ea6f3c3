from __future__ import annotations

import pytest

from calivet.readers.network.sockets import READER
from tests.readers.host_reading import facts_of, reading_of


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (
            'LISTEN 0      8            0.0.0.0:179        0.0.0.0:*    users:(("bird",pid=71,fd=7))',
            ("tcp", "0.0.0.0", 179, "LISTEN", "bird"),
        ),
        ("tcp   LISTEN 0      4096   [::]:10250   [::]:*", ("tcp", "::", 10250, "LISTEN", None)),
        ("udp   UNCONN 0      0      0.0.0.0:4789   0.0.0.0:*", ("udp", "0.0.0.0", 4789, "LISTEN", None)),
        ("LISTEN 0      128          *:bgp              *:*", ("tcp", "0.0.0.0", 179, "LISTEN", None)),
        (
            "tcp        0      0 127.0.0.1:9099          0.0.0.0:*               LISTEN      2211/calico-node",
            ("tcp", "127.0.0.1", 9099, "LISTEN", "calico-node"),
        ),
        (
            "tcp6       0      0 :::6443                 :::*                    LISTEN      -",
            ("tcp", "::", 6443, "LISTEN", None),
        ),
        (
            "udp        0      0 0.0.0.0:4789            0.0.0.0:*                           -",
            ("udp", "0.0.0.0", 4789, "LISTEN", None),
        ),
        (
            "bird      2301 root    7u  IPv4  33112      0t0  TCP *:bgp (LISTEN)",
            ("tcp", "0.0.0.0", 179, "LISTEN", "bird"),
        ),
    ],
)
def test_listeners(line: str, expected: tuple):
    (socket,) = facts_of(READER, line, "ss -lntp", "fig-2")
    assert (socket.protocol, socket.address, socket.port, socket.state, socket.process) == expected
    assert socket.host == "fig-2"


@pytest.mark.parametrize(
    ("line", "state", "peer"),
    [
        ("ESTAB  0  0  10.61.4.12:40112  10.61.4.13:179", "ESTABLISHED", "10.61.4.13:179"),
        ("SYN-SENT 0  1  10.61.4.12:40112  10.61.4.13:bgp", "SYN_SENT", "10.61.4.13:179"),
        ("tcp        0      1 fig-2.example:45095 fig-3.example:bgp SYN_SENT", "SYN_SENT", "fig-3.example:179"),
        (
            "bird 2301 root 9u IPv4 33113 0t0 TCP 10.61.4.12:bgp->10.61.4.13:38217 (ESTABLISHED)",
            "ESTABLISHED",
            "10.61.4.13:38217",
        ),
    ],
)
def test_connections_on_the_ports_that_matter(line: str, state: str, peer: str):
    (socket,) = facts_of(READER, line)
    assert (socket.state, socket.peer) == (state, peer)


def test_other_connections_are_understood_but_not_kept():
    text = "ESTAB  0  0  10.61.4.12:40112  10.61.4.13:5432\nLISTEN 0 8 0.0.0.0:5432 0.0.0.0:*"
    assert [socket.state for socket in facts_of(READER, text)] == ["LISTEN"]
    assert reading_of(READER, text).claimed == {0, 1}


def test_headers_and_other_tables_are_left_alone():
    text = """
    State    Recv-Q   Send-Q     Local Address:Port      Peer Address:Port
    Proto Recv-Q Send-Q Local Address           Foreign Address         State       PID/Program name
    TCP  10.96.0.1:443 rr
    tcp dport 179 accept
    """
    assert not reading_of(READER, text).facts


@pytest.mark.parametrize(
    ("command", "line", "state"),
    [
        (
            "ss -tnpo state syn-sent",
            '0 1 10.61.4.12:51022 10.61.4.13:5473 users:(("calico-node",pid=9,fd=3))',
            "SYN_SENT",
        ),
        ("ss -n state established '( dport = :5473 )'", "tcp 0 0 10.61.4.12:51022 10.61.4.13:5473", "ESTABLISHED"),
        ("ss -tn state listening", "0 4096 *:10250 *:*", "LISTEN"),
    ],
)
def test_one_state_alone_is_not_repeated_in_the_rows(command: str, line: str, state: str):
    (socket,) = facts_of(READER, line, command, "fig-2")
    assert (socket.state, socket.host) == (state, "fig-2")


def test_numbers_and_colons_without_ss_are_no_sockets():
    assert not facts_of(READER, "0 1 10.61.4.12:51022 10.61.4.13:5473", "cat counts.txt")

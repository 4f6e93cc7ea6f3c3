"""What all readers of Calico's and the network's tools promise: no input breaks them, cost follows length."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calivet.evidence.artifact import Artifact
from calivet.readers.read import load_reader
from calivet.readers.reader import Reader

NAMES = [
    "calico.calico_log.LOG_READER",
    "calico.felix.HEALTH_READER",
    "calico.calicoctl.NODE_STATUS_READER",
    "calico.bird.PROTOCOLS_READER",
    "calico.calicoctl.GET_READER",
    "calico.cni.CONFIG_READER",
    "network.interfaces.IP_ADDR_READER",
    "network.interfaces.IFCONFIG_READER",
    "network.ip_route.ROUTES_READER",
    "network.sockets.READER",
    "network.reachability.READER",
    "network.packet_filter.RULES_READER",
    "network.sockets.IPVS_READER",
    "network.hosts_file.READER",
    "network.environment.READER",
]
READERS = [load_reader(name) for name in NAMES]

# Pieces that bring random text near to the formats.
PIECES = st.sampled_from(
    [
        "2024-03-04 10:20:30.100 [INFO][9] felix/x.go 1: ",
        "9999-99-99 99:99:99.999 [PANIC][1] x y: ",
        "Using autodetected IPv4 address on interface ",
        "bird: ",
        "panic: ",
        'time="2021-02-03T04:05:06Z" level=info msg="CNI',
        "Early log level set",
        "| PEER ADDRESS |",
        "| 10.0.0.1 | global | up |",
        "|         COMPONENT         | TIMEOUT |",
        "+----+",
        "|",
        "Mesh_10_0_0_1 BGP master up ",
        "   Neighbor address: ",
        "NAME   CIDR   NAT",
        "NAME ASN IPV4",
        "n1 (64512) 10.0.0.1/24",
        "| GROUPING |",
        '"cniVersion": "0.3.1"',
        '"type": "calico"',
        "{",
        "}",
        '"plugins": [',
        "2: eth0: <UP> mtu 99999999999 state UP",
        "inet 10.0.0.1/24 scope ",
        "inet6 ::1/128 scope link",
        "eth0 UP ",
        "eth0: flags=1<UP>  mtu 1500",
        "eth0 Link encap:",
        "  inet addr:10.0.0.1 Mask:300.0.0.0",
        "default via ",
        "10.0.0.0 0.0.0.0 255.0.0.0 U 0 0 0 eth0",
        "\tnexthop via ",
        "tcp 0 0 0.0.0.0:179 0.0.0.0:* LISTEN 1/bird",
        "ESTAB 0 0 a:99999999 b:*",
        "PING a (10.0.0.1) 56(84) bytes of data.",
        "3 packets transmitted, 0 received, 100% packet loss",
        "ping: ",
        "Trying 10.0.0.1...",
        "Connected to ",
        "curl: (7) ",
        "Connecting to a:1... ",
        "* Connected to a (b) port 9",
        "-A INPUT -j DROP",
        "Chain INPUT (policy DROP 9T packets",
        " 1K 2M DROP all -- ",
        "chain x {",
        "public (active)",
        "Name: x",
        "Type: hash:ip",
        "TCP  10.0.0.1:443 rr",
        "  -> 10.0.0.1:443 Masq",
        "127.0.0.1 localhost",
        "Environment=A=b",
        "FELIX_X=",
        " -e IP=",
        "\\",
        '"',
        "  ",
        "²",
    ]
)
LINES = st.lists(st.lists(PIECES | st.text(max_size=12), max_size=5).map("".join), max_size=12)
COMMANDS = (
    st.none()
    | st.text(max_size=30)
    | st.sampled_from(
        [
            "kubectl exec calico-node-9zxvk -- ",
            "kubectl logs",
            "calicoctl get nodes",
            "curl -w %{http_code} http://[::1]:9/",
            "ping -s 9 a",
            "telnet a 1",
            "nc -u a 1 && echo a || echo b",
            "cat /etc/hosts",
            "env",
            "iptables -nvL cali-x",
            "ip route get 10.0.0.1",
        ]
    )
)


@pytest.mark.parametrize("reader", READERS, ids=NAMES)
@given(lines=LINES, command=COMMANDS)
def test_any_text_is_survived(reader: Reader, lines: list[str], command: str | None):
    if command is not None:
        lines = [f"# {command}", *lines]
    artifact = Artifact(name="n", first=7, lines=lines, host="fig-2", command=command)
    anchors = [index for index, line in enumerate(lines) if reader.anchor.search(line)]
    reading = reader.read(artifact, anchors)
    assert all(0 <= index < len(lines) for index in reading.claimed | reading.unread)
    assert all(7 <= fact.at.number < 7 + len(lines) for fact in reading.facts)


@pytest.mark.parametrize("reader", READERS, ids=NAMES)
@pytest.mark.parametrize(
    "text",
    [
        "-" * 20_000,
        "a " * 10_000,
        "a" * 20_000,
        "1 " * 10_000,
        "1.1.1.1 " * 3_000,
        "a:" * 10_000,
        "| a " * 5_000,
        "| PEER ADDRESS " + "| " * 9_000,
        "_" * 20_000,
        "Mesh_" + "_a" * 9_000 + " BGP x up",
        '"a":' * 5_000,
        '{"cniVersion": ' * 2_000,
        "nc: " + "(" * 9_000,
        " -e A=" * 4_000,
        "PING a (" + "1 " * 9_000,
        "2024-03-04 10:20:30.100 [INFO][9] felix/x.go 1: Health of component changed " + 'name="a" ' * 3_000,
        "2: eth0: <UP> mtu " + "9" * 6_000,
        "3 packets transmitted, 0 received, " + "9" * 6_000 + "% packet loss",
        "-A INPUT " * 3_000,
        "nc " + "-a 1 " * 4_000,
        "time" * 5_000,
        "\t" * 20_000,
    ],
    ids=range(22),
)
def test_long_lines_cost_no_more_than_their_length(reader: Reader, text: str):
    artifact = Artifact(name="n", first=1, lines=[text, text], host=None, command=None)
    # An expression that backtracks would not come back from these.
    reader.anchor.search(text)
    assert reader.read(artifact, [0, 1]) is not None


def test_kinds_are_distinct():
    assert len({reader.kind for reader in READERS}) == len(READERS)

"""The probe's question to other nodes whether full packets arrive: whom it asks, and with how large ones."""

from __future__ import annotations

import re
import shutil

import pytest

from calivet.evidence.artifact import Document
from calivet.evidence.gather import gather_documents
from calivet.pipeline import diagnose
from calivet.signs.sign_detector import prepare_detector
from tests.node.fake_node import FakeNode, obstacle
from tests.node.healthy_node import IP
from tests.node.probe_output import sections

DEVICE = """\
link add {name} mtu {mtu} type veth peer name {name}-b
link set {name}-b up
link set {name} {state}
"""
SENT = re.compile(r"-M do -s (\d+) (\S+) ")
ROUTES = """\
case $* in
'route get 10.20.0.14') echo "$3 dev eth0 src 10.20.0.13 uid 0"; echo '    cache mtu 1400' ;;
'route get 10.20.0.15') echo "$3 dev eth0 src 10.20.0.13 uid 0"; echo '    cache expires 571sec mtu 1400' ;;
'route get 10.20.0.'*) echo "$3 dev eth0 src 10.20.0.13 uid 0"; echo '    cache' ;;
'route get fd00:20::'*) echo "$3 from :: dev eth0 proto kernel src fd00:20::13 metric 256 pref medium" ;;
'route get 10.30.0.'*) echo "$3 via 10.20.0.1 dev eth0 src 10.20.0.13 uid 0"; echo '    cache' ;;
'route get 127.'*) echo "local $3 dev lo src 127.0.0.1 uid 0"; echo '    cache <local>' ;;
esac
"""
# Everybody answers, but 10.20.0.18.
PING = """\
case $* in
-V) echo 'ping from iputils 20221126' ;;
*10.20.0.18) exit 1 ;;
*-M*) echo "PING 10.20.0.11 (10.20.0.11) 1472(1500) bytes of data."
    echo "1480 bytes from 10.20.0.11: icmp_seq=1 ttl=64 time=0.2 ms" ;;
esac"""
BIRD_CONFIG = """\
template bgp bgp_template {
  local as 64512;
}
protocol bgp Mesh_10_20_0_11 from bgp_template {
  neighbor 10.20.0.11 as 64512;
}
protocol bgp Node_10_20_0_12 from bgp_template {
  neighbor 10.20.0.12 port 179 as 64512;
}
protocol bgp Global_10_20_0_1 from bgp_template {
  neighbor 10.20.0.1 as 65001;
}
"""


@pytest.fixture
def node():
    if reason := obstacle():
        pytest.skip(reason)
    with FakeNode() as made:
        made.machine.wire(DEVICE.format(name="eth0", mtu=1500, state="up"))
        made.does("ip", ROUTES + IP)
        made.does("ping", PING)
        yield made


def sent(node: FakeNode, *arguments: str) -> dict[str, int]:
    """The bytes beside the headers, by address."""
    commands = sections(node.probe("--limit", "5", *arguments))
    return {found[2]: int(found[1]) for command in commands if (found := SENT.search(command))}


def peers(*addresses: str) -> list[str]:
    return [word for address in addresses for word in ("--peer", address)]


def test_as_large_as_the_card_takes_but_for_a_limit_that_somebody_set(node):
    assert sent(node, *peers("10.20.0.11", "10.20.0.14", "10.20.0.15", "10.30.0.7", "fd00:20::11", "127.0.0.1")) == {
        "10.20.0.11": 1472,
        "10.20.0.14": 1372,
        "10.20.0.15": 1472,
        "10.30.0.7": 1472,
        "fd00:20::11": 1452,
    }


@pytest.mark.parametrize(("state", "size"), [("up", 1372), ("down", 1472)])
def test_no_larger_than_calicos_own_tunnel_makes_them(node, state, size):
    node.machine.wire(DEVICE.format(name="vxlan.calico", mtu=1350, state=state))
    assert sent(node, *peers("10.20.0.11")) == {"10.20.0.11": size}


def test_nodes_are_known_from_bird_and_from_the_tunnel(node):
    node.machine.write("/etc/calico/confd/config/bird.cfg", BIRD_CONFIG)
    node.prints("bridge", "66:0a:11:22:33:44 dst 10.20.0.16 self permanent")
    assert sent(node).keys() == {"10.20.0.11", "10.20.0.12", "10.20.0.16"}


def test_an_api_server_counts_only_without_a_router_in_between(node):
    assert sent(node, "--api", "10.20.0.11:6443", "--api", "10.30.0.7:6443", "--api", "api.example:443").keys() == {
        "10.20.0.11"
    }


def test_a_handful_is_enough(node):
    assert len(sent(node, *peers(*(f"10.20.0.{number}" for number in range(31, 60))))) == 8


@pytest.mark.parametrize("ping", ["echo BusyBox v1.36.1 >&2; exit 1", "echo 'ping (GNU inetutils) 2.4'"])
def test_a_ping_that_cannot_forbid_fragments_is_not_used(node, ping):
    node.does("ping", ping)
    assert sent(node, *peers("10.20.0.11")) == {}


@pytest.mark.skipif(not shutil.which("busybox"), reason="busybox is not installed (scripts/test-shells says how)")
def test_the_ping_of_busybox_is_not_used(node):
    node.does("ping", 'exec busybox ping "$@"')
    assert sent(node, *peers("10.20.0.11")) == {}


@pytest.mark.parametrize(
    "ping",
    [PING, "[ \"$1\" != -V ] || exec echo 'ping from iputils 20221126'; exit 1"],
    ids=["one is down", "all drop"],
)
def test_silence_is_no_alarm(node, ping):
    node.does("ping", ping)
    stream = node.probe("--limit", "5", *peers("10.20.0.11", "10.20.0.18"))
    diagnosis = diagnose(gather_documents([Document("probes/worker-3.txt", stream.splitlines())]), *prepare_detector())
    assert diagnosis.verdict == "healthy"
    assert not [one for one in diagnosis.candidates if one.cause.id == "mtu-mismatch"]

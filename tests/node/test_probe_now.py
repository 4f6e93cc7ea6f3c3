"""A probe shows the present: what was repaired is no fault, and what hangs now is no health."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import pytest

from tests.node.fake_node import FakeNode, obstacle
from tests.node.healthy_node import ADDRESSES, BIRD, CALICO_LOG, LISTENERS
from tests.node.test_probe_states import answer, causes

CNI_LOG = "/var/log/calico/cni/cni.log"
POD_LOG = "/var/log/pods/kube-system_calico-node-q7w2x_0b1c/calico-node/0.log"
NO_ADDRESS = (
    '[ERROR][{pid}] cni-plugin/ipam_plugin.go 309: Final result of "ipam" error=failed to request IPv4 addresses: '
    "Assigned 0 out of 1 requested IPv4 addresses; No more free affine blocks and strict affinity enabled"
)
ADDED = (
    "[INFO][{pid}] cni-plugin/k8s.go 420: Calico CNI using IPs: [10.244.1.7/32]\n"
    "[INFO][{pid}] cni-plugin/dataplane_linux.go 68: Setting the host side veth name to cali0123456789a"
)
LOCKED = "[WARNING][61] felix/daemon.go 263: Waiting for datastore to be initialized (or migrated)"
READY = (
    "+---------------------------+---------+----------------+-----------------+--------+\n"
    "|         COMPONENT         | TIMEOUT |    LIVENESS    |    READINESS    | DETAIL |\n"
    "+---------------------------+---------+----------------+-----------------+--------+\n"
)
WRONG_CARD = ADDRESSES + (
    "9: eth1: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 qdisc fq_codel state UP group default qlen 1000\n"
    "    inet 192.168.56.13/24 brd 192.168.56.255 scope global eth1\n"
)
CALLING = LISTENERS + 'tcp SYN-SENT 0 1 192.168.56.13:41877 10.20.0.11:179 users:(("bird",pid=1201,fd=9))\n'


@pytest.fixture
def node():
    if reason := obstacle():
        pytest.skip(reason)
    with FakeNode() as made:
        yield made


def moment(**ago: float) -> str:
    return f"{datetime.now(UTC) - timedelta(**ago):%Y-%m-%d %H:%M:%S}.104"


def names(diagnosis) -> set[str]:
    """What was found or may be."""
    return {*causes(diagnosis), *(one.cause.id for one in diagnosis.candidates)}


def curl_says(node: FakeNode, readiness: str, liveness: str = "HTTP/1.1 200 OK\n\n") -> None:
    node.does("curl", f"case $* in */readiness) printf '%s' '{readiness}' ;; *) printf '%s' '{liveness}' ;; esac")


def in_cri_form(lines: list[tuple[str, str]]) -> str:
    return "".join(f"{time.replace(' ', 'T')}512345Z stdout F {time} {text}\n" for time, text in lines)


def test_bird_that_hangs_is_no_health_whatever_an_old_log_says(node):
    node.machine.write(CNI_LOG, "".join(f"{moment(minutes=60 + n)} {ADDED.format(pid=4000 + n)}\n" for n in range(5)))
    node.does("birdcl", "sleep 60")
    diagnosis = answer(node)
    assert causes(diagnosis) == ["bird-not-running"]


def test_bird_that_there_was_no_time_to_ask_is_no_health(node):
    printed = node.probe("--limit", "2")
    assert answer(node, probed=printed).verdict == "healthy"
    asked = re.compile(r"(\]# birdcl -r [^\n]*\n).*?#= exit=0 \S+", re.DOTALL)
    cut, count = asked.subn(r"\1#= skipped the time of the whole run is over", printed)
    assert count
    diagnosis = answer(node, probed=cut)
    assert diagnosis.verdict == "insufficient"
    assert any("no time was left to ask BIRD" in doubt.says.en for doubt in diagnosis.doubts)


def test_felix_that_is_not_ready_is_no_health(node):
    node.machine.write(CNI_LOG, "".join(f"{moment(minutes=60 + n)} {ADDED.format(pid=4000 + n)}\n" for n in range(5)))
    curl_says(node, "HTTP/1.1 503 Service Unavailable\nContent-Length: 0\n\n")
    diagnosis = answer(node)
    assert diagnosis.verdict != "healthy"
    assert any("/readiness with 503" in doubt.says.en for doubt in diagnosis.doubts) or diagnosis.findings


def test_felix_of_which_one_part_alone_reports_is_not_at_work(node):
    """With a locked datastore it says that it is ready, and nothing but its start was ever looked at."""
    row = "| FelixStartup              | -       | reporting live | reporting ready |        |\n"
    curl_says(node, f"HTTP/1.1 200 OK\nContent-Type: text/plain\n\n{READY}{row}")
    assert answer(node).verdict != "healthy"


def test_what_the_plugin_failed_at_an_hour_ago_is_history(node):
    """The pool was full and has been enlarged since."""
    node.machine.write(
        CNI_LOG, "".join(f"{moment(minutes=70 - n)} {NO_ADDRESS.format(pid=4000 + n)}\n" for n in range(9))
    )
    diagnosis = answer(node)
    assert (diagnosis.verdict, causes(diagnosis)) == ("healthy", [])
    assert any("over:" in item.why.en for item in diagnosis.set_aside)


def test_what_the_plugin_fails_at_now_is_a_fault(node):
    """The same lines, a minute ago."""
    node.machine.write(
        CNI_LOG, "".join(f"{moment(seconds=100 - 10 * n)} {NO_ADDRESS.format(pid=4000 + n)}\n" for n in range(9))
    )
    assert answer(node).verdict != "healthy"


def test_what_ceased_a_minute_ago_is_over(node):
    """The datastore was locked, complained of every second, and unlocked."""
    lines = [(moment(seconds=150 - n), LOCKED) for n in range(60)]
    lines += [
        (moment(seconds=80), "[INFO][61] felix/health.go 336: Overall health status changed: live=true ready=true")
    ]
    lines += [
        (moment(seconds=5), "[INFO][61] felix/summary.go 100: Summarising 9 dataplane reconciliation loops over 1m2s")
    ]
    node.machine.write(POD_LOG, CALICO_LOG + in_cri_form(lines))
    diagnosis = answer(node)
    assert (diagnosis.verdict, causes(diagnosis)) == ("healthy", [])


def test_what_is_complained_of_every_second_until_now_is_a_fault(node):
    lines = [(moment(seconds=60 - n), LOCKED) for n in range(60)]
    node.machine.write(POD_LOG, CALICO_LOG + in_cri_form(lines))
    assert causes(answer(node)) == ["datastore-not-ready-flag"]


def test_a_counter_counts_by_what_is_added_to_it(node):
    """Segments were dropped over a password a year ago; one session is down for another reason."""
    down = BIRD.replace("up     09:12:04    Established", "start  09:12:04    Active        Socket: Connection refused")
    down = down.replace("BGP state:          Established", "BGP state:          Active")
    node.prints("birdcl", down)
    node.prints("nstat", "TcpExtTCPMD5NotFound            4711               0.0")
    assert "bgp-password-mismatch" not in names(answer(node))
    node.does("nstat", "echo >>/tmp/looks; printf 'TcpExtTCPMD5NotFound   %s00   0.0\\n' $(wc -l </tmp/looks)")
    assert "bgp-password-mismatch" in names(answer(node))


def test_the_wrong_card_is_not_taken_for_a_closed_port(node):
    """BIRD calls from the card of another network; the test of the same port from the right one succeeds."""
    down = BIRD.replace("up     09:12:04    Established", "start  09:12:04    Connect")
    node.prints("birdcl", down.replace("BGP state:          Established", "BGP state:          Connect"))
    node.prints("ss", CALLING)
    shown = node.machine.file("/opt/bin/ip").read_text().replace(ADDRESSES, WRONG_CARD)
    node.machine.write("/opt/bin/ip", shown)
    node.machine.file("/opt/bin/ip").chmod(0o755)
    documents = node.probe("--limit", "2", "--peer", "10.20.0.11")
    diagnosis = answer(node, probed=documents)
    assert causes(diagnosis)[:1] == ["wrong-ip-autodetected"]
    assert "bgp-port-blocked" not in causes(diagnosis)


def test_a_machine_without_kubelet_is_for_preflight(node):
    for path in ("/var/lib/kubelet", "/var/lib/calico", "/etc/cni", "/etc/kubernetes", "/run/calico", "/var/log/pods"):
        node.machine.run("rm", "-rf", path)
    node.machine.tell("for pid in $(pidof kubelet calico-node bird); do kill -9 $pid; wait $pid; done 2>/dev/null")
    for tool in ("systemctl", "crictl", "birdcl", "ip", "journalctl"):
        node.prints(tool, "")
    diagnosis = answer(node)
    assert diagnosis.findings == []
    assert "calivet preflight" in str(diagnosis.remark)

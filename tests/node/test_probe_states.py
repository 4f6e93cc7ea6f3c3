"""The probe of a node in a known state, and what calivet says to it."""

from __future__ import annotations

import re
import shutil

import pytest

from calivet.evidence.artifact import Document
from calivet.evidence.gather import gather_documents
from calivet.pipeline import diagnose
from calivet.signs.sign_detector import prepare_detector
from tests.node.fake_node import FakeNode, obstacle
from tests.node.healthy_node import BIRD, CONTAINERD_CONFIG, IP, KUBELET_JOURNAL, LISTENERS, RULES, UNITS

SWAPS = "Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n/dev/dm-1                               partition\t4194300\t\t0\t\t-2\n"
SWAP_ON = (
    "2026-11-15T09:20:11+0000 worker-3 kubelet[4711]: E1115 09:20:11.1 4711 run.go:74] "
    '"command failed" err="failed to run Kubelet: running with swap on is not supported, please disable swap"\n'
)
RESTARTING = UNITS.replace("ActiveState=active\nSubState=running", "ActiveState=activating\nSubState=auto-restart", 1)
STALLED = "some avg10=91.20 avg60=88.40 avg300=71.02 total=4711\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=0\n"
NODES = """\
$ kubectl get nodes -o wide
NAME       STATUS   ROLES    AGE   VERSION   INTERNAL-IP
worker-3   Ready    <none>   90d   v1.29.4   10.20.0.13
worker-4   Ready    <none>   90d   v1.29.4   10.20.0.14
"""


@pytest.fixture
def node():
    if reason := obstacle():
        pytest.skip(reason)
    with FakeNode() as made:
        yield made


def answer(node: FakeNode, cluster: str = "", shell: str = "sh", probed: str = ""):
    printed = probed or node.probe("--limit", "2", shell=shell)
    documents = [Document("probes/worker-3.txt", printed.splitlines())]
    documents += [Document("nodes.txt", cluster.splitlines())] if cluster else []
    return diagnose(gather_documents(documents), *prepare_detector())


def causes(diagnosis):
    return [finding.cause.id for finding in diagnosis.findings]


def swap_is_on(node):
    node.covers("/proc/swaps", SWAPS)
    node.does(
        "systemctl", f"case $* in list-unit*) echo kubelet.service;; show*-p\\ Id*) cat <<'U'\n{RESTARTING}U\n;; esac"
    )
    node.does("journalctl", f"case $* in *kubelet*) cat <<'L'\n{KUBELET_JOURNAL}{SWAP_ON}L\n;; esac")


def load_is_high(node):
    node.prints("uptime", " 12:00:00 up 21 days,  2:10,  1 user,  load average: 96.42, 91.51, 70.47")
    node.covers("/proc/loadavg", "96.42 91.51 70.47 41/2011 4711\n")
    node.covers("/proc/pressure/cpu", STALLED)


def cgroup_drivers_differ(node):
    node.machine.write("/etc/containerd/config.toml", CONTAINERD_CONFIG.replace("true", "false"))


def runtime_hangs(node):
    node.does("crictl", "sleep 60")
    node.does("ctr", "sleep 60")


def forwarding_is_off(node):
    node.machine.run("sysctl", "-q", "-w", "net.ipv4.ip_forward=0")


def disk_is_full(node):
    node.prints("df", "Filesystem      Size  Used Avail Use% Mounted on\n/dev/vda1        40G   40G     0 100% /")


@pytest.mark.parametrize(
    ("state", "cause"),
    [
        (swap_is_on, "kubelet-swap-on"),
        (load_is_high, "node-overload"),
        (cgroup_drivers_differ, "cgroup-driver-mismatch"),
        (runtime_hangs, "runtime-unresponsive"),
        (forwarding_is_off, "sysctl-ip-forward-off"),
    ],
)
def test_the_cause_is_named(node, state, cause):
    state(node)
    diagnosis = answer(node)
    assert causes(diagnosis) == [cause]
    assert diagnosis.findings[0].nodes == ["worker-3"]


def test_a_healthy_node_is_healthy(node):
    diagnosis = answer(node)
    assert causes(diagnosis) == []
    assert diagnosis.verdict == "healthy"


@pytest.mark.skipif(not shutil.which("setpriv"), reason="setpriv is not installed")
def test_what_is_refused_to_somebody_who_is_not_root_is_no_fault(node):
    node.machine.run("chmod", "700", "/etc/cni/net.d", "/etc/kubernetes", "/var/lib/kubelet", "/var/log/pods")
    diagnosis = answer(node, shell="setpriv --reuid=65534 --regid=65534 --clear-groups sh")
    assert causes(diagnosis) == []
    assert "selinux-or-apparmor-denied" not in {candidate.cause.id for candidate in diagnosis.candidates}
    assert any("what root alone may read on worker-3" in item.what.en for item in diagnosis.not_seen)


def test_a_machine_that_is_no_node_is_not_judged(node):
    """Before Kubernetes: no kubelet, no Calico, and forwarding is off as on any other machine."""
    for path in ("/var/lib/kubelet", "/var/lib/calico", "/etc/cni", "/etc/kubernetes", "/run/calico", "/var/log/pods"):
        node.machine.run("rm", "-rf", path)
    node.machine.tell("for pid in $(pidof kubelet calico-node bird); do kill -9 $pid; wait $pid; done 2>/dev/null")
    for tool in ("systemctl", "crictl", "birdcl", "ip", "journalctl"):
        node.prints(tool, "")
    forwarding_is_off(node)
    diagnosis = answer(node)
    assert diagnosis.verdict == "insufficient"
    assert any("any trace of kubelet or Calico on worker-3" in item.what.en for item in diagnosis.not_seen)


def test_a_name_that_no_node_has(node):
    node.machine.write("/var/lib/calico/nodename", "template-vm")
    (candidate,) = [one for one in answer(node, NODES).candidates if one.cause.id == "hostname-changed-or-dup"]
    assert "template-vm" in candidate.evidence[0].says.en


def bird_is_gone(node):
    node.machine.tell("for pid in $(pidof bird calico-node); do kill -9 $pid; wait $pid; done 2>/dev/null")
    node.runs("calico-node", "-felix", environment="CALICO_NETWORKING_BACKEND=bird")
    node.machine.run("rm", "-f", "/run/calico/bird.ctl")


def pods_are_too_wide(node):
    node.does("ip", IP.replace("@if4: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1480", "@if4: <BROADCAST,UP> mtu 8900"))


def pool_holds_the_node(node):
    members = "Name: cali40all-ipam-pools\nType: hash:net\nRevision: 7\nNumber of entries: 1\nMembers:\n10.20.0.0/16"
    node.does("ipset", f"case $* in 'list -n') echo cali40all-ipam-pools;; list*) echo '{members}';; esac")


def blocks_are_of_the_nodes_network(node):
    node.does("ip", IP.replace("172.30.66.", "10.20.0.").replace("172.30.21.64", "10.20.0.192"))


FOR_PODS = """\
:cali-fw-cali0a1b2c3d4e5 - [0:0]
:cali-fw-cali6f7a8b9c0d1 - [0:0]
[0:0] -A cali-fw-cali0a1b2c3d4e5 -m comment --comment "cali:9Xb" -m mark --mark 0x0/0x20000 -j cali-po-default.deny
[7:420] -A cali-fw-cali0a1b2c3d4e5 -m comment --comment "cali:2Kz" -m comment --comment "Drop if no policies passed packet" -m mark --mark 0x0/0x20000 -j DROP
[9:540] -A cali-fw-cali6f7a8b9c0d1 -m comment --comment "cali:7Qw" -m comment --comment "End of tier default. Drop if no policies passed packet" -m mark --mark 0x0/0x20000 -j DROP
COMMIT
"""
ALLOWING = '[3:180] -A cali-po-default.dns -p udp -m comment --comment "cali:Ab1" -m multiport --dports 53 -j MARK --set-xmark 0x10000/0x10000\n'


def has_rules(node, rules):
    """Without counters where they are not asked for, as iptables-save prints them."""
    whole = RULES.replace("COMMIT\n", rules, 1)
    plain = re.sub(r"(?m)^\[\d+:\d+\] ", "", whole)
    node.does("iptables-save", f"case $* in *-c*) cat <<'R'\n{whole}R\n;; *) cat <<'R'\n{plain}R\n;; esac")


def nothing_leaves_the_pods(node):
    has_rules(node, FOR_PODS)


def only_lookups_leave_the_pods(node):
    has_rules(node, FOR_PODS.replace("COMMIT\n", f"{ALLOWING}COMMIT\n"))


def one_pod_is_shut_in(node):
    has_rules(node, "\n".join(line for line in FOR_PODS.splitlines() if "7Qw" not in line) + "\n")


def card_is_down(node):
    cut = IP.replace(
        "eth0: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 qdisc fq_codel state UP",
        "eth0: <BROADCAST,MULTICAST> mtu 1500 qdisc fq_codel state DOWN",
    )
    routes = [line for line in cut.splitlines() if " dev eth0" not in line and " via " not in line]
    node.does("ip", "\n".join(routes))
    node.prints(
        "birdcl",
        BIRD.replace(
            "up     09:12:04    Established", "start  09:14:04    Connect       Socket: Network is unreachable"
        ),
    )


@pytest.mark.parametrize(
    ("state", "cause"),
    [
        (bird_is_gone, "bird-not-running"),
        (pods_are_too_wide, "mtu-mismatch"),
        (pool_holds_the_node, "ip-pool-cidr-overlap"),
        (blocks_are_of_the_nodes_network, "ip-pool-cidr-overlap"),
        (card_is_down, "node-unreachable"),
        (nothing_leaves_the_pods, "network-policy-blocks"),
    ],
)
def test_a_sick_node_whose_felix_is_well_is_not_called_healthy(node, state, cause):
    state(node)
    diagnosis = answer(node)
    assert causes(diagnosis) == [cause]
    assert diagnosis.findings[0].nodes == ["worker-3"]


def pool_is_apart(node):
    members = "Name: cali40all-ipam-pools\nType: hash:net\nRevision: 7\nNumber of entries: 1\nMembers:\n172.30.0.0/16"
    node.does("ipset", f"case $* in 'list -n') echo cali40all-ipam-pools;; list*) echo '{members}';; esac")


def another_backend_needs_no_bird(node):
    bird_is_gone(node)
    node.machine.tell("for pid in $(pidof calico-node); do kill -9 $pid; wait $pid; done 2>/dev/null")
    node.runs("calico-node", "-felix", environment="CALICO_NETWORKING_BACKEND=vxlan")


def a_second_card_is_down(node):
    second = "9: eth1: <BROADCAST,MULTICAST> mtu 1500 qdisc noop state DOWN group default\n    inet 10.9.0.3/24 scope global eth1\nCARDS\n"
    node.does("ip", IP.replace("CARDS\n;;", second + ";;"))


@pytest.mark.parametrize(
    "state",
    [
        pool_is_apart,
        another_backend_needs_no_bird,
        a_second_card_is_down,
        only_lookups_leave_the_pods,
        one_pod_is_shut_in,
    ],
)
def test_what_is_as_it_should_be_stays_healthy(node, state):
    state(node)
    diagnosis = answer(node)
    assert (diagnosis.verdict, causes(diagnosis)) == ("healthy", [])


BIRDCL = "birdcl -r -s /var/run/calico/bird.ctl show protocols all"
WAYS = {
    "birdcl": BIRDCL,
    "curl": "echo show protocols | curl -sS -m 1 --unix-socket /var/run/calico/bird.ctl telnet://localhost",
    "nc": "echo show protocols | nc -w 1 -U /var/run/calico/bird.ctl",
    "socat": "echo show protocols | socat -t 2 - UNIX-CONNECT:/var/run/calico/bird.ctl",
}
GAVE_UP = "curl: (28) Operation timed out after 1001 milliseconds with {} bytes received"
RAW = """\
0001 BIRD v0.3.3+birdv1.6.8 ready.
2002-name     proto    table    state  since       info
1002-static1  Static   master   up     09:12:02
 Mesh_10_20_0_11 BGP      master   up     09:12:04    Established
0000
"""


def ask_bird_otherwise(printed: str, way: str, answer: str, end: str) -> str:
    """What the probe prints where BIRD is asked in this way and that is what comes back."""
    opened = re.compile(rf"(?m)^(\[root@\S+ ~\]# ){re.escape(BIRDCL)}( #:\w+)\n(?:(?!#= ).*\n)*#= .*")
    return opened.sub(lambda found: f"{found[1]}{WAYS[way]}{found[2]}\n{answer}#= {end}{found[2]}", printed)


@pytest.mark.parametrize(
    ("way", "answer_of_bird", "end"),
    [
        ("birdcl", "", "exit=124 seconds=2.01 timeout"),
        ("curl", GAVE_UP.format(0) + "\n", "exit=28 seconds=1.01"),
        ("nc", "", "exit=0 seconds=1.00"),
        ("socat", "", "exit=0 seconds=2.01"),
    ],
)
def test_a_bird_that_hangs_is_found_whatever_it_is_asked_with(node, way, answer_of_bird, end):
    """Its sessions are still there and Felix is well: all but BIRD's silence looks healthy."""
    printed = ask_bird_otherwise(node.probe("--limit", "2"), way, answer_of_bird, end)
    diagnosis = answer(node, probed=printed)
    assert causes(diagnosis) == ["bird-not-running"]
    assert diagnosis.findings[0].nodes == ["worker-3"]


@pytest.mark.parametrize(
    ("way", "answer_of_bird", "end"),
    [
        ("curl", RAW + GAVE_UP.format(312) + "\n", "exit=28 seconds=1.01"),
        ("nc", RAW, "exit=0 seconds=1.00"),
        ("socat", RAW, "exit=0 seconds=0.01"),
    ],
)
def test_a_bird_that_answers_is_well_though_the_tool_waits_for_more(node, way, answer_of_bird, end):
    printed = ask_bird_otherwise(node.probe("--limit", "2"), way, answer_of_bird, end)
    assert answer(node, probed=printed).verdict == "healthy"


def test_a_bird_that_nobody_could_ask_is_not_called_well(node):
    printed = ask_bird_otherwise(node.probe("--limit", "2"), "birdcl", "", "absent birdcl")
    diagnosis = answer(node, probed=printed)
    assert (diagnosis.verdict, causes(diagnosis)) == ("insufficient", [])
    assert any("could not be asked" in doubt.says.en for doubt in diagnosis.doubts)


def port_is_taken(node):
    node.prints("ss", LISTENERS.replace('"calico-node"', '"node_exporter"'))


@pytest.mark.parametrize(
    ("state", "cause", "words"),
    [(disk_is_full, "disk-full", "100% /"), (port_is_taken, "port-in-use", '"node_exporter",pid=1190')],
)
def test_what_may_do_harm_is_a_candidate_as_long_as_none_is_seen(node, state, cause, words):
    state(node)
    (candidate,) = [one for one in answer(node).candidates if one.cause.id == cause]
    assert words in candidate.evidence[0].line.text


def test_what_did_not_answer_is_listed(node):
    node.does("nft", "sleep 60")
    assert any("nft list ruleset on worker-3" in item.what.en for item in answer(node).not_seen)

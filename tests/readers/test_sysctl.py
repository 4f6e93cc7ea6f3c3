from __future__ import annotations

import pytest

from calivet.evidence.artifact import Artifact
from calivet.facts.host import Sysctl
from calivet.readers.host.sysctl import READER
from tests.readers.host_reading import facts_of


def _pairs(text: str, command: str | None = None) -> list[tuple[str, str]]:
    return [(fact.key, fact.value) for fact in facts_of(READER, text, command)]


def test_sysctl_prints_keys_and_values():
    text = """
    net.ipv4.ip_forward = 0
    net.ipv4.conf.all.rp_filter = 2
    net.ipv4.ip_local_port_range = 32768	60999
    fs.inotify.max_user_instances=128
    """
    found = facts_of(READER, text, "sysctl -a", "cn-3")
    assert [(fact.key, fact.value) for fact in found] == [
        ("net.ipv4.ip_forward", "0"),
        ("net.ipv4.conf.all.rp_filter", "2"),
        ("net.ipv4.ip_local_port_range", "32768	60999"),
        ("fs.inotify.max_user_instances", "128"),
    ]
    assert {(fact.host, fact.file) for fact in found} == {("cn-3", None)}


def test_a_file_is_not_the_running_kernel():
    (fact,) = facts_of(READER, "net.ipv4.ip_forward = 0", "cat /etc/sysctl.d/50-hard.conf")
    assert fact.file == "/etc/sysctl.d/50-hard.conf"
    (fact,) = facts_of(READER, "net.ipv4.ip_forward = 1", "sysctl -p /etc/sysctl.d/k8s.conf")
    assert fact.file is None


def test_proc_files_take_their_keys_from_the_command():
    assert _pairs("1", "cat /proc/sys/net/ipv4/ip_forward") == [("net.ipv4.ip_forward", "1")]
    assert _pairs("1\n0", "cat /proc/sys/net/ipv4/conf/eth1/{rp_filter,forwarding}") == [
        ("net.ipv4.conf.eth1.rp_filter", "1"),
        ("net.ipv4.conf.eth1.forwarding", "0"),
    ]
    assert _pairs("1\n0", "sysctl -n net.ipv4.ip_forward net.ipv4.conf.all.rp_filter") == [
        ("net.ipv4.ip_forward", "1"),
        ("net.ipv4.conf.all.rp_filter", "0"),
    ]


def test_values_that_do_not_fit_the_keys_are_left_alone():
    assert _pairs("1\n0", "cat /proc/sys/net/ipv4/ip_forward") == []
    assert _pairs("0", "cat /proc/sys/net/ipv4/conf/*/rp_filter") == []
    assert (
        _pairs(
            "cat: /proc/sys/net/bridge/bridge-nf-call-iptables: No such file or directory",
            "cat /proc/sys/net/bridge/bridge-nf-call-iptables",
        )
        == []
    )
    assert _pairs("", "echo 1 > /proc/sys/net/ipv4/ip_forward") == []


def test_grep_names_the_file_before_the_value():
    assert _pairs("/proc/sys/net/ipv4/conf/all/rp_filter:2", "grep . /proc/sys/net/ipv4/conf/*/rp_filter") == [
        ("net.ipv4.conf.all.rp_filter", "2")
    ]


def test_a_loop_names_the_host():
    (fact,) = facts_of(READER, "cn-4: net.ipv4.ip_forward = 0")
    assert fact.host == "cn-4"


@pytest.mark.parametrize(
    "line", ["# net.ipv4.ip_forward = 1", "SystemdCgroup = true", "networking.x = 1", "- name: net.core.somaxconn"]
)
def test_what_is_no_setting(line: str):
    assert facts_of(READER, line) == []


def test_kubeadms_preflight_says_what_is_off():
    line = (
        "\t[ERROR FileContent--proc-sys-net-ipv4-ip_forward]: /proc/sys/net/ipv4/ip_forward contents are not set to 1"
    )
    assert _pairs(line, "kubeadm join 10.4.0.1:6443") == [("net.ipv4.ip_forward", "0")]


def test_a_file_kept_by_its_name():
    artifact = Artifact(name="etc/sysctl.d/99-k8s.conf", first=1, lines=["net.ipv4.ip_forward = 1"])
    (fact,) = READER.read(artifact, [0]).facts
    assert isinstance(fact, Sysctl)
    assert fact.file == "etc/sysctl.d/99-k8s.conf"


NORMAL = """
12c12
< net.ipv4.ip_forward = 1
---
> net.ipv4.ip_forward = 0
40d39
< net.ipv4.conf.all.rp_filter = 1
"""
UNIFIED = """
--- fern-1.txt\t2023-04-05 06:07:08.000000000 +0000
+++ fern-2.txt\t2023-04-05 06:07:09.000000000 +0000
@@ -12,2 +12,2 @@
 net.ipv4.conf.all.rp_filter = 1
-net.ipv4.ip_forward = 1
+net.ipv4.ip_forward = 0
"""
BESIDE = """
net.ipv4.ip_forward = 1                  |	net.ipv4.ip_forward = 0
net.ipv4.conf.all.rp_filter = 1          <
"""
FORWARD = "net.ipv4.ip_forward"


def _of_machines(text: str, command: str | None) -> set[tuple[str | None, str, str]]:
    return {(fact.host, fact.key, fact.value) for fact in facts_of(READER, text, command, "bastion")}


@pytest.mark.parametrize(
    "command",
    [
        "diff fern-1.sysctl fern-2.sysctl",
        "diff /tmp/sysctl-fern-1.txt /tmp/sysctl-fern-2.txt | grep net",
        "diff fern-1/sysctl.out fern-2/sysctl.out",
        "diff <(ssh root@fern-1 sysctl -a) <(ssh root@fern-2 sysctl -a 2>/dev/null | sort)",
        "diff <(sort fern-1.txt) <(sort fern-2.txt)",
    ],
)
def test_a_diff_of_two_machines(command: str):
    assert _of_machines(NORMAL, command) == {
        ("fern-1", FORWARD, "1"),
        ("fern-2", FORWARD, "0"),
        ("fern-1", "net.ipv4.conf.all.rp_filter", "1"),
    }


@pytest.mark.parametrize("command", ["diff -u fern-1.txt fern-2.txt", None])
def test_a_unified_diff_names_its_files_itself(command: str | None):
    assert _of_machines(UNIFIED, command) == {
        ("fern-1", FORWARD, "1"),
        ("fern-2", FORWARD, "0"),
        ("fern-1", "net.ipv4.conf.all.rp_filter", "1"),
        ("fern-2", "net.ipv4.conf.all.rp_filter", "1"),
    }


def test_a_unified_diff_of_which_a_search_left_the_marked_lines_only():
    command = "diff -U0 <(ssh fern-1 sysctl -a) <(ssh fern-2 sysctl -a) | grep '^[-+]net'"
    text = "-net.ipv4.ip_forward = 1\n+net.ipv4.ip_forward = 0\n"
    assert _of_machines(text, command) == {("fern-1", FORWARD, "1"), ("fern-2", FORWARD, "0")}


@pytest.mark.parametrize("command", ["sdiff -s fern-1.txt fern-2.txt", "diff -y fern-1.txt fern-2.txt"])
def test_two_machines_side_by_side(command: str):
    assert _of_machines(BESIDE, command) == {
        ("fern-1", FORWARD, "1"),
        ("fern-2", FORWARD, "0"),
        ("fern-1", "net.ipv4.conf.all.rp_filter", "1"),
    }


@pytest.mark.parametrize(
    ("text", "command"),
    [
        (NORMAL, "diff before.txt after.txt"),
        (NORMAL, "diff good-node.txt bad-node.txt"),
        (NORMAL, "diff sysctl.1 sysctl.2"),
        (NORMAL, "diff 2024-05-06.txt 2024-05-07.txt"),
        (NORMAL, None),
        (UNIFIED.replace("fern-1", "old").replace("fern-2", "new"), "diff -u old.txt new.txt"),
        (BESIDE, "sdiff a b"),
    ],
)
def test_a_diff_of_which_nobody_knows_whose_values_they_are(text: str, command: str | None):
    assert _of_machines(text, command) == set()


def test_a_mark_in_a_file_is_no_diff():
    (fact,) = facts_of(READER, "-net.ipv4.ip_forward = 1", "cat /etc/sysctl.d/50-hard.conf")
    assert fact.value == "1"

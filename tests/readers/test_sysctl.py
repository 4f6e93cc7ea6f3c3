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

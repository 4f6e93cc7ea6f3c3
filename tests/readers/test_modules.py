from __future__ import annotations

import pytest

from calivet.readers.host.kernel import MODULES_READER as READER
from tests.readers.host_reading import facts_of


def _pairs(text: str, command: str | None = None) -> list[tuple[str, bool]]:
    return [(fact.name, fact.loaded) for fact in facts_of(READER, text, command, "cn-3")]


def test_lsmod_with_its_header():
    text = """
    Module                  Size  Used by
    xt_set                 16384  12
    ip_set                 53248  3 ip_set_hash_ip,xt_set,ip_set_hash_net
    ipip                   20480  0
    done with it
    """
    assert _pairs(text) == [("xt_set", True), ("ip_set", True), ("ipip", True)]


def test_filtered_rows_need_the_command():
    row = "ip_vs                 176128  6 ip_vs_rr,ip_vs_sh,ip_vs_wrr"
    assert _pairs(row, "lsmod | grep ip_vs") == [("ip_vs", True)]
    assert _pairs(row) == []


@pytest.mark.parametrize(
    ("command", "names"),
    [
        ("lsmod | grep ip_set", ["ip_set"]),
        ("lsmod |grep -i xt_set", ["xt_set"]),
        ("lsmod | grep -E 'ip_set|xt_set'", ["ip_set", "xt_set"]),
        (r'sudo lsmod | grep "ipip\|tunnel4"', ["ipip", "tunnel4"]),
        ("lsmod | egrep '^vxlan'", ["vxlan"]),
        ("cat /proc/modules | grep wireguard", ["wireguard"]),
    ],
)
def test_silence_under_a_filter_means_not_loaded(command: str, names: list[str]):
    assert _pairs("", command) == [(name, False) for name in names]


@pytest.mark.parametrize("command", ["lsmod", "lsmod | grep -v nf_", "lsmod | wc -l", "lsmod | awk '{print $1}'"])
def test_silence_without_a_plain_filter_means_nothing(command: str):
    assert _pairs("", command) == []


def test_counts():
    assert _pairs("0", "lsmod | grep -c wireguard") == [("wireguard", False)]
    assert _pairs("2", "lsmod | grep -c wireguard") == [("wireguard", True)]


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("modprobe: FATAL: Module wireguard not found in directory /lib/modules/4.19.90-17.ky10.aarch64", "wireguard"),
        ("modprobe: FATAL: Module ip_set not found.", "ip_set"),
        ("modinfo: ERROR: Module xt_set not found.", "xt_set"),
        ("modprobe: module ipip not found in modules.dep", "ipip"),
        ("modprobe: ERROR: could not insert 'vxlan': Operation not permitted", "vxlan"),
    ],
)
def test_the_tools_say_what_is_absent(line: str, name: str):
    assert _pairs(line) == [(name, False)]


def test_a_tools_words_inside_a_log_line_are_not_the_operators():
    line = '2024-01-01 00:00:00.000 [INFO][60] felix/x.go 1: Failed output="modprobe: FATAL: Module nf_conntrack_proto_sctp not found"'
    assert _pairs(line) == []


def test_checksystem():
    lines = [
        "Checking kernel modules...",
        "WARNING: Unable to detect the ipt_set module as Loaded/Builtin module or lsmod",
        "\t\tipt_set             \t\t\t\t\tFAIL",
        "\t\tip_set              \t\t\t\t\tOK",
        "System meets requirements",
    ]
    assert _pairs("\n".join(lines)) == [("ipt_set", False), ("ip_set", True)]


def test_proc_modules():
    assert _pairs("xt_set 16384 2 - Live 0x0000000000000000") == [("xt_set", True)]


def test_a_dry_run_over_many():
    text = """
    insmod /lib/modules/5.15.0/kernel/net/netfilter/ipset/ip_set.ko
    builtin nf_conntrack
    modprobe: WARNING: Module xt_set not found in directory /lib/modules/5.15.0
    """
    assert _pairs(text, "modprobe -n -v -a ip_set nf_conntrack xt_set") == [("xt_set", False)]

"""Facts that separate the sick nodes from the healthy ones, and facts that do not."""

from __future__ import annotations

import pytest

from calivet.reasoning.contrast import find_contrast
from tests.facts.drawing import nodes, picture_of

THREE = nodes("birch-1 Ready 10.71.0.11", "birch-2 NotReady 10.71.0.12", "birch-3 Ready 10.71.0.13")


def uptime(host, load):
    return f"[root@{host} ~]# uptime\n 10:44:51 up 96 days,  3:25,  2 users,  load average: {load}, {load}, {load}\n"


def sysctl(host, key, value):
    return f"[root@{host} ~]# sysctl {key}\n{key} = {value}\n"


def found(text):
    return {item.fact: (item.sick, item.healthy) for item in find_contrast(picture_of(text))}


def loads(one, two, three):
    return THREE + uptime("birch-1", one) + uptime("birch-2", two) + uptime("birch-3", three)


def test_a_figure_many_times_higher():
    assert found(loads("1.1", "87.5", "0.9"))["host.load1"] == (
        {"birch-2": "87.5"},
        {"birch-1": "1.1", "birch-3": "0.9"},
    )


@pytest.mark.parametrize(("load", "shown"), [("2.9", False), ("3.0", True), ("0.3", True), ("0.4", False)])
def test_a_figure_must_be_three_times_above_or_below(load, shown):
    assert ("host.load1" in found(loads("1.0", load, "1.0"))) is shown


def test_overlapping_groups_do_not_separate():
    assert "host.load1" not in found(loads("1.0", "80", "90"))


def test_words_separate_where_no_value_is_shared():
    text = THREE.replace("4.18.0-372.9.1.el8.x86_64", "3.10.0-957.el7.x86_64~~~~~").replace("~", " ")
    rows = text.split("\n")
    mixed = "\n".join(
        row.replace("3.10.0-957.el7.x86_64     ", "4.18.0-372.9.1.el8.x86_64") if "birch-2" in row else row
        for row in rows
    )
    assert found(mixed)["node.kernel"] == (
        {"birch-2": "4.18.0-372.9.1.el8.x86_64"}, {"birch-1": "3.10.0-957.el7.x86_64", "birch-3": "3.10.0-957.el7.x86_64"}
    )  # fmt: skip


def test_the_same_everywhere_is_no_contrast():
    assert found(THREE) == {}


@pytest.mark.parametrize("text", [nodes("birch-1 Ready 10.71.0.11"), nodes("birch-2 NotReady 10.71.0.12"), ""])
def test_one_group_alone_has_nothing_to_be_compared_with(text):
    assert found(text + uptime("birch-1", "1") + uptime("birch-2", "90")) == {}


def test_a_host_that_is_no_node_is_in_no_group():
    assert found(THREE + uptime("birch-2", "90") + uptime("bastion", "1")) == {}


def test_short_names_lead_to_the_node():
    known = nodes("birch-1.example.net Ready 10.71.0.11", "birch-2.example.net NotReady 10.71.0.12")
    assert found(known + uptime("birch-1", "1.0") + uptime("BIRCH-2", "90"))["host.load1"] == (
        {"birch-2.example.net": "90"}, {"birch-1.example.net": "1"}
    )  # fmt: skip


def test_settings_and_kernel_values_are_compared():
    text = THREE + sysctl("birch-1", "net.ipv4.ip_forward", 1) + sysctl("birch-2", "net.ipv4.ip_forward", 0)
    assert found(text)["sysctl.net.ipv4.ip_forward"] == ({"birch-2": "0"}, {"birch-1": "1"})


def test_the_cards_of_a_host_are_compared_without_the_virtual_ones():
    def card(host, *names):
        lines = (
            f"{i}: {name}: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 qdisc mq state UP group default\n    inet 10.7{i}.0.5/24 scope global {name}\n"
            for i, name in enumerate(names, 1)
        )
        return f"[root@{host} ~]# ip addr\n" + "".join(lines)

    text = THREE + card("birch-1", "ens160", "docker0", "cali12345") + card("birch-2", "ens160", "ens192", "tunl0")
    assert found(text)["host.cards"] == ({"birch-2": "ens160, ens192"}, {"birch-1": "ens160"})


def test_zero_on_both_sides_is_no_contrast():
    text = THREE + sysctl("birch-1", "net.ipv4.ip_forward", 0) + sysctl("birch-2", "net.ipv4.ip_forward", 0)
    assert "sysctl.net.ipv4.ip_forward" not in found(text)


def test_a_setting_that_differs_by_a_little_still_differs():
    text = (
        THREE
        + sysctl("birch-1", "net.ipv4.conf.all.rp_filter", 1)
        + sysctl("birch-2", "net.ipv4.conf.all.rp_filter", 2)
    )
    assert "sysctl.net.ipv4.conf.all.rp_filter" in found(text)


def test_the_moment_at_which_a_clock_was_read_is_no_contrast():
    clocks = "".join(f"[root@birch-{n} ~]# date\nTue Mar  5 10:44:5{n} UTC 2024\n" for n in (1, 2, 3))
    assert "clock.time" not in found(THREE + clocks)

"""Firewall services of hosts."""

from __future__ import annotations

import pytest

from tests.facts.drawing import nodes, sightings

STATUS = """
[root@alder-2 ~]# systemctl status {0}
● {0}.service - {0}
   Loaded: loaded (/usr/lib/systemd/system/{0}.service; enabled; vendor preset: enabled)
   Active: {1} since Mon 2024-05-06 07:08:09 CST; 3h ago
"""


def test_running():
    (seen,) = sightings("host-firewall-running", STATUS.format("firewalld", "active (running)"))
    assert (seen.node, seen.values) == ("alder-2", {"unit": "firewalld"})


def test_stopped():
    text = STATUS.format("firewalld", "inactive (dead)")
    assert sightings("host-firewall-running", text) == []
    assert len(sightings("host-firewall-stopped", text)) == 1


def test_the_unit_of_ufw_is_active_even_where_ufw_is_off():
    assert sightings("host-firewall-running", STATUS.format("ufw", "active (exited)")) == []


PEERS = """
[root@{0} ~]# birdcl show protocols
name     proto    table    state  since       info
Mesh_10_71_0_{1} BGP      master   {2}
"""
TWO = nodes("birch-1 Ready 10.71.0.11", "birch-2 Ready 10.71.0.12")
DOWN = PEERS.format("birch-2", 11, "start  08:14:58    Connect")
UP = PEERS.format("birch-2", 11, "up     08:14:58    Established")
RULES = "\n[root@birch-1 ~]# iptables-save -c\n*filter\n:INPUT ACCEPT [9:900]\n{}\nCOMMIT\n"
NFT = """
[root@birch-1 ~]# nft list ruleset
table inet filter {{
	chain {0} {{
		type filter hook input priority filter; policy accept;
		{1}
	}}
}}
"""


def blocked(rules, sessions=DOWN):
    return [
        (seen.node, seen.values["packets"]) for seen in sightings("bgp-blocked-by-host-rule", TWO + sessions + rules)
    ]


@pytest.mark.parametrize(
    "rules",
    [
        NFT.format("input", "tcp dport 179 counter packets 12 bytes 720 drop"),
        NFT.format("input", "tcp dport { 22, 179 } counter packets 12 bytes 720 reject with tcp reset"),
        RULES.format("[12:720] -A INPUT -p tcp -m tcp --dport 179 -j REJECT --reject-with icmp-host-prohibited"),
        RULES.format("[12:720] -A INPUT -p tcp -m multiport --dports 22,179 -j DROP"),
    ],
)
def test_a_rule_that_blocked_bgp_concerns_both_ends_of_the_session(rules):
    assert blocked(rules) == [("birch-1", "12"), ("birch-2", "12")]


@pytest.mark.parametrize(
    "rules",
    [
        NFT.format("input", "tcp dport 179 counter packets 0 bytes 0 drop"),
        NFT.format("input", "tcp dport 1790 counter packets 12 bytes 720 drop"),
        NFT.format("input", "ip saddr != 10.71.0.0/24 tcp dport 179 counter packets 12 bytes 720 drop"),
        NFT.format("cali-INPUT", "tcp dport 179 counter packets 12 bytes 720 drop"),
        RULES.format("[12:720] -A INPUT ! -s 10.71.0.0/24 -p tcp -m tcp --dport 179 -j DROP"),
        RULES.format("[12:720] -A INPUT -p tcp -m tcp --dport 179 -j ACCEPT"),
    ],
)
def test_rules_that_block_no_node(rules):
    assert blocked(rules) == []


def test_where_the_sessions_are_up_the_rule_met_someone_else():
    assert blocked(NFT.format("input", "tcp dport 179 counter packets 12 bytes 720 drop"), UP) == []

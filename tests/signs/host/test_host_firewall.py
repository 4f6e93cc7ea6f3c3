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


UNCOUNTED = "\n[root@birch-1 ~]# iptables-save\n*filter\n:INPUT ACCEPT [9:900]\n{}\nCOMMIT\n"


def test_a_rule_in_a_listing_that_does_not_count():
    rules = UNCOUNTED.format("-A INPUT -p tcp -m tcp --dport 179 -j DROP")
    assert [seen.node for seen in sightings("bgp-shut-by-host-rule", TWO + DOWN + rules)] == ["birch-1", "birch-2"]
    assert not list(sightings("bgp-shut-by-host-rule", TWO + UP + rules))
    counted = RULES.format("[0:0] -A INPUT -p tcp -m tcp --dport 179 -j DROP")
    assert not list(sightings("bgp-shut-by-host-rule", TWO + DOWN + counted))


CLOSED = NFT.replace("policy accept", "policy drop")
SOME = "ct state established,related accept\n\t\tiif lo accept\n\t\ttcp dport {{ 22, 10250{} }} accept"


def closed(rules, sessions=DOWN):
    return [seen.node for seen in sightings("bgp-meets-closed-policy", TWO + sessions + CLOSED.format("input", rules))]


def test_a_chain_that_drops_what_it_does_not_accept_and_accepts_no_bgp():
    assert closed(SOME.format("")) == ["birch-1", "birch-2"]


@pytest.mark.parametrize(
    "rules", [SOME.format(", 179"), SOME.format("") + "\n\t\tip saddr 10.71.0.0/24 accept", "tcp dport 179 accept"]
)
def test_a_closed_chain_that_lets_bgp_in(rules):
    assert closed(rules) == []


def test_a_closed_chain_beside_sessions_that_are_up():
    assert closed(SOME.format(""), UP) == []


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


ZONE = """[root@birch-1 ~]# firewall-cmd --list-all
public (active)
  target: {target}
  interfaces: eth0
  services: ssh
  ports: {ports}
  protocols: {protocols}
"""


@pytest.mark.parametrize(
    ("target", "ports", "protocols", "open_to_calico"),
    [
        ("default", "10250/tcp 179/tcp", "ipip", True),
        ("default", "4789/udp", "", True),
        ("ACCEPT", "", "", True),
        ("default", "10250/tcp 179/tcp", "", False),
        ("default", "22/tcp", "", False),
    ],
)
def test_a_zone_with_the_right_ports_open(target, ports, protocols, open_to_calico):
    text = ZONE.format(target=target, ports=ports, protocols=protocols)
    assert bool(sightings("firewalld-lets-calico-through", text)) is open_to_calico


def test_what_is_open_must_be_what_the_pool_needs():
    pool = (
        "[root@birch-1 ~]# calicoctl get ippool -o wide\n"
        "NAME   CIDR            NAT    IPIPMODE   VXLANMODE   DISABLED   SELECTOR\n"
        "pods   10.244.0.0/16   true   Never      Always      false      all()\n"
    )
    text = ZONE.format(target="default", ports="179/tcp", protocols="ipip")
    assert sightings("firewalld-lets-calico-through", pool + text) == []

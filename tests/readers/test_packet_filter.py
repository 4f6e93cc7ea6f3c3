from __future__ import annotations

import pytest

from calivet.readers.network.packet_filter import RULES_READER
from tests.readers.host_reading import facts_of, reading_of


def test_a_saved_table():
    text = """
    *filter
    :INPUT DROP [12:720]
    :FORWARD ACCEPT [0:0]
    -A INPUT -m conntrack --ctstate RELATED,ESTABLISHED -j ACCEPT
    -A INPUT -p tcp -m tcp --dport 22 -j ACCEPT
    -A INPUT -p tcp -m multiport --dports 179,5473 -j ACCEPT
    -A INPUT -p udp -m udp --dport 4789 -j ACCEPT
    -A INPUT -p 4 -j ACCEPT
    [7:420] -A INPUT -j REJECT --reject-with icmp-host-prohibited
    COMMIT
    """
    policy, known, ssh, bgp, vxlan, ipip, reject = facts_of(RULES_READER, text, "iptables-save", "fig-2")
    assert (known.target, ssh.target) == ("ACCEPT", "ACCEPT")
    assert (policy.chain, policy.target, policy.packets, policy.rule) == ("INPUT", "DROP", 12, "policy DROP")
    assert (bgp.target, vxlan.target, bgp.host) == ("ACCEPT", "ACCEPT", "fig-2")
    assert ipip.rule == "-A INPUT -p 4 -j ACCEPT"
    assert (reject.chain, reject.target, reject.packets) == ("INPUT", "REJECT", 7)


def test_a_listing_with_counters():
    text = """
    Chain INPUT (policy ACCEPT 0 packets, 0 bytes)
     pkts bytes target     prot opt in     out     source               destination
     120K   40M ACCEPT     all  --  *      *       0.0.0.0/0            0.0.0.0/0            state RELATED,ESTABLISHED
        9   540 REJECT     all  --  *      *       0.0.0.0/0            0.0.0.0/0            reject-with icmp-host-prohibited
    Chain FORWARD (policy DROP 3K packets, 180K bytes)
     pkts bytes target     prot opt in     out     source               destination
        0     0 ACCEPT     tcp  --  *      *       0.0.0.0/0            0.0.0.0/0            tcp dpt:179
    """
    known, reject, policy, bgp = facts_of(RULES_READER, text, "iptables -L -n -v", "fig-2")
    assert (known.target, known.packets) == ("ACCEPT", 120_000)
    assert (reject.chain, reject.target, reject.packets) == ("INPUT", "REJECT", 9)
    assert (policy.chain, policy.target, policy.packets) == ("FORWARD", "DROP", 3000)
    assert (bgp.chain, bgp.target, bgp.packets) == ("FORWARD", "ACCEPT", 0)


def test_a_listing_without_counters_and_with_numbers():
    text = """
    Chain INPUT (policy DROP)
    num  target     prot opt source               destination
    1    DROP       tcp  --  0.0.0.0/0            0.0.0.0/0            tcp dpt:179
    """
    policy, rule = facts_of(RULES_READER, text, "iptables -L -n --line-numbers")
    assert (policy.target, rule.target, rule.packets) == ("DROP", "DROP", None)


def test_rows_of_one_chain_take_its_name_from_the_command():
    row = "   12   720 DROP       all  --  *      *       0.0.0.0/0            0.0.0.0/0            /* Drop if no policies passed packet */"
    (rule,) = facts_of(RULES_READER, row, "iptables -nvL cali-tw-cali12ab34cd56e | tail -1", "fig-2")
    assert (rule.chain, rule.packets) == ("cali-tw-cali12ab34cd56e", 12)


def test_rules_of_calico_that_blocked_nothing_are_left_out():
    row = "    0     0 DROP       all  --  *      *       0.0.0.0/0            0.0.0.0/0            /* Drop if no profiles matched */"
    assert not facts_of(RULES_READER, row, "iptables -nvL cali-tw-cali12ab34cd56e")


def test_policies_stated_by_s():
    policy, reject = facts_of(
        RULES_READER, "-P FORWARD DROP\n-A FORWARD -j REJECT --reject-with icmp-host-prohibited", "iptables -S"
    )
    assert (policy.chain, policy.target, reject.target) == ("FORWARD", "DROP", "REJECT")


SERVICE = '-A KUBE-SERVICES -d 10.7.0.{}/32 -p tcp -m comment --comment "{}:https cluster IP" -m tcp --dport 443 -j KUBE-SVC-ABCDEF'


def test_service_rules_that_were_grepped_out():
    (rule,) = facts_of(RULES_READER, SERVICE.format(9, "shop/web"), "iptables-save -t nat | grep 10.7.0.9")
    assert (rule.chain, rule.target) == ("KUBE-SERVICES", "KUBE-SVC-ABCDEF")


def test_of_a_whole_table_only_the_api_server_s_service_and_what_blocks():
    lines = [SERVICE.format(number % 250, f"shop/web-{number}") for number in range(300)]
    lines += [f"-A cali-tw-cali{number} -j DROP" for number in range(300)]
    lines += [SERVICE.format(1, "default/kubernetes"), "-A INPUT -j DROP"]
    api, drop = facts_of(RULES_READER, "\n".join(lines))
    assert "default/kubernetes" in api.rule
    assert drop.chain == "INPUT"


def test_no_endpoints_blocks_whatever_the_chain():
    line = '-A KUBE-SERVICES -d 10.7.0.1/32 -p tcp -m comment --comment "default/kubernetes:https has no endpoints" -j REJECT'
    assert [rule.target for rule in facts_of(RULES_READER, line)] == ["REJECT"]


def test_nft():
    text = """
    table ip filter {
            chain INPUT {
                    type filter hook input priority filter; policy drop;
                    ct state established,related accept
                    tcp dport { 179, 5473 } accept
                    meta l4proto tcp counter packets 8 bytes 480 reject
            }
            chain OTHER {
                    tcp dport 22 accept
            }
    }
    """
    policy, known, bgp, reject = facts_of(RULES_READER, text, "nft list ruleset", "fig-2")
    assert known.target == "ACCEPT"
    assert (policy.rule, policy.target, policy.chain) == ("policy drop", "DROP", "INPUT")
    assert bgp.target == "ACCEPT"
    assert (reject.target, reject.packets) == ("REJECT", 8)


def test_nft_grepped():
    (rule,) = facts_of(
        RULES_READER, "    iifname ens7 counter packets 8 bytes 480 drop", "nft list ruleset | grep drop"
    )
    assert (rule.chain, rule.target, rule.packets) == (None, "DROP", 8)


def test_a_zone_of_firewalld():
    text = """
    public (active)
      target: default
      interfaces: ens7
      services: ssh
      ports: 6443/tcp 179/tcp
      protocols:
      forward: yes
    """
    (zone,) = facts_of(RULES_READER, text, "firewall-cmd --list-all", "fig-2")
    assert (zone.chain, zone.target, zone.host) == ("public", "firewalld", "fig-2")
    assert "ports: 6443/tcp 179/tcp" in zone.rule


@pytest.mark.parametrize(
    ("word", "state"), [("Status: active", "active"), ("Status: inactive", "inactive"), ("状态：激活", "active")]
)
def test_ufw(word: str, state: str):
    text = f"""
    {word}

    To                         Action      From
    --                         ------      ----
    22/tcp                     ALLOW       Anywhere
    179/tcp                    ALLOW IN    10.61.4.0/22
    """
    (rule,) = facts_of(RULES_READER, text, "ufw status", "fig-2")
    assert (rule.target, rule.host) == ("ufw", "fig-2")
    assert rule.rule == f"{state}; 22/tcp ALLOW Anywhere; 179/tcp ALLOW IN 10.61.4.0/22"


def test_a_service_s_row_in_a_listing():
    row = (
        "KUBE-SVC-ABCDEF  tcp  --  0.0.0.0/0            10.7.0.9             /* shop/web:http cluster IP */ tcp dpt:80"
    )
    (rule,) = facts_of(RULES_READER, row, "iptables -t nat -L KUBE-SERVICES -n | grep web", "fig-2")
    assert (rule.chain, rule.target) == ("KUBE-SERVICES", "KUBE-SVC-ABCDEF")


def test_the_head_of_an_ip_set_without_its_members():
    text = """
    Name: cali40this-host
    Type: hash:ip
    Revision: 6
    Header: family inet hashsize 1024 maxelem 1048576
    Members:
    10.61.4.12
    """
    (head,) = facts_of(RULES_READER, text, "ipset list", "fig-2")
    assert (head.chain, head.target) == ("cali40this-host", "ipset")
    assert "Type: hash:ip; Revision: 6" in head.rule


@pytest.mark.parametrize(
    "text",
    [
        "Name: web-0\nNamespace: shop",
        "Chain of events (as far as we know)",
        "-A good idea",
        ":INPUT ACCEPT [90211:51822339]",
        "-A INPUT -p tcp -m tcp --dport 8443 -j AGENT-IN",
        "nothing (active)\nfollows",
        "DROP TABLE -- all of it",
    ],
)
def test_other_lines_state_nothing(text: str):
    assert not reading_of(RULES_READER, text).facts


def test_what_is_called_ipip_is_another_protocol_than_calicos():
    text = "Chain FORWARD (policy ACCEPT)\ntarget     prot opt source               destination\nACCEPT     {}  --  0.0.0.0/0            0.0.0.0/0\n"
    assert any(
        fact.target == "ACCEPT"
        for fact in facts_of(RULES_READER, text.format("ipencap"), "iptables -L FORWARD", "fig-2")
    )
    assert not facts_of(RULES_READER, text.format("ipip   "), "iptables -L FORWARD", "fig-2")

"""What Felix has programmed, as the probe of a node prints it."""

from __future__ import annotations

from calivet.facts.calico import EgressRules, ProgrammedPool
from tests.facts.drawing import picture_of

SETS = """
[root@oak-1 ~]# ipset list
Name: cali40all-ipam-pools
Type: hash:net
Revision: 7
Header: family inet hashsize 1024 maxelem 1048576 bucketsize 12 initval 0x5b2c1d3e
Size in memory: 552
References: 1
Number of entries: 2
Members:
10.244.0.0/16
10.245.0.0/16

Name: cali40masq-ipam-pools
Type: hash:net
Members:
10.99.0.0/16
"""
COUNTS = """
[root@oak-1 ~]# iptables-save | sed -nE "s/^:cali-fw-.*/workloads/p;s/x/restricted/p" | sort | uniq -c
{rows}
"""


def test_the_members_of_the_set_of_all_pools():
    found = picture_of(SETS).all(ProgrammedPool)
    assert [(pool.host, pool.cidr) for pool in found] == [("oak-1", "10.244.0.0/16"), ("oak-1", "10.245.0.0/16")]


def test_the_figures_of_the_rules():
    (rules,) = picture_of(COUNTS.format(rows="      3 allowing\n     12 restricted\n     14 workloads")).all(
        EgressRules
    )
    assert (rules.host, rules.workloads, rules.restricted, rules.allowing) == ("oak-1", 14, 12, 3)
    (rules,) = picture_of(COUNTS.format(rows="      2 workloads")).all(EgressRules)
    assert (rules.restricted, rules.allowing) == (0, 0)
    assert not picture_of(COUNTS.format(rows="")).all(EgressRules)

"""Pods whose packets leave the cluster with their own address."""

from __future__ import annotations

import pytest

from calivet.facts.calico import Pool
from calivet.facts.fact import Reach
from calivet.facts.host import Capture, Packet
from calivet.facts.kubernetes import Node
from calivet.readers.calico.calicoctl import GET_READER as TABLES
from calivet.signs.ipam.outgoing_nat import SIGNS
from tests.facts.drawing import picture_of
from tests.readers.host_reading import facts_of
from tests.signs.made_pictures import line, picture, thing

OFF = Pool(at=line(), cidr="10.8.0.0/16", nat_outgoing=False)
ON = Pool(at=line(), cidr="10.8.0.0/16", nat_outgoing=True)


def seen(name, *facts):
    return list(SIGNS[name](picture(*facts)))


def lost(target, pod="web-1", outcome="loss"):
    return Reach(at=line(), target=target, protocol="icmp", outcome=outcome, pod=pod)


def test_the_outside_is_lost_and_nat_is_off():
    (found,) = seen("outside-lost-without-nat", OFF, lost("203.0.113.7"))
    assert found.values == {"cidr": "10.8.0.0/16", "target": "203.0.113.7", "pod": "web-1"}
    assert not seen("outside-lost-without-nat", ON, lost("203.0.113.7"))
    assert not seen("outside-lost-without-nat", OFF, lost("203.0.113.7", outcome="ok"))
    assert not seen("outside-lost-without-nat", OFF, lost("2001:db8::7")), "the pool is of the other family"


@pytest.mark.parametrize("inside", ["10.8.4.4", "192.0.2.4", "127.0.0.1", "some.name"])
def test_pods_nodes_and_names_are_not_outside(inside):
    node = Node(at=line(), name="wk-4", internal_ip="192.0.2.4")
    assert not seen("outside-lost-without-nat", OFF, node, lost(inside))


def test_a_test_from_a_node_says_nothing_of_pods():
    node = Node(at=line(), name="wk-4", internal_ip="192.0.2.4")
    from_node = Reach(at=line(), target="203.0.113.7", protocol="icmp", outcome="loss", host="wk-4")
    assert not seen("outside-lost-without-nat", OFF, node, from_node)


def test_a_pod_address_on_the_wire():
    def capture(interface, source="10.8.4.4", tunnel=None):
        start = line()
        packet = Packet(at=line(), capture=start, source=source, target="203.0.113.7", tunnel=tunnel)
        return seen("pod-address-seen-outside", OFF, Capture(at=start, interface=interface), packet)

    assert capture("eth0")
    assert not capture("cali0a1b2c")
    assert not capture("any")
    assert not capture("eth0", source="192.0.2.4")


def test_where_it_is_written():
    table = """
    NAME     CIDR           NAT     IPIPMODE   VXLANMODE   DISABLED   SELECTOR
    build    10.8.64.0/20   false   Always     Never       false      all()
    main     10.8.0.0/18    true    Always     Never       false      all()
    """
    assert [fact.nat_outgoing for fact in facts_of(TABLES, table)] == [False, True]
    installation = thing(
        "Installation",
        **{
            "spec__calicoNetwork__ipPools[0]__natOutgoing": "Disabled",
            "spec__calicoNetwork__ipPools[0]__cidr": "10.8.0.0/16",
        },
    )
    assert [one.values for one in seen("pool-without-nat", installation)] == [{"cidr": "10.8.0.0/16"}]
    assert seen("every-pool-has-nat", ON)
    assert not seen("every-pool-has-nat", ON, Pool(at=line(), cidr="10.9.0.0/16", nat_outgoing=False))


YAML = """
apiVersion: projectcalico.org/v3
kind: IPPool
metadata:
  name: main
spec:
  blockSize: 26
  cidr: 10.8.0.0/16
  ipipMode: Always
{nat}  nodeSelector: all()
  vxlanMode: Never
"""


@pytest.mark.parametrize(
    ("nat", "read"), [("  natOutgoing: true\n", True), ("  natOutgoing: false\n", False), ("", False)]
)
def test_what_is_off_is_left_out_of_a_whole_pool(nat, read):
    (pool,) = picture_of({"pool.yaml": YAML.format(nat=nat)}).all(Pool)
    assert pool.nat_outgoing is read


def test_a_part_of_a_pool_says_nothing():
    (pool,) = picture_of({"pool.yaml": YAML.format(nat="").replace("  nodeSelector: all()\n", "")}).all(Pool)
    assert pool.nat_outgoing is None

"""Addresses that pods ask for, and nodes that may not take another block."""

from __future__ import annotations

from calivet.facts.calico import AddressAnnotation, Pool
from calivet.facts.kubernetes import Row
from calivet.readers.calico.calicoctl import ADDRESS_ANNOTATIONS_READER
from calivet.signs.ipam.pools import SIGNS
from tests.readers.host_reading import facts_of
from tests.signs.made_pictures import line, picture, thing


def seen(name, *facts):
    return list(SIGNS[name](picture(*facts)))


def affinity(number, node="wk-1"):
    cidr = f"10.7.0.{number * 16}/28"
    return Row(at=line(cidr), resource="blockaffinity", name=f"{node}-x", cells={"CIDR": cidr, "NODE": node})


def test_an_address_outside_all_pools():
    asked = AddressAnnotation(at=line(), addresses=("10.50.9.40",))
    pool = Pool(at=line(), cidr="10.60.0.0/16")
    (found,) = seen("asked-address-outside-pools", asked, pool)
    assert found.values == {"address": "10.50.9.40", "pools": "10.60.0.0/16"}
    holding = Pool(at=line(), cidr="10.50.0.0/16")
    assert not seen("asked-address-outside-pools", asked, pool, holding)
    assert seen("asked-address-outside-pools", asked, pool, Pool(at=line(), cidr="10.50.0.0/16", disabled=True))
    assert not seen("asked-address-outside-pools", asked, Pool(at=line(), cidr="fd00:7::/48")), "none of its family"
    assert seen("pod-asks-for-address", asked)


def test_how_annotations_are_written():
    written = """
    Annotations:      cni.projectcalico.org/ipAddrs: ["10.50.9.40"]
            cni.projectcalico.org/ipAddrs: '["10.50.9.41", "fd00:7::41"]'
        "cni.projectcalico.org/ipAddrsNoIpam": "[\\"10.50.9.42\\"]"
            cni.projectcalico.org/podIP: 10.50.9.43/32
    """
    found = [fact.addresses for fact in facts_of(ADDRESS_ANNOTATIONS_READER, written)]
    assert found == [("10.50.9.40",), ("10.50.9.41", "fd00:7::41"), ("10.50.9.42",)]


def test_as_many_blocks_as_are_allowed():
    name = "node-has-all-blocks-it-may"
    limit = thing("IPAMConfig", spec__maxBlocksPerHost=3)
    (found,) = seen(name, limit, *map(affinity, range(3)), affinity(5, node="wk-2"))
    assert found.values == {"node": "wk-1", "blocks": "3", "limit": "3"}
    assert not seen(name, limit, *map(affinity, range(2)))
    assert not seen(name, *map(affinity, range(9))), "the limit was not seen"


def test_zero_stands_for_twenty():
    table = Row(at=line(), resource="ipam", name="x", cells={"PROPERTY": "MaxBlocksPerHost", "VALUE": "0"})
    name = "node-has-all-blocks-it-may"
    assert not seen(name, table, *map(affinity, range(15)))
    blocks = [
        thing("BlockAffinity", f"b{number}", spec__node="wk-9", spec__cidr=f"10.9.{number}.0/26")
        for number in range(20)
    ]
    assert seen(name, table, *blocks)

"""What Windows nodes need of Calico."""

from __future__ import annotations

from calivet.facts.calico import Pool
from calivet.facts.kubernetes import Node, Row
from calivet.signs.install.installation import SIGNS
from tests.signs.made_pictures import line, picture, thing

WINDOWS = Node(at=line(), name="win-1", os="Windows Server 2022 Datacenter")
LINUX = Node(at=line(), name="lin-1", os="Ubuntu 22.04 LTS")


def seen(name, *facts):
    return list(SIGNS[name](picture(*facts)))


def test_strict_affinity_is_off():
    off = thing("IPAMConfig", spec__strictAffinity=False)
    table = Row(at=line(), resource="ipam", name="x", cells={"PROPERTY": "StrictAffinity", "VALUE": "false"})
    for shown in (off, table):
        (found,) = seen("windows-without-strict-affinity", WINDOWS, LINUX, shown)
        assert found.node == "win-1"
        assert not seen("windows-without-strict-affinity", LINUX, shown)
    assert not seen("windows-without-strict-affinity", WINDOWS, thing("IPAMConfig", spec__strictAffinity=True))


def test_only_ip_in_ip():
    ipip = Pool(at=line(), cidr="10.8.0.0/16", ipip="Always", vxlan="Never")
    vxlan = Pool(at=line(), cidr="10.9.0.0/16", ipip="Never", vxlan="Always")
    assert seen("windows-with-ipip", WINDOWS, ipip)
    assert not seen("windows-with-ipip", WINDOWS, ipip, vxlan)
    assert not seen("windows-with-ipip", LINUX, ipip)

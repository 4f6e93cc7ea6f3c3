"""Who writes the routes to other nodes' pods."""

from __future__ import annotations

import pytest

from calivet.facts.calico import Pool
from calivet.facts.fact import Variable, Version
from calivet.facts.host import Route
from calivet.signs.bgp.route_programming import SIGNS
from tests.signs.made_pictures import line, picture, thing

IPIP = Pool(at=line(), cidr="10.8.0.0/16", ipip="Always", vxlan="Never")
PLAIN = Pool(at=line(), cidr="10.8.0.0/16", ipip="Never", vxlan="Never")
VXLAN = Pool(at=line(), cidr="10.8.0.0/16", ipip="Never", vxlan="Always")


def seen(name, felix, bird, pool=IPIP, version="v3.32.0"):
    facts = [pool, Version(at=line(), program="calico-node", version=version)]
    for kind, value in (("FelixConfiguration", felix), ("BGPConfiguration", bird)):
        facts.append(thing(kind, **({"spec__programClusterRoutes": value} if value else {"spec__x": 1})))
    return list(SIGNS[name](picture(*facts)))


@pytest.mark.parametrize(
    ("felix", "bird", "pool", "version", "writers"),
    [
        ("Disabled", "Disabled", IPIP, "v3.32.0", 0),
        ("Disabled", "", IPIP, "v3.33.0", 0),
        ("Disabled", "", IPIP, "v3.32.0", 1),
        ("Enabled", "Enabled", IPIP, "v3.32.0", 2),
        ("Enabled", "", IPIP, "v3.32.0", 2),
        ("Enabled", "Disabled", IPIP, "v3.32.0", 1),
        ("", "EnabledIPIPOnly", PLAIN, "v3.33.0", 0),
        ("", "EnabledNoEncapOnly", PLAIN, "v3.33.0", 1),
        ("EnabledIPIPOnly", "EnabledIPIPOnly", IPIP, "v3.33.0", 2),
        ("Disabled", "Disabled", VXLAN, "v3.32.0", 1),
        ("", "", IPIP, "v3.33.0", 1),
    ],
)
def test_one_writer_for_each_kind_of_pool(felix, bird, pool, version, writers):
    assert bool(seen("cluster-routes-of-nobody", felix, bird, pool, version)) is (writers == 0)
    assert bool(seen("cluster-routes-of-two", felix, bird, pool, version)) is (writers == 2)


def test_nothing_is_said_of_a_setting_that_was_not_seen():
    felix = thing("FelixConfiguration", spec__programClusterRoutes="Disabled")
    assert not list(SIGNS["cluster-routes-of-nobody"](picture(felix, IPIP)))


def test_the_variable_wins():
    variable = Variable(at=line(), name="FELIX_PROGRAMCLUSTERROUTES", value="Disabled")
    felix = thing("FelixConfiguration", spec__programClusterRoutes="Enabled")
    bird = thing("BGPConfiguration", spec__programClusterRoutes="Disabled")
    (found,) = SIGNS["cluster-routes-of-nobody"](picture(variable, felix, bird, IPIP))
    assert found.values == {"kind": "IPIP", "felix": "Disabled", "bird": "Disabled"}


def test_a_route_by_both():
    def route(protocol, host="kes-1"):
        return Route(at=line(), host=host, destination="10.8.4.0/26", via="10.1.0.4", device="tunl0", protocol=protocol)

    assert list(SIGNS["cluster-route-twice"](picture(route("bird"), route("80"))))
    assert not list(SIGNS["cluster-route-twice"](picture(route("bird"), route("80", host="kes-2"))))
    assert not list(SIGNS["cluster-route-twice"](picture(route("bird"), route("bird"))))

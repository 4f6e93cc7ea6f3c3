from calivet.facts.calico import Pool
from calivet.facts.kubernetes import Node
from calivet.signs.ipam.usable_pools import SIGNS
from tests.signs.made_pictures import line, picture, thing


def seen(name, *facts):
    return list(SIGNS[name](picture(*facts)))


def pool(name="p", **values):
    return thing("IPPool", name, **({"spec__cidr": "10.244.0.0/16"} | values))


def test_a_pool_that_leaves_pods_out_gives_them_nothing():
    tunnels = pool(**{"spec.allowedUses[0]": "Tunnel"})
    assert seen("no-pool-for-pods", tunnels)
    assert seen("no-pool-for-pods", pool(spec__assignmentMode="Manual"))
    assert not seen("no-pool-for-pods", pool(**{"spec.allowedUses[0]": "Tunnel", "spec.allowedUses[1]": "Workload"}))
    assert not seen("no-pool-for-pods", tunnels, pool("q"))
    assert seen("no-pool-for-pods", tunnels, pool("q", spec__disabled=True))


def test_a_reservation_of_all_leaves_nothing():
    def reserved(cidr):
        return thing("IPReservation", "r", **{"spec.reservedCIDRs[0]": cidr})

    assert seen("pools-reserved-whole", pool(), reserved("10.244.0.0/15"))
    assert not seen("pools-reserved-whole", pool(), reserved("10.244.0.0/17"))
    assert not seen("pools-reserved-whole", pool(), pool("q", spec__cidr="10.9.0.0/16"), reserved("10.244.0.0/16"))


def test_who_may_not_borrow_needs_a_block_of_its_own():
    small = Pool(at=line(), cidr="10.244.0.0/26", block_size=26)
    nodes = [Node(at=line(), name=f"n{number}") for number in range(3)]
    strict = thing("IPAMConfig", spec__strictAffinity=True)
    (found,) = seen("nodes-without-own-block", small, *nodes, strict)
    assert (found.values["blocks"], found.values["nodes"]) == ("1", "3")
    assert not seen("nodes-without-own-block", small, *nodes, thing("IPAMConfig", spec__strictAffinity=False))

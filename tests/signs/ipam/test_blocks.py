from calivet.facts.calico import Pool
from calivet.facts.host import Interface
from calivet.facts.kubernetes import Node, Row
from calivet.signs.ipam.pools import SIGNS
from tests.facts.drawing import sightings
from tests.signs.made_pictures import line, output, picture, pod, thing


def seen(name, *facts, artifacts=None):
    return list(SIGNS[name](picture(*facts, artifacts=artifacts)))


def affinity(cidr, node="wk-1"):
    return Row(at=line(cidr), resource="blockaffinity", name=f"{node}-x", cells={"CIDR": cidr, "NODE": node})


def test_all_blocks_claimed_by_a_count_that_the_operator_made():
    pool = Pool(at=line(), cidr="10.55.16.0/21")
    size = output("kubectl get ippool p -o jsonpath='{.spec.blockSize}'; echo", "26")
    full = output("kubectl get ipamblocks.crd.projectcalico.org --no-headers | wc -l", "32")
    (found,) = seen("pool-blocks-all-claimed", pool, artifacts=[size, full])
    assert found.values == {"cidr": "10.55.16.0/21", "blocks": "32"}
    some = output("kubectl get ipamblocks.crd.projectcalico.org --no-headers | wc -l", "15")
    assert not seen("pool-blocks-all-claimed", pool, artifacts=[size, some])


def test_a_pool_with_fewer_blocks_than_nodes():
    nodes = [Node(at=line(), name=f"wk-{number}") for number in range(5)]
    small = Pool(at=line(), cidr="10.7.0.0/24", block_size=26)
    (found,) = seen("more-nodes-than-blocks", small, *nodes)
    assert found.values == {"cidr": "10.7.0.0/24", "blocks": "4", "nodes": "5"}
    assert not seen("more-nodes-than-blocks", Pool(at=line(), cidr="10.7.0.0/16"), *nodes)
    assert not seen("more-nodes-than-blocks", small, Pool(at=line(), cidr="10.8.0.0/16"), *nodes)


def test_blocks_that_overlap():
    (found,) = seen("blocks-overlap", affinity("10.7.32.0/20"), affinity("10.7.32.0/22"), affinity("10.7.64.0/22"))
    assert {found.values["first"], found.values["second"]} == {"10.7.32.0/20", "10.7.32.0/22"}
    assert not seen("blocks-overlap", affinity("10.7.32.0/22"), affinity("10.7.36.0/22"))
    check = output(
        "calicoctl ipam check", " IPAM block 10.7.32.0/20 affinity=host:a:\n IPAM block 10.7.32.0/22 affinity=host:b:"
    )
    assert seen("blocks-overlap", artifacts=[check])
    objects = [thing("IPAMBlock", "a", spec__cidr="10.7.0.0/24"), thing("IPAMBlock", "b", spec__cidr="10.7.0.64/26")]
    assert seen("blocks-overlap", *objects)


def test_one_address_for_two_living_pods():
    one = pod("web-1", ip="10.7.3.4", node="wk-1", status="Running", namespace="a")
    other = pod("web-2", ip="10.7.3.4", node="wk-2", status="Running", namespace="a")
    (found,) = seen("one-address-two-pods", one, other)
    assert found.values == {"address": "10.7.3.4", "pods": "web-1, web-2"}
    done = pod("job-1", ip="10.7.3.4", node="wk-2", status="Completed", namespace="a")
    assert not seen("one-address-two-pods", one, done)
    assert not seen("one-address-two-pods", one, one)
    card = Interface(at=line(), name="eth0", addresses=("10.7.3.4/24",), host="wk-1")
    assert not seen("one-address-two-pods", one, other, card)


def test_a_pod_on_a_tunnel_address():
    tunnel = Interface(at=line(), name="tunl0", addresses=("10.7.3.64/32",), host="wk-1")
    assert seen("pod-has-tunnel-address", tunnel, pod("web-1", ip="10.7.3.64", status="Running"))
    assert not seen("pod-has-tunnel-address", tunnel, pod("web-1", ip="10.7.3.65", status="Running"))


def test_calicoctl_alone_shows_that_all_blocks_are_claimed():
    table = """
[root@alder-1 ~]# calicoctl ipam show --show-blocks
+----------+----------------+-----------+------------+-----------+
| GROUPING |      CIDR      | IPS TOTAL | IPS IN USE | IPS FREE  |
+----------+----------------+-----------+------------+-----------+
| IP Pool  | 10.77.7.0/24   |       256 | 71 (28%)   | 185 (72%) |
| Block    | 10.77.7.0/26   |        64 | 12 (19%)   | 52 (81%)  |
| Block    | 10.77.7.128/26 |        64 | 23 (36%)   | 41 (64%)  |
| Block    | 10.77.7.192/26 |        64 | 17 (27%)   | 47 (73%)  |
| Block    | 10.77.7.64/26  |        64 | 19 (30%)   | 45 (70%)  |
+----------+----------------+-----------+------------+-----------+
"""
    (found,) = sightings("pool-blocks-all-claimed", table)
    assert found.values == {"cidr": "10.77.7.0/24", "blocks": "4"}
    assert sightings("pool-blocks-all-claimed", table.replace("10.77.7.0/24 ", "10.77.0.0/16 ")) == []

from calivet.facts.calico import Pool
from calivet.facts.kubernetes import Row
from calivet.signs.ipam.pools import SIGNS
from tests.signs.made_pictures import line, output, picture, pod


def seen(name, *facts, artifacts=None):
    return list(SIGNS[name](picture(*facts, artifacts=artifacts)))


def test_pods_outside_every_pool_and_on_a_known_bridge():
    pool = Pool(at=line(), cidr="10.66.0.0/16")
    lost = pod("coredns-5f7d8b9c6d-q2k4t", ip="10.88.0.9", node="cp-1", status="Running")
    good = pod("web-1", ip="10.66.3.4", node="cp-1", status="Running")
    host = pod("calico-node-t7w2p", ip="172.21.4.7", node="cp-1", status="Running")
    beside = pod("node-exporter-1", ip="172.21.4.7", node="cp-1", status="Running")
    facts = (pool, lost, good, host, beside)
    (found,) = seen("pod-address-outside-pools", *facts)
    assert found.values["pod"] == "coredns-5f7d8b9c6d-q2k4t"
    (found,) = seen("pod-address-of-other-bridge", *facts)
    assert found.values["bridge"] == "podman"
    assert not seen("pod-address-outside-pools", lost)
    assert not seen("pod-address-of-other-bridge", lost)
    assert not seen("pod-address-of-other-bridge", Pool(at=line(), cidr="10.88.0.0/16"), lost)


def test_a_pod_in_no_block_although_all_blocks_were_listed():
    check = output(
        "calicoctl ipam check", " IPAM block 10.66.3.0/26 affinity=host:cp-1:\nCheck complete; found 0 problems."
    )
    stranger = pod("web-1", ip="10.66.0.7", node="cp-1", status="Running")
    own = pod("web-2", ip="10.66.3.7", node="cp-1", status="Running")
    (found,) = seen("pod-address-outside-blocks", stranger, own, artifacts=[check])
    assert found.values == {"pod": "web-1", "address": "10.66.0.7"}
    assert not seen("pod-address-outside-blocks", stranger)


def test_addresses_of_the_range_that_kubernetes_was_told():
    pool = Pool(at=line(), cidr="192.168.0.0/16")
    local = pod("web-1", ip="10.61.2.17", node="wk-1", status="Running")
    told = output("ps -ef | grep -o cluster-cidr", "cluster-cidr=10.61.0.0/16")
    assert seen("pod-address-in-told-range", pool, local, artifacts=[told])
    assert not seen("pod-address-in-told-range", pool, local)


def shared(*, first="n1", second="n2", address="10.7.0.9"):
    pool = Pool(at=line(), cidr="10.7.0.0/16", name="main")
    held = [
        pod(name, ip=address, node=node, status="Running") for name, node in (("cart-0", first), ("till-0", second))
    ]
    return picture(pool, *held)


def test_one_address_on_two_nodes():
    (found,) = SIGNS["one-address-two-nodes"](shared())
    assert found.values == {"address": "10.7.0.9", "pods": "cart-0, till-0"}
    assert not list(SIGNS["one-address-two-nodes"](shared(second="n1")))
    # The bridge of a runtime, which every machine has.
    assert not list(SIGNS["one-address-two-nodes"](shared(address="172.17.0.2")))


def test_the_pool_of_a_block_is_gone():
    pool = Pool(at=line(), cidr="10.7.0.0/16", name="new")
    block = Row(at=line(), resource="blockaffinity", name="b", cells={"CIDR": "10.4.0.64/26"})
    lost = pod("cart-0", ip="10.4.0.70", node="n1", status="Running", ready=True)
    (found,) = SIGNS["pod-in-block-without-pool"](picture(pool, block, lost))
    assert found.values["address"] == "10.4.0.70"
    assert not list(SIGNS["pod-in-block-without-pool"](picture(pool, lost)))

import pytest

from calivet.facts.calico import CniConfig, Pool
from calivet.facts.kubernetes import Node
from calivet.signs.ipam.pools import SIGNS
from tests.signs.made_pictures import line, output, picture, thing


def seen(name, *facts, artifacts=None):
    return list(SIGNS[name](picture(*facts, artifacts=artifacts)))


def pool(cidr, **fields):
    return Pool(at=line(), cidr=cidr, **fields)


def test_every_pool_off():
    assert seen("every-pool-disabled", pool("10.1.0.0/16", disabled=True))
    assert not seen("every-pool-disabled", pool("10.1.0.0/16", disabled=True), pool("10.2.0.0/16", disabled=False))
    assert not seen("every-pool-disabled", pool("10.1.0.0/16", disabled=True), pool("10.1.0.0/16", disabled=False))
    assert not seen("every-pool-disabled")


@pytest.mark.parametrize(
    ("selector", "missed"),
    [
        ("all()", False),
        ("zone == 'a'", False),
        ("zone == 'b'", True),
        ("has(gpu)", True),
        ("!has(gpu)", False),
        ("zone != 'a'", True),
        ("zone == 'b' || has(zone)", False),
        ("zone in {'b'}", True),
        ("zone in {'a', 'b'}", False),
        ("zone like 'b'", False),
        ("zone == 'a' && has(gpu)", True),
    ],
)
def test_selectors_against_labels(selector, missed):
    node = Node(at=line(), name="wk-1", labels={"zone": "a"})
    assert bool(seen("pool-selectors-miss-node", pool("10.1.0.0/16", selector=selector), node)) is missed


def test_a_disabled_pool_selects_nobody_and_an_unseen_selector_says_nothing():
    node = Node(at=line(), name="wk-1", labels={"zone": "a"})
    off = pool("10.1.0.0/16", selector="all()", disabled=True)
    wrong = pool("10.2.0.0/16", selector="zone == 'b'")
    assert seen("pool-selectors-miss-node", off, wrong, node)
    assert not seen("pool-selectors-miss-node", pool("10.3.0.0/16"), wrong, node)


def test_annotations_that_name_a_gone_pool():
    known = pool("10.1.0.0/16", name="pool-new")
    asked = output("kubectl describe pod web", 'Annotations:  cni.projectcalico.org/ipv4pools: ["pool-old"]')
    (found,) = seen("annotation-names-unknown-pool", known, artifacts=[asked])
    assert found.values == {"pool": "pool-old"}
    fine = output("kubectl describe pod web", 'Annotations:  cni.projectcalico.org/ipv4pools: ["pool-new"]')
    assert not seen("annotation-names-unknown-pool", known, artifacts=[fine])
    assert not seen("annotation-names-unknown-pool", artifacts=[asked])
    owner = thing("Namespace", **{"metadata__annotations__cni.projectcalico.org/ipv4pools": '["pool-old"]'})
    assert seen("annotation-names-unknown-pool", known, owner)


def test_pools_that_select_no_node_at_all():
    def found(selector, **labels):
        nodes = [Node(at=line(), name=name, labels={"zone": zone}) for name, zone in labels.items()]
        return list(SIGNS["pools-select-no-node"](picture(pool("10.1.0.0/16", selector=selector), *nodes)))

    assert found("zone == 'west'", w1="east", w2="north")
    assert not found("zone == 'east'", w1="east", w2="north")
    assert not found("zone == 'west'", w1="east")


def test_a_worker_that_no_pool_selects():
    def node(name, zone, *, ready=True, **more):
        return Node(at=line(), name=name, ready=ready, labels={"os": "linux", **zone, **more})

    north = Pool(at=line(), cidr="10.7.0.0/16", name="north", selector="zone == 'north'")
    plain = [node("n1", {"zone": "north"}), node("n2", {}), north]
    (found,) = SIGNS["workers-without-pool"](picture(*plain))
    assert found.node == "n2"
    plane = {"node-role.kubernetes.io/control-plane": ""}
    assert not list(SIGNS["workers-without-pool"](picture(plain[0], node("n2", plane), north)))
    assert not list(SIGNS["workers-without-pool"](picture(plain[0], node("n2", {}, ready=False), north)))


def test_the_plugin_asks_for_a_pool_by_name():
    pool = Pool(at=line(), cidr="10.7.0.0/16", name="north")

    def seen(*names):
        return list(SIGNS["plugin-names-unknown-pool"](picture(pool, CniConfig(at=line(), pools=names))))

    assert seen("south")[0].values == {"pool": "south"}
    assert not seen("north")
    assert not seen("10.7.0.0/16")
    assert not seen("south", "north")
    assert not seen()

import pytest

from calivet.facts.calico import NodeAddress, Pool
from calivet.facts.fact import Command, EmptySearch, Variable, Version
from calivet.facts.kubernetes import Node
from calivet.signs.bgp.configured_routes import SIGNS
from tests.signs.made_pictures import line, picture, thing

LISTED = Command(at=line(), line="kubectl get bgppeers.crd.projectcalico.org -o yaml", printed=9)
MESH_OFF = thing("BGPConfiguration", spec__nodeToNodeMeshEnabled=False)
REFLECTOR = "metadata.annotations.projectcalico.org/RouteReflectorClusterID"


def seen(name, *facts):
    return list(SIGNS[name](picture(*facts)))


def nodes(count=3, **labels):
    return [
        Node(at=line(), name=f"n{number}", labels={"kubernetes.io/os": "linux", **labels}) for number in range(count)
    ]


def address(node, written):
    return NodeAddress(at=line(), node=node, address=written, source="annotation")


def reflected(*, reflects: bool):
    first = Node(at=line(), name="n0", labels={"rr": "yes"})
    about = [thing("Node", "n0", **{REFLECTOR: "244.0.0.1"})] if reflects else []
    peer = thing("BGPPeer", "rr", spec__nodeSelector="all()", spec__peerSelector="rr == 'yes'")
    return [LISTED, MESH_OFF, peer, first, *nodes()[1:], *about]


def test_only_a_reflector_passes_on_what_it_learns():
    (found,) = seen("routes-not-passed-on", *reflected(reflects=False))
    assert found.values == {"node": "n1", "other": "n2"}
    assert not seen("routes-not-passed-on", *reflected(reflects=True))


def test_a_router_may_pass_on_anything():
    router = thing("BGPPeer", "rack", spec__peerIP="10.0.0.1")
    assert not seen("routes-not-passed-on", *reflected(reflects=False), router)


def test_between_different_as_numbers_everybody_passes_on():
    own = thing("Node", "n1", **{"metadata.annotations.projectcalico.org/ASNumber": "64777"})
    assert not seen("routes-not-passed-on", *reflected(reflects=False), own)


def test_a_filter_that_rejects_first_and_all_lets_nothing_through():
    peer = thing("BGPPeer", "rack", spec__peerIP="10.0.0.1", **{"spec.filters[0]": "quiet"})
    shut = thing("BGPFilter", "quiet", **{"spec.exportV4[0].action": "Reject"})
    (found,) = seen("filter-rejects-all", LISTED, MESH_OFF, peer, shut)
    assert found.values == {"filter": "quiet", "peer": "rack", "direction": "export"}
    some = thing("BGPFilter", "quiet", **{"spec.exportV4[0].action": "Reject", "spec.exportV4[0].cidr": "10.9.0.0/16"})
    assert not seen("filter-rejects-all", LISTED, MESH_OFF, peer, some)
    open_one = thing("BGPPeer", "other", spec__peerIP="10.0.0.2")
    assert not seen("filter-rejects-all", LISTED, MESH_OFF, peer, open_one, shut)


@pytest.mark.parametrize(
    ("ipip", "vxlan", "second", "told"),
    [
        ("Never", "Never", "10.0.2.7/24", True),
        ("Never", "CrossSubnet", "10.0.2.7/24", False),
        (None, None, "10.0.2.7/24", False),
        ("Never", "Never", "10.0.1.7/24", False),
    ],
    ids=["no tunnel", "tunnels between networks", "not shown", "one network"],
)
def test_without_tunnels_nodes_of_two_networks_need_a_router_that_knows(ipip, vxlan, second, told):
    pool = Pool(at=line(), cidr="10.244.0.0/16", ipip=ipip, vxlan=vxlan)
    empty = EmptySearch(at=line(), what="bgp-peers")
    found = seen("pool-needs-other-network", pool, empty, address("a", "10.0.1.5/24"), address("b", second))
    assert bool(found) is told


def test_a_node_is_called_where_it_does_not_listen():
    known = [Node(at=line(), name="n1", internal_ip="10.0.0.7")]
    own = thing("BGPConfiguration", "node.n1", spec__listenPort=1790)
    peer = thing("BGPPeer", "p", spec__peerIP="10.0.0.7:179")
    (found,) = seen("peer-port-of-nobody", *known, own, peer)
    assert found.values["own"] == "1790"
    assert not seen("peer-port-of-nobody", *known, own, thing("BGPPeer", "p", spec__peerIP="10.0.0.7"))
    assert not seen("peer-port-of-nobody", *known, own, thing("BGPPeer", "p", spec__peerIP="10.0.0.7:1790"))


def test_a_password_at_one_end_of_two():
    known = [Node(at=line(), name=f"n{number}", internal_ip=f"10.0.0.{number}") for number in (1, 2)]
    secret = {"spec.password.secretKeyRef.key": "p"}
    one = thing("BGPPeer", "one", spec__node="n1", spec__peerIP="10.0.0.2", **secret)
    other = thing("BGPPeer", "other", spec__node="n2", spec__peerIP="10.0.0.1")
    assert {found.node for found in seen("password-at-one-end", *known, one, other)} == {"n1", "n2"}
    both = thing("BGPPeer", "other", spec__node="n2", spec__peerIP="10.0.0.1", **secret)
    assert not seen("password-at-one-end", *known, one, both)


@pytest.mark.parametrize(("version", "told"), [("v3.30.4", True), ("v3.31.0", False)])
def test_nobody_writes_the_routes_of_ipip_without_bird(version, told):
    pool = Pool(at=line(), cidr="10.244.0.0/16", ipip="Always", vxlan="Never")
    backend = Variable(at=line(), name="CALICO_NETWORKING_BACKEND", value="vxlan")
    release = Version(at=line(), program="calico-node", version=version)
    assert bool(seen("tunnel-routes-without-bird", pool, backend, release)) is told
    plain = Pool(at=line(), cidr="10.244.0.0/16", ipip="Never", vxlan="Always")
    assert not seen("tunnel-routes-without-bird", plain, backend, release)


def test_a_pool_that_bird_tells_nobody_of():
    told = thing("IPPool", "main", spec__disableBGPExport=True)
    pool = Pool(at=line(), cidr="10.7.0.0/16", name="main", ipip="Always", vxlan="Never")
    (found,) = seen("pool-not-exported", *nodes(), told, pool)
    assert found.values == {"name": "main"}
    assert not seen("pool-not-exported", *nodes(count=1), told, pool)
    assert not seen("pool-not-exported", *nodes(), thing("IPPool", "main", spec__disableBGPExport=False), pool)
    wrapped = Pool(at=line(), cidr="10.7.0.0/16", name="main", ipip="Never", vxlan="Always")
    assert not seen("pool-not-exported", *nodes(), told, wrapped)
    felix = thing("FelixConfiguration", spec__programClusterRoutes="Enabled")
    assert not seen("pool-not-exported", *nodes(), told, pool, felix)

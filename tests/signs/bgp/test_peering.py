from calivet.evidence.artifact import Line
from calivet.facts.calico import BgpPeer, Pool
from calivet.facts.fact import Command, EmptySearch, Variable
from calivet.facts.kubernetes import Node, Pod, Probe, Row
from calivet.signs.bgp.peering import SIGNS
from tests.signs.made_pictures import line, output, picture, thing


def seen(name, *facts, artifacts=None):
    return list(SIGNS[name](picture(*facts, artifacts=artifacts)))


def node_status(host="wk-1"):
    return output("calicoctl node status", "Calico process is running.\n\nIPv4 BGP status\nNo IPv4 peers found.", host)


def nodes(*names, **labels):
    return [Node(at=line(name), name=name, labels=labels) for name in names]


MESH_OFF = thing("BGPConfiguration", spec__nodeToNodeMeshEnabled=False)


def test_installations_without_bgp_are_known_by_variable_installation_and_cut_down_output():
    variable = Variable(at=line(), name="CALICO_NETWORKING_BACKEND", value="vxlan")
    assert seen("no-bird-by-design", variable)
    assert seen("no-bird-by-design", thing("Installation", spec__calicoNetwork__bgp="Disabled"))
    assert seen("no-bird-by-design", thing("ConfigMap", data__calico_backend="none"))
    cut = output("kubectl describe pod x | grep BACKEND", "      CALICO_NETWORKING_BACKEND:          vxlan")
    assert seen("no-bird-by-design", artifacts=[cut])
    assert not seen("no-bird-by-design", Variable(at=line(), name="CALICO_NETWORKING_BACKEND", value="bird"))
    assert not seen("no-bird-by-design", thing("Installation", spec__calicoNetwork__bgp="Enabled"))


def test_a_probe_for_bird_where_there_is_none():
    probe = Probe(at=line(), kind="readiness", action="exec", target="/bin/calico-node -felix-ready -bird-ready")
    off = Variable(at=line(), name="CALICO_NETWORKING_BACKEND", value="vxlan")
    assert seen("bird-probe-without-bird", probe, off)
    assert not seen("bird-probe-without-bird", probe)
    plain = Probe(at=line(), kind="readiness", action="exec", target="/bin/calico-node -felix-ready")
    assert not seen("bird-probe-without-bird", plain, off)


def test_of_manifests_side_by_side_each_speaks_of_its_own_probes():
    def stated(document, backend):
        return Variable(at=Line(document, 9, ""), name="CALICO_NETWORKING_BACKEND", value=backend)

    def asked(document):
        target = "/bin/calico-node -felix-ready -bird-ready"
        return Probe(at=Line(document, 12, ""), kind="readiness", action="exec", target=target)

    both = (stated("bird.yaml", "bird"), stated("none.yaml", "none"))
    assert not seen("bird-probe-without-bird", *both, asked("bird.yaml"))
    assert seen("bird-probe-without-bird", *both, asked("none.yaml"))


def test_no_peers_says_something_only_in_a_cluster_of_several_nodes():
    (found,) = seen("no-peers-among-several-nodes", *nodes("wk-1", "wk-2"), artifacts=[node_status()])
    assert found.node == "wk-1"
    assert not seen("no-peers-among-several-nodes", *nodes("wk-1"), artifacts=[node_status()])
    assert not seen(
        "no-peers-among-several-nodes",
        *nodes("wk-1", "wk-2"),
        thing("Installation", spec__calicoNetwork__bgp="Disabled"),
        artifacts=[node_status()],
    )


def test_the_mesh_is_off_and_nobody_took_its_place():
    assert seen("mesh-off-without-peers", MESH_OFF, artifacts=[node_status()])
    row = Row(at=line(), resource="bgpconfiguration", name="default", cells={"MESHENABLED": "false"})
    assert seen("mesh-off-without-peers", row, artifacts=[node_status()])
    assert not seen("mesh-off-without-peers", artifacts=[node_status()])


def test_sessions_with_routers_only():
    router = BgpPeer(at=line(), address="10.9.0.1", state="up", info="Established", type="global")
    mesh = BgpPeer(at=line(), address="10.9.0.2", state="up", info="Established", type="node-to-node mesh")
    assert seen("mesh-off-routers-only", MESH_OFF, router)
    assert not seen("mesh-off-routers-only", MESH_OFF, router, mesh)
    assert not seen("mesh-off-routers-only", router)


def test_a_selector_for_a_label_that_nobody_has():
    peer = thing("BGPPeer", "to-rr", spec__nodeSelector="all()", spec__peerSelector="has(rr)")
    (found,) = seen("peer-selector-matches-no-node", peer, *nodes("wk-1", zone="a"))
    assert found.values["selector"] == "has(rr)"
    assert not seen("peer-selector-matches-no-node", peer, *nodes("wk-1", rr="true"))
    assert not seen("peer-selector-matches-no-node", peer)
    negated = thing("BGPPeer", "clients", spec__nodeSelector="!has(rr)")
    assert not seen("peer-selector-matches-no-node", negated, *nodes("wk-1", zone="a"))


def test_a_node_that_no_peering_selects():
    paths = {"[0]__spec__nodeSelector": "rack == 'a'", "[0]__spec__peerIP": "10.9.0.1"}
    listed = thing(None, "default", **paths)
    inside, outside = nodes("wk-1", rack="a"), nodes("wk-2", zone="b")
    (found,) = seen("node-selected-by-no-peer", MESH_OFF, listed, *inside, *outside)
    assert found.node == "wk-2"
    assert not seen("node-selected-by-no-peer", listed, *inside, *outside)


def test_no_peering_resources_and_a_status_without_sessions():
    empty = output("calicoctl get bgppeer", "NAME   PEERIP   NODE   ASN")
    assert seen("no-bgp-peer-resources", artifacts=[empty])
    some = output("calicoctl get bgppeer", "NAME   PEERIP   NODE   ASN\ntor    10.9.0.1   (global)   65001")
    assert not seen("no-bgp-peer-resources", artifacts=[some])
    counts = {"spec__node": "wk-1", "status__bgp__numberEstablishedV4": 0, "status__bgp__numberNotEstablishedV4": 0}
    status = thing("CalicoNodeStatus", "wk-1", **counts)
    (found,) = seen("mesh-off-without-peers", MESH_OFF, status)
    assert found.node == "wk-1"


def test_an_as_number_that_the_nodes_do_not_have():
    node = Node(at=line(), name="wk-2", internal_ip="10.9.0.2")
    peer = thing("BGPPeer", "p", spec__peerIP="10.9.0.2", spec__asNumber=64999)
    (found,) = seen("peer-as-differs", peer, node)
    assert found.values == {"expected": "64999", "actual": "64512"}
    own = thing("BGPConfiguration", spec__asNumber=64999)
    assert not seen("peer-as-differs", peer, node, own)
    assert not seen("peer-as-differs", peer)


def test_the_mesh_is_off_and_a_list_of_peers_is_empty():
    off = thing("BGPConfiguration", spec__nodeToNodeMeshEnabled=False)
    nodes = [Node(at=line(name), name=name) for name in ("w1", "w2")]
    none = EmptySearch(at=line(), what="bgp-peers")
    direct, vxlan = (Pool(at=line(), cidr="10.1.0.0/16", vxlan=mode) for mode in ("CrossSubnet", "Always"))

    def found(*facts):
        return list(SIGNS["mesh-off-and-no-peer-exists"](picture(*facts)))

    assert found(off, none, direct, *nodes)
    assert not found(off, direct, *nodes)
    assert not found(none, direct, *nodes)
    assert not found(off, none, vxlan, *nodes)
    assert not found(off, none, direct, nodes[0])


def test_a_peer_to_which_there_is_no_way_is_named():
    lost = BgpPeer(at=line("a"), address="10.0.0.7", state="start", info="Active Socket: Host is unreachable")
    refused = BgpPeer(at=line("b"), address="10.0.0.8", state="start", info="Active Socket: Connection refused")
    assert [one.values["peer"] for one in seen("peer-without-way", lost, refused)] == ["10.0.0.7"]


def test_a_node_that_no_peering_is_for():
    off = thing("BGPConfiguration", spec__nodeToNodeMeshEnabled=False)
    facts = [off, Pool(at=line(), cidr="10.1.0.0/16", ipip="Always")]
    for number in (1, 2, 3):
        facts.append(Node(at=line(f"w{number}"), name=f"w{number}", internal_ip=f"10.0.0.{number}"))
        facts.append(Pod(at=line(f"p{number}"), name=f"calico-node-a{number}b2c", node=f"w{number}", status="Running"))
    listed = Command(at=line(), line="kubectl get bgppeers.crd.projectcalico.org -o yaml", printed=9)

    def lone(*more):
        return [found.node for found in SIGNS["lone-nodes"](picture(*facts, *more))]

    one_way = thing("BGPPeer", "a", spec__node="w1", spec__peerIP="10.0.0.2", spec__asNumber=64512)
    back = thing("BGPPeer", "b", spec__node="w2", spec__peerIP="10.0.0.1", spec__asNumber=64512)
    router = thing("BGPPeer", "c", spec__peerIP="10.0.0.254", spec__asNumber=64600)
    assert lone(one_way, listed) == ["w2", "w3"]
    assert lone(one_way, back, listed) == ["w3"]
    assert lone(one_way, router, listed) == []
    assert lone(one_way) == []
    by_label = thing("BGPPeer", "d", spec__nodeSelector="rack == 'r1'", spec__peerIP="10.0.0.254")
    assert lone(by_label, listed) == []


def test_an_as_is_only_wrong_where_the_node_has_no_other():
    def row(name, own):
        return Row(at=line(), resource="node", name=name, cells={"NAME": name, "AS": own})

    listed = Command(at=line(), line="kubectl get bgpconfigurations.crd.projectcalico.org -o yaml", printed=9)
    hub = Node(at=line(), name="hub", internal_ip="10.4.0.9")
    peer = thing("BGPPeer", "to-hub", spec__peerIP="10.4.0.9", spec__asNumber=65012)
    own, sure = SIGNS["peer-as-differs"], SIGNS["peer-as-surely-differs"]
    common = [listed, hub, peer, row("n1", "<none>")]
    (found,) = sure(picture(*common, row("hub", "<none>")))
    assert found.values == {"expected": "65012", "actual": "64512"}
    assert not list(own(picture(*common, row("hub", "65012"))))
    assert not list(sure(picture(hub, peer)))
    assert list(own(picture(hub, peer)))

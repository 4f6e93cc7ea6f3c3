"""Tests of the signs in Calico's node records."""

from __future__ import annotations

from calivet.evidence.artifact import Artifact, Line
from calivet.facts.calico import BgpPeer, NodeAddress
from calivet.facts.fact import Fact, Note
from calivet.facts.kubernetes import Node, Pod, Row
from calivet.signs.identity import node_addresses, node_records
from tests.signs.made_pictures import picture as made_picture

AT = Line("session.txt", 3, "a line")
SIGNS = node_records.SIGNS


def record(node: str, address: str, source: str = "resource") -> NodeAddress:
    return NodeAddress(at=AT, node=node, address=address, source=source)


def node(name: str, address: str) -> Node:
    return Node(at=AT, name=name, ready=True, internal_ip=address)


def values(sign: str, *facts: Fact, artifacts: list[Artifact] | None = None) -> list[dict[str, str]]:
    return [sighting.values for sighting in SIGNS[sign](made_picture(*facts, artifacts=artifacts))]


NODES = [node("w1", "10.7.8.1"), node("w2", "10.7.8.2"), node("w3", "10.7.8.3")]
RECORDS = [record("w1", "10.7.8.1/24"), record("w2", "10.7.8.2/24"), record("w3", "10.7.8.3/24")]


def test_two_records_with_one_address() -> None:
    twice = [record("w1", "10.0.2.15/24"), record("w2", "10.0.2.15/24")]
    assert values("same-calico-address-twice", *twice) == 2 * [{"nodes": "w1, w2", "address": "10.0.2.15"}]
    assert values("same-calico-address-twice", *RECORDS) == []


def test_one_record_that_is_not_the_nodes_own() -> None:
    odd = [*RECORDS[:2], record("w3", "10.7.8.77/24")]
    assert values("calico-address-odd-one-out", *NODES, *odd) == [
        {"address": "10.7.8.77/24", "own": "10.7.8.3", "node": "w3"}
    ]
    assert values("calico-address-odd-one-out", *NODES, *RECORDS) == []
    assert values("calico-address-matches-everywhere", *NODES, *RECORDS) == [{}]
    assert values("calico-address-matches-everywhere", *NODES, *odd) == []


def test_cluster_on_a_second_network_is_no_odd_one() -> None:
    elsewhere = [record("w1", "172.29.0.1/24"), record("w2", "172.29.0.2/24"), record("w3", "172.29.0.3/24")]
    assert values("calico-address-odd-one-out", *NODES, *elsewhere) == []


def test_single_address_among_networks_is_a_wandering_one() -> None:
    assert values("calico-address-odd-prefix", *RECORDS, record("m1", "10.7.8.100/32")) == [
        {"node": "m1", "address": "10.7.8.100/32"}
    ]
    cloud = [record(f"w{number}", f"10.7.8.{number}/32") for number in range(1, 4)]
    assert values("calico-address-odd-prefix", *cloud) == []


def test_record_of_a_node_that_kubernetes_does_not_know() -> None:
    gone = record("w9", "10.7.8.9/24")
    assert values("record-without-node", *NODES, *RECORDS, gone) == [{"record": "w9", "address": "10.7.8.9"}]
    assert values("record-without-node", *NODES, *RECORDS) == []
    renamed = [record(f"host-{number}", f"10.7.8.{number}/24") for number in range(1, 4)]
    assert values("record-without-node", *NODES, *renamed) == [], "names differ for all of them"


def test_peer_beyond_all_live_nodes() -> None:
    def peer(address: str, info: str) -> BgpPeer:
        return BgpPeer(at=AT, host="w1", address=address, state="start", info=info, type="node-to-node mesh")

    live = [peer("10.7.8.2", "Established"), peer("10.7.8.3", "Established")]
    assert values("peer-beyond-all-nodes", *NODES, *live, peer("10.7.8.9", "Connect")) == [
        {"host": "w1", "address": "10.7.8.9"}
    ]
    assert values("peer-beyond-all-nodes", *NODES, *live, peer("10.7.8.9", "Established")) == []
    missing = [live[0], peer("172.29.0.3", "Connect")]
    assert values("peer-beyond-all-nodes", *NODES, *missing) == [], "w3 itself may stand behind that address"


def test_peer_in_place_of_a_node() -> None:
    def peer(end: str | None, address: str, info: str, line: int = 1) -> BgpPeer:
        at = Line("tables.txt", line, "")
        return BgpPeer(at=at, host=end, address=address, state="start", info=info, type="node-to-node mesh")

    odd = [peer("w1", "10.7.8.2", "Established"), peer("w1", "172.29.0.3", "Connect")]
    assert values("peer-in-place-of-a-node", *NODES, *odd) == [
        {"host": "w1", "node": "w3", "own": "10.7.8.3", "address": "172.29.0.3"}
    ]
    extra = [*odd, peer("w1", "10.7.8.3", "Established")]
    assert values("peer-in-place-of-a-node", *NODES, *extra) == [], "nobody is missing"
    unknown = [peer(None, one.address, str(one.info)) for one in odd]
    assert values("peer-in-place-of-a-node", *NODES, *unknown) == [], "the one that is missing may be the end itself"


def test_one_of_the_nameless_records_far_from_all_others() -> None:
    def nameless(address: str) -> NodeAddress:
        return NodeAddress(at=AT, node=None, address=address, source="annotation")

    alike = [nameless("10.51.0.100/24"), nameless("10.51.0.102/24")]
    sign = node_addresses.SIGNS["nameless-record-off-site"]
    assert [one.values["address"] for one in sign(made_picture(*alike, nameless("10.4.0.1/24")))] == ["10.4.0.1"]
    assert list(sign(made_picture(*alike, nameless("10.51.7.9/24")))) == []
    assert list(sign(made_picture(alike[0], nameless("10.4.0.1/24")))) == [], "of two nobody knows which is the odd one"


def test_tables_of_two_unnamed_ends_are_not_one() -> None:
    def table(first: int, *rows: tuple[str, str]) -> Artifact:
        lines = [f"| {address} | node-to-node mesh | start | 08:00:00 | {info} |" for address, info in rows]
        return Artifact("tables.txt", first, ["| PEER ADDRESS | PEER TYPE | STATE | SINCE | INFO |", *lines])

    one = table(1, ("10.7.8.2", "Established"), ("172.29.0.3", "Connect"))
    two = table(9, ("10.7.8.1", "Active"), ("10.7.8.3", "Active"))
    assert values("peer-beyond-all-nodes", *NODES, artifacts=[one, two]) == []


def test_two_tunnel_entries_for_one_node() -> None:
    lines = [
        "$ bridge fdb show dev vxlan.calico",
        "66:00:00:00:00:02 dst 10.7.8.2 self permanent",
        "66:00:00:00:00:03 dst 10.7.8.3 self permanent",
        "66:00:00:00:00:33 dst 10.7.8.3 self permanent",
    ]
    table = Artifact("session.txt", 1, lines, host="w1", command="bridge fdb show dev vxlan.calico")
    assert values("two-tunnel-entries", artifacts=[table]) == [
        {"address": "10.7.8.3", "first": "66:00:00:00:00:03", "second": "66:00:00:00:00:33"}
    ]
    table.lines = lines[:3]
    assert values("two-tunnel-entries", artifacts=[table]) == []


def test_record_that_the_author_calls_virtual() -> None:
    told = Note(at=AT, text="The masters are 10.7.8.1 and 10.7.8.2. 10.7.8.3 is our VIP.")
    assert values("record-called-virtual", *RECORDS, told) == [{"address": "10.7.8.3", "node": "w3"}]
    told = Note(at=AT, text="三台机器是 10.7.8.1、10.7.8.2，虚拟地址 10.7.8.200")
    assert values("record-called-virtual", *RECORDS, told) == []


def test_peer_of_the_mesh_that_the_author_calls_virtual() -> None:
    peer = BgpPeer(at=AT, address="10.7.8.3", state="up", info="Established", type="node-to-node mesh")
    told = Note(at=AT, text="这个10.7.8.3是vip")
    assert values("peer-called-virtual", peer, told) == [{"address": "10.7.8.3"}]
    assert values("peer-called-virtual", peer, Note(at=AT, text="10.7.8.9 is our VIP")) == []
    reflector = BgpPeer(at=AT, address="10.7.8.3", state="up", info="Established", type="global")
    assert values("peer-called-virtual", reflector, told) == []


def test_address_at_which_calico_node_runs_without_a_record() -> None:
    def pod(number: int) -> Pod:
        return Pod(at=AT, name=f"calico-node-aaaa{number}", node=f"10.7.8.{number}", ip=f"10.7.8.{number}")

    stored = [*RECORDS, record("m1", "10.7.8.100/32")]
    assert values("own-address-unrecorded", *stored, pod(1), pod(2), pod(4)) == [{"address": "10.7.8.4"}]
    assert values("own-address-unrecorded", *RECORDS[:2], pod(1), pod(2), pod(4)) == [], "fewer records than pods"


def test_autodetection_that_found_the_right_address() -> None:
    right, wrong = record("w1", "10.7.8.1/24", "autodetected"), record("w2", "172.29.0.2/24", "autodetected")
    assert values("autodetected-own-address", *NODES, right) == [{}]
    assert values("autodetected-own-address", *NODES, right, wrong) == []
    assert values("autodetected-own-address", *NODES) == []


def test_a_record_with_the_address_of_another_node() -> None:
    twice = [*RECORDS[:2], record("w3", "10.7.8.2/24", "annotation")]
    assert values("recorded-with-address-of-another", *NODES, *twice) == 2 * [
        {"node": "w3", "owner": "w2", "address": "10.7.8.2", "other": "w3"}
    ]
    assert values("recorded-with-address-of-another", *NODES, *RECORDS) == []
    both_wrong = [RECORDS[0], record("w2", "10.0.2.15/24"), record("w3", "10.0.2.15/24")]
    assert values("recorded-with-address-of-another", *NODES, *both_wrong) == []


def test_blocks_of_a_machine_that_is_no_node() -> None:
    held = [
        Row(at=AT, resource="blockaffinity", name=f"{owner}-block", cells={"NODE": owner})
        for owner in ("w1", "w2", "old-7", "old-7")
    ]
    assert values("blocks-of-missing-node", *NODES, *held) == [{"record": "old-7", "blocks": "2"}]
    assert values("blocks-of-missing-node", *NODES, *held[:2]) == []
    assert values("blocks-of-missing-node", *NODES[:1], *held) == []  # the list of nodes may be cut

"""One node is not like the others, and nobody shows what its own address would be."""

from __future__ import annotations

from calivet.evidence.artifact import Line
from calivet.facts.calico import AddressConflict, BgpPeer, NodeAddress, UnknownCaller, WaitedPeer
from calivet.facts.fact import Fact
from calivet.facts.kubernetes import Node
from calivet.signs.identity.node_addresses import SIGNS
from tests.facts.drawing import picture_of
from tests.signs.made_pictures import picture

AT = Line("session.txt", 3, "a line")
LIKE = [("w1", "10.120.117.21/24"), ("w2", "10.120.117.22/24"), ("w3", "10.120.118.23/24")]


def record(node: str, address: str) -> NodeAddress:
    return NodeAddress(at=AT, node=node, address=address, source="resource")


def session(host: str, address: str, info: str) -> BgpPeer:
    return BgpPeer(at=AT, host=host, address=address, state="up", info=info, type="node-to-node mesh")


def values(sign: str, *facts: Fact) -> list[dict[str, str]]:
    return [sighting.values for sighting in SIGNS[sign](picture(*facts))]


RECORDS = [record(*one) for one in LIKE]
ODD = record("w4", "172.18.0.1/16")


class TestRecordOffSite:
    def test_one_far_from_all_others(self) -> None:
        expected = {"node": "w4", "address": "172.18.0.1", "network": "10.120.0.0/16"}
        assert values("record-off-site", *RECORDS, ODD) == [expected]
        assert values("record-off-site-and-lost", *RECORDS, ODD) == []
        assert values("record-off-site-and-lost", *RECORDS, ODD, WaitedPeer(at=AT, address="172.18.0.1")) == [expected]

    def test_networks_side_by_side_are_racks(self) -> None:
        assert values("record-off-site", *RECORDS, record("w4", "10.120.44.24/24")) == []

    def test_two_and_two_tell_nothing(self) -> None:
        pairs = [
            record("a", "10.0.0.1/32"),
            record("b", "10.0.0.2/32"),
            record("c", "10.9.0.1/32"),
            record("d", "10.9.0.2/32"),
        ]
        assert values("record-off-site", *pairs) == []

    def test_a_session_with_it_that_is_up(self) -> None:
        assert values("record-off-site", *RECORDS, ODD, session("w1", "172.18.0.1", "Established")) == []

    def test_its_own_address_is_known(self) -> None:
        known = Node(at=AT, name="w4", ready=True, internal_ip="172.18.0.1")
        assert values("record-off-site", *RECORDS, ODD, known) == []


class TestPeerThatNobodyReaches:
    UP = (session("w1", "10.0.0.2", "Established"), session("w2", "10.0.0.1", "Established"))

    def test_two_wait_for_the_same_one(self) -> None:
        lost = [session("w1", "10.0.0.3", "Connect"), session("w2", "10.0.0.3", "Active")]
        assert values("peer-that-nobody-reaches", *self.UP, *lost) == [{"address": "10.0.0.3", "count": "2"}]

    def test_one_of_them_reaches_it(self) -> None:
        lost = [session("w1", "10.0.0.3", "Connect"), session("w2", "10.0.0.3", "Established")]
        assert values("peer-that-nobody-reaches", *self.UP, *lost) == []

    def test_those_that_reach_nobody_are_the_odd_ones(self) -> None:
        lost = [session("w1", "10.0.0.3", "Connect"), session("w2", "10.0.0.3", "Active")]
        assert values("peer-that-nobody-reaches", *lost) == []


class TestCaller:
    def test_waits_for_one_and_is_called_by_another(self) -> None:
        facts = [WaitedPeer(at=AT, address="10.0.0.3"), UnknownCaller(at=AT, address="192.168.56.3")]
        assert values("caller-not-the-one-waited-for", *facts) == [{"peer": "10.0.0.3", "stranger": "192.168.56.3"}]

    def test_many_that_are_waited_for_or_call(self) -> None:
        waits = [WaitedPeer(at=AT, address=f"10.0.0.{number}") for number in (3, 4)]
        calls = [UnknownCaller(at=AT, address=f"192.168.56.{number}") for number in (3, 4)]
        assert values("caller-not-the-one-waited-for", *waits, calls[0]) == []
        assert values("caller-not-the-one-waited-for", waits[0], *calls) == []


class TestConflict:
    NODES = tuple(Node(at=AT, name=f"w{number}", ready=True, internal_ip=f"10.6.0.{number}") for number in (1, 2))

    def test_the_address_is_neithers_own(self) -> None:
        conflict = AddressConflict(at=AT, other="w1", address="10.32.0.1")
        expected = {"other": "w1", "address": "10.32.0.1", "own": "10.6.0.1"}
        assert values("conflict-over-nobodys-address", *self.NODES, conflict) == [expected]

    def test_it_is_anothers_own_or_of_a_node_that_is_gone(self) -> None:
        for other, address in (("w1", "10.6.0.1"), ("w2", "10.6.0.1"), ("gone", "10.32.0.1")):
            conflict = AddressConflict(at=AT, other=other, address=address)
            assert values("conflict-over-nobodys-address", *self.NODES, conflict) == []

    def test_it_is_read_as_calico_node_says_it(self) -> None:
        text = "2018-01-02 04:05:06.789 [WARNING][9] startup.go 757: Calico node 'w1' is already using the IPv4 address 10.32.0.1.\n"
        assert [(one.other, one.address) for one in picture_of(text).all(AddressConflict)] == [("w1", "10.32.0.1")]


def test_both_are_read_from_logs_and_from_notes() -> None:
    text = (
        "it says BGP not established with 10.0.0.3,10.0.0.4\n"
        "bird: BGP: Unexpected connect from unknown address 192.168.56.3 (port 41234)\n"
    )
    cluster = picture_of(text)
    assert [one.address for one in cluster.all(WaitedPeer)] == ["10.0.0.3", "10.0.0.4"]
    assert [one.address for one in cluster.all(UnknownCaller)] == ["192.168.56.3"]

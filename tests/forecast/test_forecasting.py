"""What a change of the method does to a whole cluster."""

from __future__ import annotations

import pytest
from msgspec import structs

from tests.forecast.cluster import DESK, HERONS, Machine, evidence, node, only, resource, troubles, whatif

METHOD = "IP_AUTODETECTION_METHOD="
MESH_OFF = resource("BGPConfiguration", "nodeToNodeMeshEnabled: false")


def moves(outcome):
    return {(one.one, one.other): (one.before, one.after) for one in only(outcome).moved}


class TestRepair:
    @pytest.mark.parametrize(
        "method", ["kubernetes-internal-ip", "cidr=10.44.0.0/23", "interface=^eth0$", "skip-interface=eth1"]
    )
    def test_the_node_on_the_wrong_card_comes_home(self, method):
        outcome = whatif(METHOD + method, of=evidence(*HERONS))
        assert (outcome.verdict, outcome.missing) == ("fine", [])
        changed = node(outcome, "heron-2")
        assert (changed.before.address, changed.after.address) == ("172.29.7.12/24", "10.44.0.12/23")
        assert changed.after.interface == "eth0"
        assert [one.name for one in only(outcome).nodes if one.changes] == ["heron-2"]

    def test_its_sessions_come_up_and_the_others_stay(self):
        outcome = whatif(METHOD + "kubernetes-internal-ip", of=evidence(*HERONS))
        assert moves(outcome) == {("heron-1", "heron-2"): ("down", "up"), ("heron-2", "heron-3"): ("down", "up")}
        assert only(outcome).counts["up", "up"] == 1

    def test_as_it_is_it_stays_broken_and_the_one_away_from_home_is_named(self):
        outcome = whatif(METHOD + "first-found", of=evidence(*HERONS))
        assert outcome.verdict == "broken"
        assert troubles(outcome) == {"heron-2": ["cut-off"]}


class TestHarm:
    def test_a_method_that_fits_some_nodes_only(self):
        outcome = whatif(METHOD + "interface=eth1", of=evidence(*HERONS))
        assert outcome.verdict == "broken"
        assert troubles(outcome)["heron-1"] == ["old-address"]
        kept = node(outcome, "heron-1").after
        assert (kept.how, kept.address) == ("kept-for-want", "10.44.0.11/23")

    def test_without_a_record_nothing_is_left(self):
        herons = [structs.replace(one, stored="") for one in HERONS]
        outcome = whatif(METHOD + "interface=eth1", of=evidence(*herons))
        assert node(outcome, "heron-3").after.how == "nothing"
        assert troubles(outcome)["heron-3"] == ["no-address"]

    def test_a_release_that_does_not_know_the_method_starts_nowhere(self):
        outcome = whatif(METHOD + "cidr=10.44.0.0/23", of=evidence(*HERONS, version="v3.15.1"))
        assert troubles(outcome) == {name: ["ends"] for name in ("heron-1", "heron-2", "heron-3")}
        assert {after for _, after in moves(outcome).values()} == {"down"}

    def test_the_release_with_the_truncated_address_makes_all_nodes_clash(self):
        outcome = whatif(METHOD + "kubernetes-internal-ip", of=evidence(*HERONS, version="v3.22.1"))
        assert node(outcome, "heron-1").after.address == "10.44.0.0/23"
        assert troubles(outcome) == {name: ["same-address"] for name in ("heron-1", "heron-2", "heron-3")}

    def test_one_address_for_all_is_no_address(self):
        outcome = whatif("IP=10.44.0.11", of=evidence(*HERONS))
        assert all("same-address" in found for found in troubles(outcome).values())

    def test_the_nat_card_that_every_virtual_machine_has(self):
        machines = [
            Machine(f"box-{n}", f"192.168.56.1{n}", f"192.168.56.1{n}/24", (f"enp0s8 192.168.56.1{n}/24", "enp0s9 10.0.2.15/24"))
            for n in (1, 2)
        ]  # fmt: skip
        outcome = whatif(METHOD + "interface=enp0s9", of=evidence(*machines))
        assert troubles(outcome) == {"box-1": ["same-address"], "box-2": ["same-address"]}

    def test_two_networks_without_a_way_between_them(self):
        machines = [
            Machine("crane-1", "10.1.0.1", "10.1.0.1/24", ("eth0 10.1.0.1/24", "eth1 10.8.1.1/24")),
            Machine("crane-2", "10.1.0.2", "10.1.0.2/24", ("eth0 10.1.0.2/24", "eth1 10.8.2.1/24")),
        ]
        outcome = whatif(METHOD + "interface=eth1", of=evidence(*machines))
        assert moves(outcome) == {("crane-1", "crane-2"): ("up", "down")}
        assert troubles(outcome) == {"crane-1": ["cut-off"], "crane-2": ["cut-off"]}


class TestNotKnown:
    def test_a_node_whose_cards_were_not_seen(self):
        herons = [*HERONS[:2], structs.replace(HERONS[2], stored="", cards=())]
        outcome = whatif(METHOD + "cidr=10.44.0.0/23", of=evidence(*herons))
        assert outcome.verdict == "unclear"
        assert [(one.what, one.node) for one in outcome.missing] == [("cards", "heron-3")]
        assert moves(outcome)["heron-1", "heron-2"] == ("down", "up")

    def test_its_record_will_do_where_the_range_holds_it(self):
        herons = [*HERONS[:2], structs.replace(HERONS[2], cards=())]
        outcome = whatif(METHOD + "cidr=10.44.0.0/23", of=evidence(*herons))
        assert outcome.verdict == "fine"
        assert node(outcome, "heron-3").after.address == "10.44.0.13/23"

    def test_what_is_broken_elsewhere_is_broken_whatever_is_not_seen(self):
        herons = [*HERONS[:2], structs.replace(HERONS[2], stored="", cards=())]
        assert whatif(METHOD + "interface=eth1", of=evidence(*herons)).verdict == "broken"

    def test_nothing_at_all(self):
        outcome = whatif(METHOD + "first-found", of="nothing to see here")
        assert outcome.verdict == "unclear"
        assert [one.what for one in outcome.missing] == ["node-addresses"]

    def test_routes_for_can_reach(self):
        outcome = whatif(METHOD + "can-reach=10.44.0.1", of=evidence(*HERONS))
        assert {one.what for one in outcome.missing} == {"routes"}


class TestObserved:
    def peers(self, *rows):
        table = "".join(
            f"| {address} | node-to-node mesh | {state} | 09:00:00 | {info} |\n" for address, state, info in rows
        )
        return (
            "[root@heron-1 ~]# calicoctl node status\nCalico process is running.\n\nIPv4 BGP status\n"
            "+--------------+-------------------+-------+----------+-------------+\n"
            "| PEER ADDRESS |     PEER TYPE     | STATE |  SINCE   |    INFO     |\n"
            "+--------------+-------------------+-------+----------+-------------+\n" + table
        )

    def test_a_session_that_is_down_at_right_addresses_has_another_fault(self):
        seen = self.peers(("10.44.0.13", "start", "Connect"))
        outcome = whatif(METHOD + "kubernetes-internal-ip", of=evidence(*HERONS, more=seen))
        assert moves(outcome)["heron-1", "heron-3"] == ("otherwise-down", "otherwise-down")
        assert outcome.verdict == "fine"

    def test_a_session_that_was_seen_up_is_up_whatever_the_networks(self):
        far = structs.replace(HERONS[1], internal="198.51.100.2")
        seen = self.peers(("172.29.7.12", "up", "Established"))
        outcome = whatif("nodeToNodeMeshEnabled=true", of=evidence(HERONS[0], far, more=seen))
        assert only(outcome).counts == {("up", "up"): 1}


class TestIp:
    ENVIRONMENT = (
        DESK
        + "kubectl -n kube-system exec calico-node-x2x4z -- env\nFELIX_HEALTHENABLED=true\nDATASTORE_TYPE=kubernetes\n"
    )

    def test_a_stored_address_stays_where_detection_is_not_asked_for(self):
        outcome = whatif(METHOD + "kubernetes-internal-ip", of=evidence(*HERONS, more=self.ENVIRONMENT))
        assert {one.after.how for one in only(outcome).nodes} == {"kept"}
        assert troubles(outcome) == {"heron-2": ["cut-off"]}

    def test_asking_for_detection_as_well_repairs_it(self):
        both = (METHOD + "kubernetes-internal-ip", "IP=autodetect")
        assert whatif(*both, of=evidence(*HERONS, more=self.ENVIRONMENT)).verdict == "fine"

    def test_an_address_gets_the_length_of_its_card(self):
        outcome = whatif("IP=10.44.0.11", of=evidence(HERONS[0]))
        assert node(outcome, "heron-1").after.address == "10.44.0.11/23"
        old = whatif("IP=10.44.0.11", of=evidence(HERONS[0], version="v3.17.1"))
        assert node(old, "heron-1").after.address == "10.44.0.11/32"

    def test_ipv6_is_looked_for_only_when_asked(self):
        six = Machine("teal-1", "10.44.0.11", "10.44.0.11/23", ("eth0 10.44.0.11/23 2001:db8:7::14/64",))
        outcome = whatif("IP6_AUTODETECTION_METHOD=interface=eth0", of=evidence(six))
        assert (node(outcome, "teal-1").after.how, outcome.verdict) == ("nothing", "fine")
        outcome = whatif("IP6_AUTODETECTION_METHOD=interface=eth0", "IP6=autodetect", of=evidence(six))
        assert node(outcome, "teal-1").after.address == "2001:db8:7::14/64"
        outcome = whatif("IP6_AUTODETECTION_METHOD=interface=eth1", "IP6=autodetect", of=evidence(six))
        assert troubles(outcome) == {"teal-1": ["no-address"]}


class TestMesh:
    def test_without_mesh_and_peers_nobody_speaks_with_anybody(self):
        outcome = whatif("nodeToNodeMeshEnabled=false", of=evidence(*HERONS))
        assert troubles(outcome) == {one.name: ["no-peers"] for one in HERONS}
        assert {after for _, after in only(outcome).counts} == {"absent"}

    def test_pools_of_vxlan_do_not_need_it(self):
        pool = resource("IPPool", "cidr: 10.200.0.0/16\nipipMode: Never\nvxlanMode: Always")
        home = [structs.replace(one, stored=one.cards[0].split()[1]) for one in HERONS]
        assert whatif("nodeToNodeMeshEnabled=false", of=evidence(*home, more=pool)).verdict == "fine"

    def test_route_reflectors_take_its_place(self):
        home = [structs.replace(one, stored=one.cards[0].split()[1], labels={"rack": "1"}) for one in HERONS]
        home[0].labels["route-reflector"] = "true"
        peering = resource("BGPPeer", "nodeSelector: all()\npeerSelector: route-reflector == 'true'", "to-reflectors")
        outcome = whatif("nodeToNodeMeshEnabled=false", of=evidence(*home, more=peering))
        assert outcome.verdict == "fine"
        assert only(outcome).wanted.named == {("heron-1", "heron-2"), ("heron-1", "heron-3")}
        assert only(outcome).counts == {("up", "up"): 2, ("up", "absent"): 1}

    def test_labels_are_needed_to_tell_whom_a_peering_selects(self):
        peering = resource("BGPPeer", "nodeSelector: rack == '1'\npeerIP: 10.44.0.1\nasNumber: 64600", "rack-1")
        outcome = whatif("nodeToNodeMeshEnabled=false", of=evidence(*HERONS, more=peering))
        assert {one.what for one in outcome.missing} == {"labels"}

    def test_a_router_must_be_told_a_new_address(self):
        peering = resource("BGPPeer", "peerIP: 10.44.0.1\nasNumber: 64600", "rack-router")
        outcome = whatif(METHOD + "kubernetes-internal-ip", of=evidence(*HERONS, more=peering + MESH_OFF))
        assert {(one.one, one.after) for one in only(outcome).routers} == {
            ("heron-1", "unknown"), ("heron-2", "router"), ("heron-3", "unknown")
        }  # fmt: skip

    def test_switching_it_on_again(self):
        home = [structs.replace(one, stored=one.cards[0].split()[1]) for one in HERONS]
        outcome = whatif("nodeToNodeMeshEnabled=true", of=evidence(*home, more=MESH_OFF))
        assert only(outcome).counts == {("absent", "up"): 3}
        assert outcome.verdict == "fine"


def test_without_bgp_the_tunnels_count():
    backend = DESK + "kubectl -n kube-system exec calico-node-x2x4z -- env\nCALICO_NETWORKING_BACKEND=vxlan\n"
    outcome = whatif(METHOD + "first-found", of=evidence(*HERONS, more=backend))
    assert troubles(outcome) == {"heron-2": ["cut-off"]}
    assert whatif("nodeToNodeMeshEnabled=false", of=evidence(*HERONS[::2], more=backend)).verdict == "fine"


def test_a_mesh_of_hundreds():
    many = [Machine(f"n{n}", f"10.{n // 250}.{n % 250}.1", f"10.{n // 250}.{n % 250}.1/8") for n in range(300)]
    outcome = whatif("nodeToNodeMeshEnabled=true", of=evidence(*many))
    assert only(outcome).counts["up", "up"] == 300 * 299 // 2

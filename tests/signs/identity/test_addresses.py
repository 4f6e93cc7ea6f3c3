"""The addresses Calico has for nodes, against those the nodes have for each other."""

from __future__ import annotations

import pytest

from calivet.signs.identity.node_addresses import find_node_network
from tests.facts.drawing import nodes, picture_of, pods, sightings

THREE = nodes("birch-1 Ready 10.71.0.11", "birch-2 Ready 10.71.0.12", "birch-3 Ready 10.71.0.13")


PAGE = """Name:               {0}
Roles:              <none>
Labels:             kubernetes.io/hostname={0}
Annotations:        node.alpha.kubernetes.io/ttl: 0
                    projectcalico.org/IPv4Address: {1}
                    volumes.kubernetes.io/controller-managed-attach-detach: true
Unschedulable:      false
"""


def recorded(**stored):
    """`kubectl describe nodes`, cut down to what matters; birch_1="10.71.0.11/24"."""
    pages = (PAGE.format(name.replace("_", "-"), address) for name, address in stored.items())
    return "[root@bastion ~]# kubectl describe nodes\n" + "\n\n".join(pages)


def off_network(text):
    return [(seen.node, seen.values["address"]) for seen in sightings("calico-address-off-network", text)]


class TestOffNetwork:
    def test_one_node_took_the_wrong_card(self):
        text = THREE + recorded(birch_1="10.71.0.11/24", birch_2="192.168.250.22/24", birch_3="10.71.0.13/24")
        (seen,) = sightings("calico-address-off-network", text)
        assert seen.node == "birch-2"
        assert seen.values == {
            "address": "192.168.250.22", "network": "10.71.0.0/24", "node": "birch-2", "internal": "10.71.0.12"
        }  # fmt: skip
        assert "192.168.250.22/24" in seen.line.text

    def test_a_second_network_that_all_nodes_share_is_meant(self):
        text = THREE + recorded(birch_1="192.168.250.21/24", birch_2="192.168.250.22/24", birch_3="192.168.250.23/24")
        assert off_network(text) == []

    def test_a_second_network_that_all_share_and_one_left_out(self):
        text = THREE + recorded(birch_1="192.168.250.21/24", birch_2="192.168.250.22/24", birch_3="172.17.0.1/16")
        assert off_network(text) == [("birch-3", "172.17.0.1")]

    def test_another_address_of_the_same_network_is_no_other_network(self):
        text = THREE + recorded(birch_1="10.71.0.11/24", birch_2="10.71.0.200/24", birch_3="10.71.0.13/24")
        assert off_network(text) == []

    def test_the_bridge_of_docker_on_every_node_is_not_shared_by_meaning(self):
        text = nodes("birch-1 Ready 10.71.0.11", "birch-2 Ready 10.71.0.12") + recorded(
            birch_1="10.71.0.11/24", birch_2="172.17.0.1/16"
        )
        assert off_network(text) == [("birch-2", "172.17.0.1")]

    def test_a_node_without_internal_address_is_not_judged(self):
        assert off_network(recorded(birch_2="192.168.250.22/24")) == []

    def test_the_address_of_its_host_network_pod_stands_in_for_the_internal_one(self):
        rows = pods(
            "calico-node-2bs6x 1/1 Running 0 9d 10.71.0.11 birch-1",
            "calico-node-7tq4n 0/1 Running 0 9d 10.71.0.12 birch-2",
        )
        assert off_network(rows + recorded(birch_1="10.71.0.11/24", birch_2="192.168.250.22/24")) == [
            ("birch-2", "192.168.250.22")
        ]

    def test_the_log_of_the_start_tells_it_too(self):
        text = THREE + (
            "[root@bastion ~]# kubectl -n kube-system logs calico-node-7tq4n -c calico-node\n"
            "2021-03-02 14:00:00.123 [INFO][9] startup/startup.go 396: Determined node name: birch-2\n"
            "2021-03-02 14:00:00.223 [INFO][9] startup/startup.go 648: Using autodetected IPv4 address on interface ens192: 192.168.250.22/24\n"
        )
        assert off_network(text) == [("birch-2", "192.168.250.22")]

    def test_damaged_addresses_are_survived(self):
        assert off_network(THREE + recorded(birch_2="192.168.250.2222/24", birch_3="fd00::13/64")) == []


NOT_ESTABLISHED = "calico/node is not ready: BIRD is not ready: BGP not established with "
GLUED = "2020-05-27 03:45:55.318 [INFO][30718] health.go 156: Number of node(s) with BGP peering established = 0"


def unhealthy(rest, node="birch-1"):
    return (
        "Events:\n  Type     Reason     Age                     From             Message\n"
        "  ----     ------     ----                    ----             -------\n"
        f"  Warning  Unhealthy  2m7s (x204 over 45h)  kubelet, {node}  Readiness probe failed: {NOT_ESTABLISHED}{rest}\n"
    )


def unknown(text):
    return [(seen.values["address"], seen.node) for seen in sightings("peer-address-unknown", text)]


class TestPeerUnknown:
    @pytest.mark.parametrize(
        "rest",
        [
            "10.71.0.13,192.168.250.22",
            "10.71.0.13,192.168.250.22" + GLUED,
            "192.168.250.22,10.71.0.13" + GLUED,
            "192.168.250.22" + GLUED.replace(" 03:45", "T03:45"),
            "192.168.250.22, 10.71.0.13",
        ],
        ids=["plain", "glued to the stranger", "glued to a known one", "glued with T", "with a blank"],
    )
    def test_an_address_that_no_node_is_known_by(self, rest):
        assert [address for address, _ in unknown(THREE + unhealthy(rest))] == ["192.168.250.22"]

    @pytest.mark.parametrize("last", ["6", "66", "166"])
    def test_the_glued_time_does_not_lengthen_the_address(self, last):
        assert [address for address, _ in unknown(THREE + unhealthy(f"192.168.250.{last}{GLUED}"))] == [
            f"192.168.250.{last}"
        ]

    def test_known_nodes_are_no_strangers(self):
        assert unknown(THREE + unhealthy("10.71.0.12,10.71.0.13" + GLUED)) == []

    def test_an_unlisted_address_of_the_nodes_own_network_is_no_stranger(self):
        assert unknown(THREE + unhealthy("10.71.0.99" + GLUED)) == []

    def test_without_the_nodes_addresses_nobody_is_a_stranger(self):
        assert unknown(unhealthy("192.168.250.22" + GLUED)) == []

    def test_the_owner_by_its_record(self):
        text = THREE + recorded(birch_2="192.168.250.22/24") + unhealthy("192.168.250.22" + GLUED)
        assert unknown(text) == [("192.168.250.22", "birch-2")]

    def test_the_owner_by_exclusion(self):
        text = nodes("birch-1 Ready 10.71.0.11", "birch-2 Ready 10.71.0.12") + unhealthy("192.168.250.77" + GLUED)
        assert unknown(text) == [("192.168.250.77", "birch-2")]

    def test_the_owner_by_the_same_last_number(self):
        assert unknown(THREE + unhealthy("192.168.250.13" + GLUED)) == [("192.168.250.13", "birch-3")]

    def test_no_owner_where_nothing_tells(self):
        assert unknown(THREE + unhealthy("192.168.250.77" + GLUED)) == [("192.168.250.77", None)]

    def test_a_session_of_the_mesh(self):
        row = "| {} | {} | start | 2020-10-10 | Passive |\n"
        status = (
            "[root@birch-1 ~]# calicoctl node status\nCalico process is running.\n\nIPv4 BGP status\n"
            "+--------------+-------------------+-------+------------+---------+\n"
            "| PEER ADDRESS |     PEER TYPE     | STATE |   SINCE    |  INFO   |\n"
            "+--------------+-------------------+-------+------------+---------+\n"
        )
        mesh = (
            status + row.format("192.168.250.13", "node-to-node mesh") + row.format("10.71.0.12", "node-to-node mesh")
        )
        assert unknown(THREE + mesh) == [("192.168.250.13", "birch-3")]
        assert unknown(THREE + status + row.format("192.168.250.1", "global")) == []  # a router is no node


class TestNodeNetwork:
    def test_the_network_of_a_card(self):
        card = (
            "[root@birch-1 ~]# ip -4 addr show\n2: ens160: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 qdisc mq state UP group default\n"
            "    inet 10.71.0.11/26 brd 10.71.0.63 scope global ens160\n       valid_lft forever preferred_lft forever\n"
        )
        assert str(find_node_network(picture_of(THREE + card))) == "10.71.0.0/26"

    @pytest.mark.parametrize(
        ("addresses", "network"),
        [
            (["10.71.0.11", "10.71.0.12"], "10.71.0.0/24"),
            (["10.71.0.11", "10.71.3.12"], "10.71.0.0/22"),
            (["10.71.0.11", "10.99.3.12"], "None"),
        ],
    )
    def test_the_narrowest_usual_one(self, addresses, network):
        rows = [f"birch-{number} Ready {address}" for number, address in enumerate(addresses)]
        assert str(find_node_network(picture_of(nodes(*rows)))) == network

    def test_no_nodes_no_network(self):
        assert find_node_network(picture_of("")) is None

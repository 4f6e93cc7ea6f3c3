"""The method that a fix names: the most robust of those that are right on every node."""

from __future__ import annotations

import pytest
from msgspec import structs

from calivet.forecast.remedy import find_remedy
from tests.facts.drawing import picture_of
from tests.forecast.cluster import DESK, HERONS, Machine, evidence

GATEWAY = ("default via 10.44.0.1 dev eth0", "10.44.0.0/23 dev eth0 src 10.44.0.1{}")
ROUTED = tuple(structs.replace(one, routes=(GATEWAY[0], GATEWAY[1].format(one.name[-1]))) for one in HERONS)


def method(*machines, version="v3.28.2", more=""):
    found = find_remedy(picture_of(evidence(*machines, version=version, more=more)))
    return found.method if found else None


@pytest.mark.parametrize(
    ("machines", "version", "wanted"),
    [
        (HERONS, "v3.28.2", "kubernetes-internal-ip"),
        (HERONS, "v3.22.4", "kubernetes-internal-ip"),
        # These store the network's address in place of the node's.
        (HERONS, "v3.22.1", "cidr=10.44.0.0/23"),
        (HERONS, "v3.23", "cidr=10.44.0.0/23"),
        (HERONS, "v3.21.4", "cidr=10.44.0.0/23"),
        (ROUTED, "v3.15.1", "can-reach=10.44.0.1"),
        (HERONS, "v3.15.1", "interface=^eth0$"),
        # What is not known to be there is not proposed.
        (HERONS, "", "interface=^eth0$"),
    ],
)
def test_the_most_robust_that_the_release_has(machines, version, wanted):
    assert method(*machines, version=version) == wanted


def test_each_nodes_address_is_the_proof():
    found = find_remedy(picture_of(evidence(*HERONS)))
    assert found
    assert {name: (one.address, one.interface) for name, one in found.taken.items()} == {
        "heron-1": ("10.44.0.11/23", "eth0"),
        "heron-2": ("10.44.0.12/23", "eth0"),
        "heron-3": ("10.44.0.13/23", "eth0"),
    }


BOXES = [
    Machine(f"box-{n}", "10.0.2.15", "10.0.2.15/24", (f"enp0s8 192.168.56.1{n}/24", "enp0s9 10.0.2.15/24"))
    for n in (1, 2)
]


def test_where_kubernetes_itself_took_the_nat_card_the_common_network_is_right():
    assert method(*BOXES) == "cidr=192.168.56.0/24"
    assert method(*BOXES, version="v3.11.2") == "interface=^enp0s8$"


def test_nodes_in_several_networks_get_all_of_them():
    cranes = [
        Machine(f"crane-{n}", f"10.{n}.0.5", f"172.29.7.{n}/24" if n == 1 else f"10.{n}.0.5/24", (f"eth0 10.{n}.0.5/24", f"eth1 172.29.{n}.7/24"))
        for n in (1, 2)
    ]  # fmt: skip
    assert method(*cranes, version="v3.18.1") == "cidr=10.1.0.0/24,10.2.0.0/24"


def test_cards_with_other_names_are_passed_over_one_by_one():
    mixed = [
        Machine("crane-1", "10.1.0.1", "10.1.0.1/24", ("ens3 10.1.0.1/24",)),
        Machine("crane-2", "10.1.0.2", "172.29.7.2/24", ("eno1 10.1.0.2/24", "storage.7 172.29.7.2/24")),
    ]
    assert method(*mixed, version="v3.11.2") == r"skip-interface=^storage\.7$"


class TestNothingIsProposed:
    def test_where_a_nodes_cards_were_not_seen(self):
        assert method(*HERONS[:2], structs.replace(HERONS[2], stored="", cards=())) is None

    def test_where_the_present_method_is_right(self):
        set_already = (
            DESK + "kubectl -n kube-system exec calico-node-x2x4z -- env\nIP_AUTODETECTION_METHOD=cidr=10.44.0.0/23\n"
        )
        assert method(*HERONS, more=set_already) is None

    def test_where_no_method_helps(self):
        apart = [
            Machine("crane-1", "10.0.2.15", "10.0.2.15/24", ("eth0 10.0.2.15/24",)),
            Machine("crane-2", "10.0.2.15", "10.0.2.15/24", ("eth0 10.0.2.15/24",)),
        ]
        assert method(*apart) is None

    def test_for_a_single_node(self):
        assert method(HERONS[1]) is None

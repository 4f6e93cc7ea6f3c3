"""What Calico takes on hosts as they stand in real racks and clouds, method by method."""

from __future__ import annotations

import pytest

from calivet.forecast.autodetection import detect_address
from calivet.forecast.methods import Detection, HostNetwork
from tests.forecast.made_up import LATEST, host, listing, version

LO = "lo 127.0.0.1/8 ::1/128"
# A node of a rack: the cluster's card, a storage card behind it, and what Docker, Calico and kube-proxy add.
RACK = host(
    LO,
    "ens160 10.31.8.22/24 fe80::1/64",
    "ens192 192.168.250.22/24",
    "docker0 172.17.0.1/16",
    "kube-ipvs0 10.96.0.1/32 10.96.0.10/32",
    "tunl0 10.212.130.64/32",
    "cali0a1b2c3d4e5 fe80::ecee:eeff:feee:eeee/64",
    internal="10.31.8.22",
    routes=(
        "default via 10.31.8.1 dev ens160 metric 100",
        "10.31.8.0/24 dev ens160 src 10.31.8.22 metric 100",
        "192.168.250.0/24 dev ens192 src 192.168.250.22 metric 101",
        "172.17.0.0/16 dev docker0 src 172.17.0.1",
        "blackhole 10.212.130.64/26",
    ),
)
BONDED = host(LO, "eno1", "eno2", "bond0", "bond0.120 10.4.120.7/22", "bond0.130 10.4.130.7/24", internal="10.4.120.7")
# VirtualBox gives every machine the same NAT card first, the network that joins them second.
VAGRANT = host(LO, "enp0s3 10.0.2.15/24", "enp0s8 192.168.56.11/24", internal="192.168.56.11")
VAGRANT_NAT_LAST = host(LO, "enp0s8 192.168.56.11/24", "enp0s9 10.0.2.15/24", internal="10.0.2.15")
AWS = host(LO, "eth0 10.20.1.15/20", "eth1 10.20.9.81/20 10.20.9.99/20", "eni4f2 169.254.1.9/32", internal="10.20.1.15")
GOOGLE = host(
    LO, "ens4 10.128.0.9/32", internal="10.128.0.9", routes=("default via 10.128.0.1 dev ens4 src 10.128.0.9",)
)
CARD_DOWN = host(LO, "eth0 10.1.1.4/24", "eth1 10.9.9.9/24", internal="10.1.1.4")
SIX_ONLY = host(LO, "eth0 2001:db8:7::14/64 fe80::2/64", "eth1 fd00:9::14/64", internal="2001:db8:7::14")
WITH_VPN = host(LO, "eth0 10.1.1.4/24", "tun0 10.8.0.6/32", "wg0 10.77.0.2/24", "virbr0 192.168.122.1/24")
COMPOSE = host(LO, "eth0 10.1.1.4/24", "br-0a1b2c3d4e5f 172.18.0.1/16", "podman0 10.88.0.1/16")
LINK_LOCAL = host(LO, "eth0 10.1.1.4/24", "idrac 169.254.1.2/16", "eth9 224.0.0.9/4")
SECOND_ADDRESS = host(LO, "eth0 10.1.1.4/24 10.1.1.200/32")


@pytest.mark.parametrize(
    ("on", "method", "taken"),
    [
        (RACK, "first-found", ("192.168.250.22/24", "ens192")),
        (RACK, "", ("192.168.250.22/24", "ens192")),
        (RACK, "kubernetes-internal-ip", ("10.31.8.22/24", "ens160")),
        (RACK, "cidr=10.31.8.0/24", ("10.31.8.22/24", "ens160")),
        (RACK, "cidr=10.0.0.0/8 , 192.168.0.0/16", ("10.212.130.64/32", "tunl0")),
        (RACK, "cidr=172.17.0.0/16", ("172.17.0.1/16", "docker0")),
        (RACK, "interface=ens160", ("10.31.8.22/24", "ens160")),
        (RACK, "interface=ens", ("192.168.250.22/24", "ens192")),
        (RACK, "interface=ens160,ens192", ("192.168.250.22/24", "ens192")),
        (RACK, "interface=docker.*", ("172.17.0.1/16", "docker0")),
        (RACK, "interface=", ("10.212.130.64/32", "tunl0")),
        (RACK, "skip-interface=ens192", ("10.31.8.22/24", "ens160")),
        (RACK, "skip-interface=^ens19[0-9]$", ("10.31.8.22/24", "ens160")),
        (RACK, "can-reach=8.8.8.8", ("10.31.8.22/24", "ens160")),
        (RACK, "can-reach=192.168.250.9", ("192.168.250.22/24", "ens192")),
        (RACK, "can-reach=172.17.0.3", ("172.17.0.1/16", "docker0")),
        (RACK, "can-reach=10.31.8.22", ("10.31.8.22/24", "ens160")),
        (RACK, "can-reach=$(NODEIP)", ("10.31.8.22/24", "ens160")),
        (RACK, "can-reach=127.0.0.1", ("127.0.0.1/8", "lo")),
        (BONDED, "first-found", ("10.4.130.7/24", "bond0.130")),
        (BONDED, r"interface=bond0\.120", ("10.4.120.7/22", "bond0.120")),
        (BONDED, "cidr=10.4.120.0/22", ("10.4.120.7/22", "bond0.120")),
        (BONDED, "skip-interface=bond0.13.*", ("10.4.120.7/22", "bond0.120")),
        (BONDED, "kubernetes-internal-ip", ("10.4.120.7/22", "bond0.120")),
        (VAGRANT, "first-found", ("192.168.56.11/24", "enp0s8")),
        (VAGRANT_NAT_LAST, "first-found", ("10.0.2.15/24", "enp0s9")),
        (VAGRANT_NAT_LAST, "kubernetes-internal-ip", ("10.0.2.15/24", "enp0s9")),
        (VAGRANT_NAT_LAST, "cidr=192.168.56.0/24", ("192.168.56.11/24", "enp0s8")),
        (AWS, "first-found", ("10.20.9.81/20", "eth1")),
        (AWS, "kubernetes-internal-ip", ("10.20.1.15/20", "eth0")),
        (AWS, "interface=eth0", ("10.20.1.15/20", "eth0")),
        (GOOGLE, "first-found", ("10.128.0.9/32", "ens4")),
        (GOOGLE, "can-reach=10.128.0.1", ("10.128.0.9/32", "ens4")),
        (CARD_DOWN, "first-found", ("10.9.9.9/24", "eth1")),
        (WITH_VPN, "first-found", ("10.77.0.2/24", "wg0")),
        (WITH_VPN, "skip-interface=wg.*,tun.*", ("10.1.1.4/24", "eth0")),
        (COMPOSE, "first-found", ("10.1.1.4/24", "eth0")),
        (LINK_LOCAL, "first-found", ("10.1.1.4/24", "eth0")),
        (SECOND_ADDRESS, "cidr=10.1.1.200/32", ("10.1.1.200/32", "eth0")),
        (SECOND_ADDRESS, "first-found", ("10.1.1.4/24", "eth0")),
    ],
)  # fmt: skip
def test_what_is_taken(on, method, taken):
    found = detect_address(on, method, 4, LATEST)
    assert (found.address, found.interface) == taken
    assert found.why == "found"


@pytest.mark.parametrize(
    ("method", "taken"),
    [
        ("first-found", ("fd00:9::14/64", "eth1")),
        ("kubernetes-internal-ip", ("2001:db8:7::14/64", "eth0")),
        ("cidr=2001:db8::/32", ("2001:db8:7::14/64", "eth0")),
        ("interface=eth0", ("2001:db8:7::14/64", "eth0")),
        ("skip-interface=eth1", ("2001:db8:7::14/64", "eth0")),
        ("can-reach=2001:db8:7::14", ("2001:db8:7::14/64", "eth0")),
    ],
)
def test_ipv6_is_chosen_alike(method, taken):
    found = detect_address(SIX_ONLY, method, 6, LATEST)
    assert (found.address, found.interface) == taken


@pytest.mark.parametrize(
    ("on", "method", "why", "detail"),
    [
        (SIX_ONLY, "first-found", "no-address", ""),
        (RACK, "interface=eth0", "no-interface", ""),
        (RACK, "interface=^ens16$", "no-interface", ""),
        (RACK, "interface=cali.*", "no-address", ""),
        (RACK, "cidr=10.99.0.0/16", "no-address", ""),
        (RACK, "skip-interface=ens.*", "no-interface", ""),
        # A comma too many leaves an empty expression, and that fits every name.
        (RACK, "skip-interface=ens192,", "no-interface", ""),
        (RACK, "interface=(ens", "bad-pattern", "(ens"),
        (RACK, "interface=(?!ens192)ens", "bad-pattern", "(?!ens192)ens"),
        (RACK, "cidr=10.31.8.22", "bad-range", "10.31.8.22"),
        (RACK, "cidr=10.31.8.0/24,", "bad-range", ""),
        (RACK, "can-reach=2001:db8::1", "other-family", "2001:db8::1"),
        (RACK, "can-reach=10.212.130.70", "no-route", "10.212.130.70"),
        (RACK, "first", "bad-method", "first"),
        (RACK, "first-found,ens160", "bad-method", "first-found,ens160"),
        (host(LO, "eth0 10.1.1.4/24", internal="203.0.113.7"), "kubernetes-internal-ip", "internal-ip-elsewhere", "203.0.113.7"),
        (host(LO), "first-found", "no-interface", ""),
    ],
)  # fmt: skip
def test_why_nothing_is_taken(on, method, why, detail):
    found = detect_address(on, method, 4, LATEST)
    assert (found.address, found.why, found.detail) == (None, why, detail)
    assert found.known


@pytest.mark.parametrize(
    ("on", "method", "why"),
    [
        (HostNetwork("heron-1"), "first-found", "not-listed"),
        (HostNetwork("heron-1", internal="10.1.1.4"), "kubernetes-internal-ip", "not-listed"),
        (HostNetwork("heron-1"), "can-reach=10.1.1.1", "not-listed"),
        (HostNetwork("heron-1", listing("eth0 10.1.1.4/24")), "kubernetes-internal-ip", "internal-ip-not-seen"),
        (HostNetwork("heron-1", listing("eth0 10.1.1.4/24", whole=False)), "first-found", "not-all-listed"),
        (HostNetwork("heron-1", listing("eth0 10.1.1.4/24", whole=False)), "interface=eth0", "not-all-listed"),
        (HostNetwork("heron-1", listing("eth0 10.1.1.4/24", whole=False)), "cidr=10.2.0.0/16", "not-all-listed"),
        (HostNetwork("heron-1", listing("eth0 10.1.1.4/24", whole=False), "10.2.0.9"), "kubernetes-internal-ip", "not-all-listed"),
        (HostNetwork("heron-1", listing("eth0 10.1.1.4/24", "eth1 10.2.1.4/24", ordered=False)), "first-found", "not-in-order"),
        (host(LO, "eth0 10.1.1.4/24"), "can-reach=10.1.1.1", "routes-not-seen"),
        (host(LO, "eth0 10.1.1.4/24"), "can-reach=gateway.example.org", "name-not-resolved"),
    ],
)  # fmt: skip
def test_what_was_not_seen_is_not_guessed(on, method, why):
    found = detect_address(on, method, 4, LATEST)
    assert (found.known, found.why, found.address) == (False, why, None)


class TestScraps:
    """Part of a listing tells enough where what is not seen could change nothing."""

    def test_the_internal_ip_is_on_a_card_that_was_seen(self):
        seen = HostNetwork("heron-1", listing("eth0 10.1.1.4/24", whole=False), "10.1.1.4")
        assert detect_address(seen, "kubernetes-internal-ip", 4, LATEST).address == "10.1.1.4/24"

    def test_an_address_of_the_range_was_seen(self):
        seen = HostNetwork("heron-1", listing("eth0 10.1.1.4/24", whole=False))
        assert detect_address(seen, "cidr=10.1.0.0/16", 4, LATEST).address == "10.1.1.4/24"

    def test_one_card_needs_no_order(self):
        seen = HostNetwork("heron-1", listing(LO, "docker0 172.17.0.1/16", "eth0 10.1.1.4/24", ordered=False))
        assert detect_address(seen, "first-found", 4, LATEST).address == "10.1.1.4/24"


class TestReleases:
    """The same host under older releases."""

    def test_docker_compose_bridges_count_before_3_25(self):
        assert detect_address(COMPOSE, "first-found", 4, version("v3.24.5")).interface == "podman0"
        assert detect_address(COMPOSE, "skip-interface=podman.*", 4, version("v3.24.5")).interface == "br-0a1b2c3d4e5f"

    def test_a_name_that_merely_contains_lo_was_passed_over(self):
        wireless = host(LO, "wlo1 10.1.1.4/24")
        assert detect_address(wireless, "first-found", 4, version("v3.23.3")).why == "no-interface"
        assert detect_address(wireless, "first-found", 4, version("v3.23.4")).interface == "wlo1"

    @pytest.mark.parametrize("written", ["v3.23.4", "v3.24.3"])
    def test_two_releases_take_their_own_tunnel(self, written):
        tunnelled = host(LO, "eth0 10.1.1.4/24", "vxlan.calico 10.212.5.0/32")
        assert detect_address(tunnelled, "first-found", 4, version(written)).interface == "vxlan.calico"
        assert detect_address(tunnelled, "first-found", 4, version("v3.24.2")).interface == "eth0"
        assert detect_address(tunnelled, "first-found", 4, version("v3.24.4")).interface == "eth0"

    @pytest.mark.parametrize(
        ("method", "last_without", "first_with"),
        [("cidr=10.31.8.0/24", "v3.15.5", "v3.16.0"), ("kubernetes-internal-ip", "v3.21.6", "v3.22.4")],
    )
    def test_a_method_that_is_not_known_yet_ends_the_start(self, method, last_without, first_with):
        assert detect_address(RACK, method, 4, version(last_without)).why == "too-old"
        assert detect_address(RACK, method, 4, version(first_with)).address == "10.31.8.22/24"

    @pytest.mark.parametrize(
        ("written", "address"),
        [
            ("v3.22.0", "10.31.8.0/24"),
            ("v3.22.3", "10.31.8.0/24"),
            ("v3.22.4", "10.31.8.22/24"),
            ("v3.23.1", "10.31.8.0/24"),
            ("v3.23.2", "10.31.8.22/24"),
            ("v3.24.0", "10.31.8.22/24"),
        ],
    )
    def test_the_first_releases_stored_the_address_of_the_network(self, written, address):
        assert detect_address(RACK, "kubernetes-internal-ip", 4, version(written)).address == address


def test_every_card_is_accounted_for_in_calicos_order():
    found = detect_address(RACK, "first-found", 4, LATEST)
    assert [(card.name, card.verdict, card.by) for card in found.considered] == [
        ("cali0a1b2c3d4e5", "excluded", "^cali.*"),
        ("tunl0", "excluded", "^tunl.*"),
        ("kube-ipvs0", "excluded", "^kube-ipvs.*"),
        ("docker0", "excluded", "^docker.*"),
        ("ens192", "taken", ""),
        ("ens160", "later", ""),
        ("lo", "excluded", "^lo"),
    ]


def test_a_detection_knows_whether_it_is_one():
    assert Detection("found", "10.1.1.4/24").known
    assert not Detection("not-listed").known

"""What holds for every host and every method."""

from __future__ import annotations

from ipaddress import ip_interface, ip_network

from hypothesis import given
from hypothesis import strategies as st

from calivet.forecast.autodetection import detect_address, is_global, list_excluded_names
from calivet.forecast.cards import Card, CardListing
from calivet.forecast.methods import EXCLUDED, LATER, NOT_INCLUDED, TAKEN, HostNetwork, find_first_fit
from calivet.forecast.releases import parse_release

NAMES = st.sampled_from(
    "lo eth0 eth1 ens160 enp0s3 bond0 bond0.12 wlo1 docker0 br-0a1b2c br0 virbr0 cali12ab tunl0 vxlan.calico kube-ipvs0 "
    "veth12 tun0 wg0 cni0 flannel.1 nodelocaldns podman0 ibmvetha dummy0".split()
)
ADDRESSES = st.builds(
    lambda ip, length: ip_interface(f"{ip}/{length}"), st.ip_addresses(v=4), st.integers(min_value=8, max_value=32)
)
CARDS = st.lists(st.builds(Card, NAMES, st.lists(ADDRESSES, max_size=3)), max_size=8, unique_by=lambda card: card.name)
RELEASES = st.sampled_from(["v3.8.0", "v3.14.2", "v3.20.6", "v3.23.3", "v3.23.4", "v3.24.6", "v3.25.0", "v3.32.1"]).map(
    parse_release
)
METHODS = st.one_of(
    st.sampled_from(
        ["first-found", "", "interface=eth.*", "interface=e", "skip-interface=eth.*,ens", "cidr=10.0.0.0/8"]
    ),
    NAMES.map(lambda name: f"interface=^{name}$"),
    NAMES.map(lambda name: f"skip-interface=^{name}$"),
    st.ip_addresses(v=4).map(lambda ip: f"cidr={ip}/12"),
)


def of(cards: list[Card]) -> HostNetwork:
    return HostNetwork("heron-1", CardListing(cards, whole=True))


@given(CARDS, METHODS, RELEASES)
def test_the_address_is_that_of_a_considered_card_that_nothing_excludes(cards, method, running):
    found = detect_address(of(cards), method, 4, running)
    if found.address is None:
        return
    (taken,) = [card for card in found.considered if card.verdict == TAKEN]
    card = next(card for card in cards if card.name == found.interface)
    assert (taken.name, taken.address) == (found.interface, found.address)
    assert ip_interface(found.address) in card.addresses
    assert is_global(ip_interface(found.address))


@given(CARDS, RELEASES)
def test_nothing_that_is_excluded_by_default_is_taken(cards, running):
    found = detect_address(of(cards), "first-found", 4, running)
    assert found.interface is None or find_first_fit(found.interface, list_excluded_names(running)) is None


@given(CARDS, NAMES, RELEASES)
def test_what_is_to_be_skipped_is_never_taken(cards, name, running):
    assert detect_address(of(cards), f"skip-interface=^{name}$", 4, running).interface != name


@given(CARDS, NAMES)
def test_what_is_asked_for_by_name_is_taken_or_nothing(cards, name):
    assert detect_address(of(cards), f"interface=^{name}$", 4).interface in (None, name)


@given(CARDS, st.ip_addresses(v=4), st.integers(min_value=0, max_value=32))
def test_an_address_by_range_lies_in_it(cards, ip, length):
    wanted = ip_network(f"{ip}/{length}", strict=False)
    found = detect_address(of(cards), f"cidr={wanted}", 4)
    assert found.address is None or ip_interface(found.address).ip in wanted


@given(CARDS, METHODS, RELEASES)
def test_a_card_before_the_taken_one_had_nothing_to_offer(cards, method, running):
    found = detect_address(of(cards), method, 4, running)
    verdicts = [card.verdict for card in found.considered]
    assert [card.name for card in found.considered] in ([], [card.name for card in reversed(cards)])
    if TAKEN in verdicts:
        assert LATER not in verdicts[: verdicts.index(TAKEN)]
    elif found.why == "no-interface":
        assert set(verdicts) <= {EXCLUDED, NOT_INCLUDED}

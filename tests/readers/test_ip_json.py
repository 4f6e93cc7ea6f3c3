"""`ip -j`: the same facts as from what ip prints for people."""

from __future__ import annotations

import json

import pytest

from calivet.facts.host import Interface, Route
from calivet.readers.network.interfaces import IP_JSON_READER as READER
from tests.readers.host_reading import facts_of

ADDRESSES = [
    {
        "ifindex": 1,
        "ifname": "lo",
        "flags": ["LOOPBACK", "UP", "LOWER_UP"],
        "mtu": 65536,
        "operstate": "UNKNOWN",
        "addr_info": [{"family": "inet", "local": "127.0.0.1", "prefixlen": 8}],
    },
    {
        "ifindex": 2,
        "ifname": "ens3",
        "flags": ["BROADCAST", "MULTICAST"],
        "mtu": 1450,
        "operstate": "DOWN",
        "addr_info": [],
    },
]
ROUTES = [
    {"dst": "default", "gateway": "10.31.7.1", "dev": "ens3", "protocol": "static", "metric": 100, "flags": []},
    {"type": "blackhole", "dst": "192.168.12.64/26", "protocol": "bird", "flags": []},
]


@pytest.mark.parametrize("indent", [None, 4])
def test_interfaces(indent: int | None) -> None:
    found = facts_of(READER, json.dumps(ADDRESSES, indent=indent), "ip -j addr")
    assert [(card.name, card.addresses, card.up, card.mtu) for card in found if isinstance(card, Interface)] == [
        ("lo", ("127.0.0.1/8",), True, 65536),
        ("ens3", (), False, 1450),
    ]


@pytest.mark.parametrize("indent", [None, 4])
def test_routes(indent: int | None) -> None:
    found = facts_of(READER, json.dumps(ROUTES, indent=indent), "ip -j route")
    assert [
        (route.kind, route.destination, route.via, route.device) for route in found if isinstance(route, Route)
    ] == [
        ("unicast", "default", "10.31.7.1", "ens3"),
        ("blackhole", "192.168.12.64/26", None, None),
    ]


def test_cut_off_in_the_middle() -> None:
    text = json.dumps(ADDRESSES, indent=4)
    found = facts_of(READER, text[: text.index('"ens3"') + 7], "ip -j -p addr")
    assert [card.name for card in found if isinstance(card, Interface)] == ["lo", "ens3"]

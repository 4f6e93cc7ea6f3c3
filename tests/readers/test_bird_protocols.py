from __future__ import annotations

import pytest

from calivet.readers.calico.bird import PROTOCOLS_READER
from tests.readers.host_reading import facts_of, reading_of

PLAIN = """
BIRD v0.3.3+birdv1.6.8 ready.
name     proto    table    state  since       info
static1  Static   master   up     2024-02-01
kernel1  Kernel   master   up     2024-02-01
device1  Device   master   up     2024-02-01
Mesh_10_44_0_12 BGP      master   up     2024-02-01  Established
Mesh_10_44_0_13 BGP      master   start  08:14:58    Active        Socket: Connection refused
Node_10_44_9_1 BGP      master   down   08:14:58    Error: No listening socket
Global_10_44_9_2_port_1790 BGP      master   start  08:14:58    Idle
"""


def test_rows():
    up, refused, down, idle = facts_of(
        PROTOCOLS_READER, PLAIN, "birdcl -s /var/run/calico/bird.ctl show protocols", "fig-1"
    )
    assert (up.address, up.type, up.established, up.host) == ("10.44.0.12", "node-to-node mesh", True, "fig-1")
    assert (refused.info, refused.since) == ("Active Socket: Connection refused", "08:14:58")
    assert (down.address, down.type, down.state) == ("10.44.9.1", "node specific", "down")
    assert (idle.address, idle.type, idle.info) == ("10.44.9.2", "global", "Idle")


def test_all_details():
    text = """
    bird> show protocols all
    name     proto    table    state  since       info
    tor1     BGP      master   start  10:00:01    Active
      Preference:     100
      BGP state:          Active
        Neighbor address: 10.44.9.1
        Neighbor AS:      65001
        Last error:       Socket: No route to host
    Mesh_10_44_0_12 BGP      master   up     10:00:05    Established
      BGP state:          Established
        Neighbor address: 10.44.0.12
    """
    named, mesh = facts_of(
        PROTOCOLS_READER, text, "kubectl exec -n calico-system calico-node-9zxvk -- birdcl", "bastion"
    )
    assert (named.address, named.type, named.info) == ("10.44.9.1", None, "Active Socket: No route to host")
    assert (mesh.address, mesh.pod, mesh.host) == ("10.44.0.12", "calico-node-9zxvk", None)


@pytest.mark.parametrize(
    ("row", "address"),
    [
        ("Mesh_fd00_44__12 BGP      master   up     10:00:05    Established", "fd00:44::12"),
        ("1002-Mesh_10_44_0_12 BGP      master   up     10:00:05    Established", "10.44.0.12"),
        ("Mesh_10_44_0_12 BGP        ---        up     2024-02-01 10:00:05.123  Established", "10.44.0.12"),
    ],
)
def test_other_writings(row: str, address: str):
    (peer,) = facts_of(PROTOCOLS_READER, row)
    assert (peer.address, peer.info) == (address, "Established")


def test_a_session_without_an_address_is_counted_as_unread():
    reading = reading_of(PROTOCOLS_READER, "uplink BGP master up 10:00:05 Established")
    assert not reading.facts
    assert reading.unread == {0}


@pytest.mark.parametrize(
    ("path", "what"), [("/var/run/calico/bird.ctl", "bird"), ("/var/run/calico/bird6.ctl", "bird6")]
)
def test_no_socket(path: str, what: str):
    (down,) = facts_of(
        PROTOCOLS_READER, f"Unable to connect to server control socket ({path}): Connection refused", "birdcl", "fig-1"
    )
    assert (down.what, down.host) == (what, "fig-1")


def test_a_router_s_own_summary_is_not_bird_s():
    text = """
    Neighbor        V    AS MsgRcvd MsgSent   TblVer  InQ OutQ Up/Down  State/PfxRcd
    10.44.0.12      4 64512   15022   14980      511    0    0 1w3d     2
    BGP routing table entry for 10.44.0.0/26
    IPv4 BGP status
    """
    reading = reading_of(PROTOCOLS_READER, text)
    assert not reading.facts
    assert not reading.claimed


def test_who_may_not_ask_learns_nothing():
    refused = "Unable to connect to server control socket (/var/run/calico/bird.ctl): {}"
    assert len(facts_of(PROTOCOLS_READER, refused.format("Connection refused"))) == 1
    assert facts_of(PROTOCOLS_READER, refused.format("Permission denied")) == []

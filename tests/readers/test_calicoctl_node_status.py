from __future__ import annotations

import pytest

from calivet.facts.calico import BgpPeer, BirdDown
from calivet.readers.calico.calicoctl import NODE_STATUS_READER as READER
from tests.readers.host_reading import facts_of, reading_of

STATUS = """
Calico process is running.

IPv4 BGP status
+--------------+-------------------+-------+------------+--------------------------------+
| PEER ADDRESS |     PEER TYPE     | STATE |   SINCE    |              INFO              |
+--------------+-------------------+-------+------------+--------------------------------+
| 10.44.0.12   | node-to-node mesh | up    | 2024-01-02 | Established                    |
| 10.44.0.13   | node-to-node mesh | start | 08:14:58   | Active Socket: Connection      |
|              |                   |       |            | refused                        |
| 10.44.9.1    | global            | start | 08:14:58   | Idle BGP Error: Bad peer AS    |
+--------------+-------------------+-------+------------+--------------------------------+

IPv6 BGP status
+--------------+---------------+-------+----------+---------+
| PEER ADDRESS |   PEER TYPE   | STATE |  SINCE   |  INFO   |
+--------------+---------------+-------+----------+---------+
| fd00:44::12  | node specific | start | 08:14:58 | Passive |
+--------------+---------------+-------+----------+---------+
"""


def test_peers_of_both_families():
    first, refused, bad_as, six = facts_of(READER, STATUS, "sudo ./calicoctl node status", "fig-1")
    assert (first.host, first.address, first.type, first.state) == ("fig-1", "10.44.0.12", "node-to-node mesh", "up")
    assert (first.since, first.established) == ("2024-01-02", True)
    assert (refused.info, refused.established) == ("Active Socket: Connection refused", False)
    assert (bad_as.type, bad_as.info) == ("global", "Idle BGP Error: Bad peer AS")
    assert (six.address, six.type, six.info) == ("fd00:44::12", "node specific", "Passive")


def test_the_unwrapped_layout_with_headings_at_the_left():
    text = """
    ┌──────────────┬───────────────────┬───────┬──────────┬──────────────────────────────────────┐
    │ PEER ADDRESS │ PEER TYPE         │ STATE │ SINCE    │ INFO                                 │
    ├──────────────┼───────────────────┼───────┼──────────┼──────────────────────────────────────┤
    │ 10.44.0.13   │ node-to-node mesh │ start │ 08:14:58 │ Active Socket: Connection timed out  │
    └──────────────┴───────────────────┴───────┴──────────┴──────────────────────────────────────┘
    """
    (peer,) = facts_of(READER, text)
    assert (peer.info, peer.host) == ("Active Socket: Connection timed out", None)


def test_rows_that_were_grepped_out_need_no_header():
    text = "| 10.44.0.13   | node-to-node mesh | start | 08:14:58   | Connect                        |"
    (peer,) = facts_of(READER, text, "calicoctl node status | grep start", "fig-1")
    assert (peer.address, peer.state, peer.info) == ("10.44.0.13", "start", "Connect")


def test_inside_a_pod_the_pod_is_known_but_not_the_host():
    peer, *_ = facts_of(READER, STATUS, "kubectl exec -n kube-system calicoctl-0 -- /calicoctl node status", "bastion")
    assert (peer.host, peer.pod) == (None, "calicoctl-0")


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("Calico process is not running.", "calico"),
        ("The BGP backend process (BIRD) is not running.", "bird"),
        ("None of the BGP backend processes (BIRD or GoBGP) are running.", "bird"),
        ("INFO: BIRDv4 process: 'bird' is not running.", "bird"),
        ("INFO: BIRDv6 process: 'bird6' is not running.", "bird6"),
        (
            "Error querying BIRD: unable to connect to BIRDv4 socket: dial unix /var/run/calico/bird.ctl: no such file",
            "bird",
        ),
    ],
)
def test_nothing_to_ask(line: str, what: str):
    (down,) = facts_of(READER, line, "calicoctl node status", "fig-1")
    assert isinstance(down, BirdDown)
    assert (down.what, down.host) == (what, "fig-1")


def test_no_peers_is_understood_but_states_nothing():
    reading = reading_of(READER, "IPv6 BGP status\nNo IPv6 peers found.")
    assert not reading.facts
    assert reading.claimed == {0, 1}


def test_a_probe_s_words_in_an_event_are_not_the_tool_s():
    event = "  Warning  Unhealthy  3m  kubelet  Readiness probe failed: Error querying BIRD: unable to connect to BIRDv4 socket"
    assert not reading_of(READER, event).facts


def test_a_table_about_other_things_is_left_alone():
    assert not facts_of(READER, "| 10.44.0.13 | a router | start | 08:14:58 | x |")


def test_a_table_cut_off_mid_row():
    cut = STATUS[: STATUS.index("08:14:58")]
    peers = [fact for fact in facts_of(READER, cut) if isinstance(fact, BgpPeer)]
    assert [(peer.address, peer.info) for peer in peers] == [("10.44.0.12", "Established"), ("10.44.0.13", None)]

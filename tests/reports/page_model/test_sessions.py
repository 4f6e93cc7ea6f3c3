from __future__ import annotations

import pytest

from tests.facts.drawing import Text, nodes
from tests.reports.page_model.seeing import scene_of

NODES = nodes("oak-1 Ready 10.1.0.1", "oak-2 Ready 10.1.0.2", "oak-3 Ready 10.1.0.3")


def status(prompt: str, **peers: str) -> str:
    """`calicoctl node status`, asked at a prompt; peers by the last number of their address."""
    rows = [
        f"| 10.1.0.{key[1:]} | node-to-node mesh | {'up' if info == 'Established' else 'start'} | 08:14:58 | {info} |"
        for key, info in peers.items()
    ]
    head = ["Calico process is running.", "", "IPv4 BGP status", "| PEER ADDRESS | PEER TYPE | STATE | SINCE | INFO |"]
    return "\n".join([f"{prompt}calicoctl node status", *head, *rows, ""])


def drawn(text: Text) -> list[tuple[str, str, str, int]]:
    return [(one.one, one.other, one.state, len(one.ends)) for one in scene_of(text).sessions]


def test_both_ends_are_one_session():
    one = status("[root@oak-1 ~]# ", _2="Established", _3="Passive")
    two = status("[root@oak-2 ~]# ", _1="Established", _3="Established")
    assert drawn({"nodes.txt": NODES, "one.txt": one, "two.txt": two}) == [
        ("oak-1", "oak-2", "up", 2),
        ("oak-1", "oak-3", "down", 1),
        ("oak-2", "oak-3", "up", 1),
    ]


def test_ends_that_disagree():
    text = {
        "nodes.txt": NODES,
        "one.txt": status("[root@oak-1 ~]# ", _2="Established"),
        "two.txt": status("[root@oak-2 ~]# ", _1="Active Socket: Connection refused"),
    }
    (found,) = scene_of(text).sessions
    assert found.state == "half"
    assert [(end.node, end.info, end.up, end.since) for end in found.ends] == [
        ("oak-1", "Established", True, "08:14:58"),
        ("oak-2", "Active Socket: Connection refused", False, "08:14:58"),
    ]


def test_the_last_word_counts():
    text = {
        "nodes.txt": NODES,
        "before.txt": status("[root@oak-1 ~]# ", _2="Connect"),
        "later.txt": status("[root@oak-1 ~]# ", _2="Established"),
    }
    (found,) = scene_of(text).sessions
    assert (found.state, found.ends[0].line.artifact) == ("up", "later.txt")


def test_a_peer_that_is_no_node_keeps_its_address():
    assert drawn({"nodes.txt": NODES, "one.txt": status("[root@oak-1 ~]# ", _99="Established")}) == [
        ("10.1.0.99", "oak-1", "up", 1)
    ]


def test_an_address_that_seems_to_be_its_own_is_no_session_with_itself():
    assert drawn({"nodes.txt": NODES, "one.txt": status("[root@oak-1 ~]# ", _1="Connect")}) == [
        ("10.1.0.1", "oak-1", "down", 1)
    ]


@pytest.mark.parametrize(
    ("peers", "count"), [({"_1": "Established", "_3": "Connect"}, 2), ({"_1": "Established"}, 0)], ids=["all", "some"]
)
def test_a_list_without_a_prompt_is_that_of_the_only_node_it_does_not_name(peers, count):
    found = scene_of({"nodes.txt": NODES, "paste.txt": status("", **peers)}).sessions
    assert len(found) == count
    assert {end.node for session in found for end in session.ends} <= {"oak-2"}


def test_ipv6_peers_are_found_by_the_address_that_calico_has():
    text = {
        "nodes.yaml": """
            apiVersion: projectcalico.org/v3
            kind: Node
            metadata:
              name: oak-2
            spec:
              bgp:
                ipv6Address: fd00::2/64
        """,
        "one.txt": status("[root@oak-1 ~]# ", _9="Established").replace("10.1.0.9", "fd00::2"),
    }
    assert drawn(text) == [("oak-1", "oak-2", "up", 1)]

"""What was refused to the user a moment ago is no question to put to him."""

from __future__ import annotations

import pytest

from calivet.evidence.artifact import Unreadable
from calivet.messages.command_line import Command
from calivet.messages.message import message
from calivet.messages.words import Words
from calivet.reasoning.diagnosis import Next
from calivet.reasoning.next_evidence import keep_allowed

LOG = "kubectl logs -n kube-system calico-node-x2x4z -c calico-node"
EVENTS = "kubectl get events -n kube-system --sort-by=.lastTimestamp"
PEERS = "kubectl get bgpconfigurations.crd.projectcalico.org,bgppeers.crd.projectcalico.org -o yaml"
NODE = "kubectl describe node worker-2"
LOGIN = "ssh worker-2 sudo calicoctl node status"


def left_of(*commands: str, without: str) -> list[str]:
    why = message("connection.forbidden", verbs="get", resources=without)
    chosen = [Next(Command(run), Words("", ""), []) for run in commands]
    return [str(item.run) for item in keep_allowed(chosen, [Unreadable("a.txt", why)])]


@pytest.mark.parametrize(
    ("without", "barred"),
    [
        ("pods/log", LOG),
        ("events", EVENTS),
        ("ippools.crd.projectcalico.org, bgppeers.crd.projectcalico.org", PEERS),
        ("nodes", NODE),
    ],
)
def test_what_needs_the_missing_permission_is_left_out(without, barred):
    everything = [LOG, EVENTS, PEERS, NODE, LOGIN]
    assert left_of(*everything, without=without) == [run for run in everything if run != barred]


def test_where_nothing_else_is_left_it_is_asked_all_the_same():
    assert left_of(LOG, without="pods/log") == [LOG]

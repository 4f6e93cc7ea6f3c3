"""A machine from which somebody only worked is told from a node that has another name."""

from __future__ import annotations

import pytest

from calivet.facts.machines import find_bystanders
from tests.facts.drawing import nodes, picture_of

LIST = nodes("birch-1 Ready 10.71.0.11", prompt="[me@gate ~]$ ")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (LIST + "[me@gate ~]$ sysctl net.ipv4.ip_forward\nnet.ipv4.ip_forward = 0\n", {"gate"}),
        (LIST + "[me@gate ~]$ ls /etc/cni/net.d\n10-calico.conflist\n", set()),
        (LIST + "[me@gate ~]$ hostname -I\n10.71.0.11 172.17.0.1\n", set()),
        (LIST + "[me@other ~]$ sysctl net.ipv4.ip_forward\nnet.ipv4.ip_forward = 0\n", {"gate"}),
        ("[me@gate ~]$ kubectl version\n[me@gate ~]$ sysctl net.ipv4.ip_forward\nnet.ipv4.ip_forward = 0\n", set()),
        (nodes("birch-1 Ready 10.71.0.11", prompt="[root@birch-1 ~]# "), set()),
    ],
    ids=["bastion", "it has a node's files", "it has a node's address", "nobody worked there", "no list", "a node"],
)
def test_who_only_worked_there(text, expected):
    assert find_bystanders(picture_of(text)) == expected

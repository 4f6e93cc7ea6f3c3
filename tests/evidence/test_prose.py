from __future__ import annotations

import pytest

from calivet.evidence.pieces import Mode
from calivet.evidence.prose import split_prose
from calivet.evidence.shapes import is_likely_output, is_plainly_output
from calivet.evidence.words import is_sentence, is_surely_written

WRITTEN = [
    "I caught the interfaces in the half second that they exist:",
    "The cluster comes up green, but from the second node nothing is reachable.",
    "We moved some pods to other nodes, what did we do wrong?",
    "and on the bad one it looks like this",
    "Kubernetes v1.20.4, docker 19.03, Ubuntu 20.04, three machines, calico from the manifest",
    "With `linuxDataplane: Iptables` the same cluster installs without a hitch.",
    "节点都是 Ready，但是跨节点的 pod 不通。",
    "重启以后还是 CrashLoopBackOff，查看日志：",
    "10.0.0.7 is not an address of that node, it is our public web server.",
]
PRINTED = [
    "2024-05-01 10:00:00.100 [INFO][9] startup.go 12: We are not ready to go on with this",
    "May  1 10:00:00 mill kubelet[12]: I0501 10:00:00.1 12 x.go:1] it is what I said to you",
    "E0501 10:00:00.123456 1 leaderelection.go:320] error retrieving resource lock",
    "NAME      READY   STATUS    RESTARTS   AGE",
    "agent-1   0/1     Running   0          3d",
    "+--------------+-------------------+",
    "Namespace:            kube-system",
    '    "name": "k8s-pod-network",',
    'Error from server (NotFound): pods "a" not found',
    "Readiness probe failed: calico/node is not ready: BIRD is not ready: BGP not established with 10.0.0.1",
    "curl: (7) Failed to connect to 10.0.0.1 port 443: No route to host",
    "goroutine 103 [running]:",
    "\t/go/src/x/y.go:128 +0x5a4",
    ":INPUT ACCEPT [90211:51822339]",
    "-A KUBE-SERVICES -d 10.0.0.1/32 -p tcp -j KUBE-SVC",
    "configmap/agent-config unchanged",
    "  import all;        # Import all routes, since we don't know what the upstream",
    "Scanning for IPs that are allocated but not actually in use...",
]


@pytest.mark.parametrize("line", WRITTEN)
def test_what_people_write(line: str) -> None:
    assert is_sentence(line)
    assert not is_plainly_output(line)
    (piece,) = split_prose([line], Mode.EITHER)
    assert piece.prose


@pytest.mark.parametrize("line", PRINTED)
def test_what_programs_print(line: str) -> None:
    assert is_plainly_output(line)
    for mode in Mode:
        (piece,) = split_prose([line], mode)
        assert not piece.prose


@pytest.mark.parametrize(
    "line",
    [
        "Calico process is running.",
        "The BGP backend process (BIRD) is not running.",
        "None of the processes (BIRD or GoBGP) are running.",
        "No IPv6 peers found.",
    ],
)
def test_statements_of_programs_are_not_surely_a_persons(line: str) -> None:
    assert not is_surely_written(line)
    table = ["NAME   READY   STATUS", "a      0/1     x"]
    assert [piece.prose for piece in split_prose([*table, "", line, "", *table], Mode.EITHER)] == [False]


@pytest.mark.parametrize(
    "line",
    ["key: value", "  nested: value here", "a.b.c = 1", "FOO=bar BAZ=1", "- item"],
)
def test_likely_output(line: str) -> None:
    assert is_likely_output(line)


def test_a_sentence_in_the_middle_of_output_belongs_to_it() -> None:
    lines = ["Name:    x", "Message: The node was low on the resource", "Reason:  Evicted"]
    assert [piece.prose for piece in split_prose(lines, Mode.EITHER)] == [False]


def test_remarks_behind_comment_marks() -> None:
    lines = [
        "# the three newest nodes do not come up",
        "a = 1",
        "",
        "# this is a comment of the file itself",
        "b = 2",
        "",
        "# and this is what I ran next:",
    ]
    alone = split_prose(lines, Mode.OUTPUT)
    assert [(piece.prose, piece.start) for piece in alone] == [(True, 0), (False, 1)]
    before = split_prose(lines, Mode.OUTPUT, before_command=True)
    assert [(piece.prose, piece.start) for piece in before] == [(True, 0), (False, 1), (True, 6)]

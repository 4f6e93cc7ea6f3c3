from __future__ import annotations

import pytest

from calivet.evidence.cutting.command_lines import is_sentence, is_surely_written
from calivet.evidence.cutting.output_shapes import is_likely_output, is_plainly_output
from calivet.evidence.cutting.pieces import Mode
from calivet.evidence.cutting.prose import split_prose

WRITTEN = [
    "I took this from the console before it scrolled away:",
    "The new rack looks healthy, but from its machines no service answers.",
    "We replaced the switch on Friday, could that be related?",
    "while on the old ones it is as before",
    "Kubernetes v1.20.4, docker 19.03, Ubuntu 20.04, three machines, calico from the manifest",
    "Once `natOutgoing` is off, the second test of the day goes through.",
    "机器都在线，可是容器之间访问超时。",
    "换了内核还是一样，输出如下：",
    "10.0.0.7 belongs to the printer on the third floor, we never gave it to a node.",
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
        "# all of this was done on the spare machine",
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

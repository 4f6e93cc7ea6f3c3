"""What `kubectl cluster-info dump` prints, cut at its marks."""

from __future__ import annotations

from calivet.evidence.artifact import Document
from calivet.evidence.cutting.cut import cut_document, cut_dump

DUMP = [
    "{",
    '    "kind": "NodeList",',
    '    "items": []',
    "}",
    "==== START logs for container install-cni of pod kube-system/calico-node-v7n4c ====",
    "==== END logs for container install-cni of pod kube-system/calico-node-v7n4c ====",
    "==== START logs for container calico-node of pod kube-system/calico-node-v7n4c ====",
    "2025-03-11 09:58:20.311 [INFO][9] startup/startup.go 431: Early log level set to info",
    "==== a rule that a program printed ====",
    "==== END logs for container calico-node of pod kube-system/calico-node-v7n4c ====",
    "{",
    '    "kind": "EventList"',
    "}",
]


def test_logs_and_lists_in_turns() -> None:
    pieces = cut_dump(DUMP)
    assert [(piece.start, piece.command) for piece in pieces] == [
        (0, None),
        (4, "kubectl logs -n kube-system calico-node-v7n4c -c install-cni"),
        (6, "kubectl logs -n kube-system calico-node-v7n4c -c calico-node"),
        (10, None),
    ]
    assert pieces[2].lines == DUMP[6:9]


def test_cut_off_inside_a_log() -> None:
    assert [piece.lines for piece in cut_dump(DUMP[:8])] == [DUMP[:4], DUMP[4:5], DUMP[6:8]]


def test_other_texts_are_not_cut() -> None:
    assert cut_dump(["==== START of something ====", "x"]) == []


def test_the_lines_keep_their_numbers() -> None:
    log = cut_document(Document("dump.txt", DUMP))[2][0]
    assert log.at(1).number == 8

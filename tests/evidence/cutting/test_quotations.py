"""A program's line wherever it stands in what a person wrote, or as a screen broke it."""

from __future__ import annotations

import pytest

from calivet.evidence.artifact import Artifact
from calivet.evidence.cutting.quotations import find_quotations, is_message, keep_messages, restore_lines

BOUND = "listen tcp 127.0.0.1:9099: bind: address already in use"


def restore(text: str, *, prose: bool = True) -> list[tuple[int, str]]:
    restored = restore_lines(Artifact("note.md", 1, text.split("\n"), prose=prose))
    return list(zip(restored.numbers, restored.lines, strict=True)) if restored else []


@pytest.mark.parametrize(
    "line",
    [
        f"日志报错：{BOUND}",
        f"查看日志，报错如下: {BOUND}",
        f"The log says: {BOUND}",
        f"节点重启后一直报 {BOUND}，请问怎么处理。",
        f"Since the reboot it ends with `{BOUND}` on one node.",
        f"Since the reboot it ends with ``{BOUND}`` on one node.",
        f"Since the reboot it ends with **{BOUND}** on one node.",
        f"错误提示“{BOUND}”",
        f"- {BOUND}",
        f"1. {BOUND}",
        f"| felix | {BOUND} |",
        "截图里是：listen tcp 127.0.0.1：9099： bind： address already in use".replace("1：9", "1:9"),
    ],
)
def test_the_message_is_found(line: str) -> None:
    assert any(text.replace(":  ", ": ") == BOUND for text in find_quotations(line))


@pytest.mark.parametrize(
    "line",
    [
        f"There is no `{BOUND}` in the log any more.",
        f"日志里没有 `{BOUND}`",
        f"What does `{BOUND}` mean?",
        f"`{BOUND}` 是什么意思",
        "We ran `kubectl -n kube-system delete pod calico-node-7xk2p` and waited.",
        "The cluster has three nodes and runs since spring.",
        "集群有三个节点，用 kubeadm 安装",
    ],
)
def test_what_is_denied_asked_typed_or_told_is_not(line: str) -> None:
    assert find_quotations(line) == []


def test_a_sentence_that_holds_what_only_programs_say_is_kept_whole() -> None:
    line = "After the upgrade I see dial tcp 10.96.0.1:443: i/o timeout in install-cni"
    assert find_quotations(line) == [line]


def test_claims_point_at_the_line_of_the_note() -> None:
    text = f"It worked for a year.\n\nThen the log said:\n\n`{BOUND}`\n"
    assert restore(text) == [(5, BOUND)]


def test_a_quotation_that_goes_on_in_the_next_line() -> None:
    found = restore("Since then it ends with `listen tcp 127.0.0.1:9099:\nbind: address already in use` there.")
    assert (1, BOUND) in found


def test_a_line_that_a_screen_broke_between_words_and_within_one() -> None:
    line = "2024-05-06 07:08:09.101 [FATAL][61] felix/daemon.go 400: Failed to open the health port of this node"
    space = line.rindex(" ", 0, 80)
    assert (1, line) in restore(f"{line[:space]}\n{line[space + 1 :]}", prose=False)
    assert (1, line) in restore(f"{line[:80]}\n{line[80:]}", prose=False)


@pytest.mark.parametrize(
    "below",
    [
        "2024-05-06 07:08:10.101 [INFO][61] felix/daemon.go 401: Shutting down",
        "calico-node-7xk2p   0/1   Running   3   9d",
        "$ kubectl get pods",
        "| a | b |",
    ],
)
def test_what_begins_anew_is_no_rest_of_the_line_above(below: str) -> None:
    line = "2024-05-06 07:08:09.101 [FATAL][61] felix/daemon.go 400: Failed to open the health port of this node"
    assert restore(f"{line}\n{below}", prose=False) == []


def test_settings_are_searched_but_not_read() -> None:
    note = Artifact(
        "note.md", 1, ["We set `FELIX_HEALTHENABLED=false` and got `Failed to start: no such file`"], prose=True
    )
    restored = restore_lines(note)
    assert restored is not None
    assert restored.lines == ["FELIX_HEALTHENABLED=false", "Failed to start: no such file"]
    messages = keep_messages(restored)
    assert messages is not None
    assert messages.lines == ["Failed to start: no such file"]


def test_logs_with_gaps_are_left_alone() -> None:
    assert restore_lines(Artifact("a.log", 1, ["one", "two"], numbers=[1, 900])) is None


def test_names_and_settings_are_no_messages() -> None:
    assert not is_message("calico-node")
    assert not is_message("net.ipv4.ip_forward = 1")
    assert is_message("Failed to create pod sandbox")

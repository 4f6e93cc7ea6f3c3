"""Tests of the signs in a cloud's lists of ports."""

from __future__ import annotations

import pytest

from calivet.evidence.artifact import Artifact, Line
from calivet.facts.kubernetes import Pod
from calivet.signs.api.typha import SIGNS
from tests.signs.made_pictures import picture as made_picture

TYPHA = Pod(at=Line("pods.txt", 1, "x"), name="calico-typha-5c4b3a2d1f-y3y3y", status="Running", ready=1, containers=1)
COMMAND = "aws ec2 describe-security-groups --group-ids sg-0a1b2c --output text"


def seen(*lines: str, pods: tuple[Pod, ...] = (TYPHA,), command: str = COMMAND) -> int:
    artifact = Artifact("session.txt", 1, [f"$ {command}", *lines], command=command)
    return len(list(SIGNS["cloud-rules-without-typha"](made_picture(*pods, artifacts=[artifact]))))


def test_port_not_in_the_list() -> None:
    assert seen("tcp\t6443\t6443", "udp\t4789\t4789", "tcp\t30000\t32767") == 1


@pytest.mark.parametrize(
    "rule", ["tcp\t5473\t5473", "tcp 1024 65535", "tcp  5000-6000", "-1\tNone\tNone", "all  10.0.0.0/8"]
)
def test_port_let_through(rule: str) -> None:
    assert seen("tcp\t6443\t6443", rule) == 0


def test_no_typha_or_another_command() -> None:
    assert seen("tcp\t6443\t6443", pods=()) == 0
    assert seen("tcp\t6443\t6443", command="aws ec2 describe-instances") == 0
    assert seen("An error occurred (UnauthorizedOperation)") == 0

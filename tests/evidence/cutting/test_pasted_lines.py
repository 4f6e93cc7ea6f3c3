"""Addresses that an author has hidden a part of."""

from __future__ import annotations

import pytest

from calivet.evidence.artifact import Artifact
from calivet.evidence.cutting.quotations import fill_masks


def fill(line: str) -> str | None:
    filled = fill_masks(Artifact("a.txt", 7, ["first line", line]))
    assert filled is None or filled.numbers == [8]
    return filled.lines[0] if filled else None


@pytest.mark.parametrize(
    ("line", "whole"),
    [
        ("dial tcp xx.xx.xx.221:5473: i/o timeout", "dial tcp 10.10.10.221:5473: i/o timeout"),
        ("dial tcp 10.x.x.5:5473: i/o timeout", "dial tcp 10.10.10.5:5473: i/o timeout"),
        ("dial tcp 192.168.***.***:5473", "dial tcp 192.168.10.10:5473"),
        ("dial tcp [masked]:5473: i/o timeout", "dial tcp 10.10.10.10:5473: i/o timeout"),
        ('Get "https://***:443/api"', 'Get "https://10.10.10.10:443/api"'),
        ("dial tcp <node-ip>:5473", "dial tcp 10.10.10.10:5473"),
    ],
)
def test_hidden_parts_are_filled(line: str, whole: str) -> None:
    assert fill(line) == whole


@pytest.mark.parametrize(
    "line",
    [
        "dial tcp 10.0.0.5:5473",
        "version 3.x.1",
        "*** 3 of 4 passed ***",
        "[0.000000] x86_64",
        "v1.2.3.x-build",
        "a **bold** word",
    ],
)
def test_other_lines_are_left_alone(line: str) -> None:
    assert fill(line) is None

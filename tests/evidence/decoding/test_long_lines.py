from __future__ import annotations

import io
import json

import pytest

from calivet.evidence.decoding.long_lines import LONGEST, shorten
from calivet.evidence.gather import gather
from calivet.evidence.long_logs.sieve import Sieve
from tests.fuzz.targets import examined_of, knowledge

SWAP = "kubelet: running with swap on is not supported, please disable swap! failed"


def causes(data: bytes) -> list[str]:
    evidence = gather(["-"], io.BytesIO(data))
    return [finding.cause.id for finding in examined_of(evidence).diagnosis.findings]


def test_a_short_line_stays() -> None:
    assert shorten("x" * LONGEST) == "x" * LONGEST


def test_of_a_long_line_the_beginning_is_kept() -> None:
    assert shorten("x" * (LONGEST + 1)) == "x" * LONGEST


@pytest.mark.parametrize("before", [LONGEST - 10, LONGEST, 5 * LONGEST, 60 * LONGEST])
def test_a_failure_far_behind_is_kept_with_what_stands_around_it(before: int) -> None:
    short = shorten("x" * before + " dial tcp 10.0.0.1:443: connect: connection refused " + "y" * 100_000)
    assert len(short) <= LONGEST
    assert "dial tcp 10.0.0.1:443: connect: connection refused" in short


def test_of_many_failures_the_first_and_the_last_are_kept() -> None:
    short = shorten("".join(f"{number:06} error " + "x" * 2_000 for number in range(200)))
    assert len(short) <= LONGEST
    assert "000199 error" in short
    assert "000009 error" in short


@pytest.mark.parametrize("word", ["error ", "失败", "x509: ", "timeout timed out "])
def test_nothing_but_failures_is_bounded(word: str) -> None:
    assert len(shorten(word * 100_000)) <= LONGEST


def test_a_cause_behind_a_long_beginning_is_found() -> None:
    assert causes(b"{x " * 20_000 + SWAP.encode() + b"\n") == ["kubelet-swap-on"]


def test_also_in_a_log_that_is_only_sieved() -> None:
    sieve = Sieve(knowledge()[1].output)
    list(sieve.pour([b"a b c " * 20_000 + SWAP.encode() + b"\n"]))
    document = sieve.document("long.log")
    assert SWAP in document.lines[0]
    assert len(document.lines[0]) <= LONGEST


def test_json_on_one_line_is_read_whole() -> None:
    pods = [
        {"metadata": {"name": f"web-{number}", "namespace": "shop"}, "kind": "Pod", "status": {"phase": "Running"}}
        for number in range(600)
    ]
    line = json.dumps({"apiVersion": "v1", "kind": "List", "items": pods})
    assert len(line) > 2 * LONGEST
    evidence = gather(
        ["-"], io.BytesIO(b"[root@alder ~]# kubectl get pods -A -o json\n" + line.encode() + b"\n# done\n\n")
    )
    assert any("web-599" in text for artifact in evidence.artifacts for text in artifact.lines)
    assert not evidence.unreadable

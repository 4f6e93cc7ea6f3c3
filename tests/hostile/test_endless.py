"""Three times as long as what may be taken of memory, and longer: read as real processes to the end, in bounded memory, and what stands behind it is found."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from tests.hostile.starting import SWAP, measured, started

MEGABYTE = 1 << 20
# A small process that writes one buffer again and again, and then the fault.
REPEAT = """
import os, sys
piece, size, last = (sys.argv[1].encode(), int(sys.argv[2]), sys.argv[3].encode())
buffer = piece * (1048576 // len(piece) + 1)
for _ in range(size // len(buffer)):
    rest = memoryview(buffer)
    while rest:
        rest = rest[os.write(1, rest) :]
os.write(1, last)
print(size // len(buffer) * (len(buffer) // len(piece)), file=sys.stderr)
"""
HEALTHY = "2024-05-06 07:08:09.123 [INFO][61] felix/x.go 1: nothing to see here, all is well with this node\n"
PROMPT = "[root@alder ~]# true\n"


def diagnosed(report: Path, piece: str, size: int, last: str) -> tuple[int, dict[str, object]]:
    """How often the piece came, and the proof that was found; of a log of this size that is fed through a pipe."""
    source = started(REPEAT, piece, size, last, command=(sys.executable, "-c"))
    with report.open("wb") as file:
        code = measured("diagnose", "-", "-o", "json", stdin=source.stdout, stderr=file)
    assert source.stderr
    times = int(source.stderr.read())
    source.communicate()
    found = json.loads(report.read_text("utf-8"))["findings"]
    assert (code, [finding["cause"] for finding in found]) == (1, ["kubelet-swap-on"])
    proof: dict[str, object] = found[0]["evidence"][0]
    return times, proof


def test_a_line_of_a_gigabyte(tmp_path: Path) -> None:
    _, proof = diagnosed(tmp_path / "report.json", "x", 1024 * MEGABYTE, f"\n{SWAP}")
    assert proof["line"] == 2


def test_a_log_of_a_gigabyte(tmp_path: Path) -> None:
    lines, proof = diagnosed(tmp_path / "report.json", HEALTHY, 1024 * MEGABYTE, SWAP)
    assert proof["line"] == lines + 1


def test_a_log_of_nothing_but_hits(tmp_path: Path) -> None:
    lines, proof = diagnosed(tmp_path / "report.json", SWAP, 32 * MEGABYTE, SWAP)
    assert (proof["line"], proof["count"]) == (1, lines + 1)


def test_a_million_prompts(tmp_path: Path) -> None:
    lines, proof = diagnosed(tmp_path / "report.json", PROMPT, 1_000_000 * len(PROMPT) + 2 * MEGABYTE, SWAP)
    assert lines >= 1_000_000
    assert proof["line"] == lines + 1


def test_more_documents_than_are_kept(tmp_path: Path) -> None:
    """Each is short, and all of them together are not: the fault in the last one is found all the same."""
    rows = "".join(
        f"calico-node-{number:05}   1/1   Running   {number % 7}   5d   10.0.0.{number % 250}\n" for number in range(60)
    )
    evidence = tmp_path / "evidence"
    evidence.mkdir()
    for number in range(4000):
        (evidence / f"{number:05}.txt").write_text(
            f"[root@alder-{number % 40} ~]# kubectl get pods -n kube-system -o wide\n{rows}"
        )
    (evidence / "last.log").write_text(SWAP)
    report = tmp_path / "report.json"
    with report.open("wb") as file:
        assert measured("diagnose", evidence, "-o", "json", stderr=file) == 1
    answer = json.loads(report.read_text("utf-8"))
    assert "kubelet-swap-on" in [finding["cause"] for finding in answer["findings"]]
    assert "only searched" in json.dumps(answer["not_seen"])

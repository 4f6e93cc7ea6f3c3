"""Logs too long to keep: what is in them is found, counted and cited as if they were short."""

from __future__ import annotations

from pathlib import Path

import pytest

import calivet
from calivet.evidence.gather import gather
from calivet.evidence.long_logs.intake import SHORT
from calivet.pipeline import diagnose
from calivet.search.required_words import ORDINARY
from calivet.signs.sign_detector import prepare_detector

DEMOS = sorted(path.parent for path in (Path(calivet.__file__).parent / "demos").glob("*/evidence"))
# Lines that are no sign of anything, not even harmless ones.
NOISE = [line for line in ORDINARY.read_text("utf-8").splitlines() if "confd/client.go" in line or "sshd" in line]


def drowned(folder, target):
    """The same files beside a log that is longer than is kept whole."""
    noise = "\n".join(NOISE * (SHORT // len("".join(NOISE)) + 1)) + "\n"
    for file in sorted(path for path in folder.rglob("*") if path.is_file()):
        text = file.read_text("utf-8")
        (target / file.name).write_text(text, "utf-8")
    (target / "noise.log").write_text(noise * 2, "utf-8")
    return target


@pytest.mark.parametrize("demo", DEMOS, ids=lambda demo: demo.name)
def test_long_ordinary_logs_beside_it_change_nothing(demo, tmp_path):
    known = prepare_detector()
    before = diagnose(gather([str(demo / "evidence")]), *known)
    after = diagnose(gather([str(drowned(demo / "evidence", tmp_path))], matcher=known[1].output), *known)
    assert after.verdict == before.verdict
    assert [found.cause.id for found in after.findings] == [found.cause.id for found in before.findings]


def test_a_fault_deep_in_a_long_log_is_found_at_its_line_and_counted(tmp_path):
    known = prepare_detector()
    fault = (
        "May  6 07:08:09 birch-2 kubelet[99]: F0506 07:08:09.123456      99 server.go:265] "
        "failed to run Kubelet: running with swap on is not supported, please disable swap!"
    )
    lines = NOISE * 20_000
    places = range(10_000, len(lines), 500)
    for place in places:
        lines[place] = fault
    log = tmp_path / "messages"
    log.write_text("\n".join(lines), "utf-8")
    diagnosis = diagnose(gather([str(log)], matcher=known[1].output), *known)
    finding = diagnosis.findings[0]
    assert finding.cause.id == "kubelet-swap-on"
    assert finding.evidence[0].line.number == 10_001
    assert finding.evidence[0].line.text == fault
    assert finding.evidence[0].count == len(places)
    assert diagnosis.sources[0].lines == len(lines)

"""Killed at any point, a fix ends in "cured" or "as before" when it is run again; and in between it says so."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
MOST, STRIDE = 300, 9
"""Every ninth point here; `python -m tests.fix.crashes FOLDER 300 1` walks through all of them."""


def test_whenever_it_is_killed_it_can_be_ended(tmp_path):
    command = [sys.executable, "-m", "tests.fix.crashes", str(tmp_path), str(MOST), str(STRIDE)]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=900, check=False)
    ended = [json.loads(line) for line in run.stdout.splitlines()]
    assert run.returncode == 0, run.stderr
    assert len(ended) >= 5
    for one in ended:
        assert one["state"] in ("cured", "as-before"), one
        assert one["cured"] if one["state"] == "cured" else one["same"], one
    assert {one["state"] for one in ended} == {"cured", "as-before"}
    assert "in-between" in {one["said"] for one in ended}

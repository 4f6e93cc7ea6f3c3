"""The size check finds what has grown too long, and only that."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).parents[2] / "scripts/check-sizes"


def check(folder: Path) -> tuple[int, str]:
    run = subprocess.run([sys.executable, SCRIPT, folder], capture_output=True, text=True, check=False)
    return run.returncode, run.stdout


def test_at_the_limits_nothing_is_reported(tmp_path):
    body = "    pass\n" * 40
    (tmp_path / "short.py").write_text(f"def brief():\n{body}" + "\n" * 359)
    assert check(tmp_path) == (0, "1 files, none too long\n")


def test_a_long_file_is_named_with_its_length(tmp_path):
    (tmp_path / "long.py").write_text("pass\n" * 401)
    assert check(tmp_path) == (1, f"{tmp_path}/long.py: 401 lines, at most 400\n")


def test_a_long_function_is_named_wherever_it_hides(tmp_path):
    body = "        pass\n" * 41
    (tmp_path / "deep.py").write_text(f"class Thing:\n    async def drag_on(self):\n{body}")
    assert check(tmp_path) == (1, f"{tmp_path}/deep.py:2: drag_on has 42 lines, at most 41\n")

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
    body = "    pass\n" * 33
    (tmp_path / "short.py").write_text(f"def brief():\n{body}" + "\n" * 366)
    assert check(tmp_path) == (0, "1 files, none too long\n")


def test_a_long_file_is_named_with_its_length(tmp_path):
    (tmp_path / "long.py").write_text("pass\n" * 401)
    assert check(tmp_path) == (1, f"{tmp_path}/long.py: 401 lines, at most 400\n")


def test_a_long_function_is_named_wherever_it_hides(tmp_path):
    body = "        pass\n" * 34
    (tmp_path / "deep.py").write_text(f"class Thing:\n    async def drag_on(self):\n{body}")
    assert check(tmp_path) == (1, f"{tmp_path}/deep.py:2: drag_on has 35 lines, at most 34\n")


def test_a_folder_is_full_where_one_no_longer_sees_all_of_it(tmp_path):
    for number in range(30):
        (tmp_path / f"part_{number}.py").touch()
    (tmp_path / "below").mkdir()
    (tmp_path / "below" / "apart.py").touch()
    assert check(tmp_path) == (0, "31 files, none too long\n")
    (tmp_path / "one_more.py").touch()
    assert check(tmp_path) == (1, f"{tmp_path}: 31 files side by side, at most 30\n")


def test_nor_may_the_tree_fall_to_pieces(tmp_path):
    for number in range(450):
        file = tmp_path / f"room_{number // 30}" / f"part_{number}.py"
        file.parent.mkdir(exist_ok=True)
        file.touch()
    status, said = check(tmp_path)
    assert status == 1
    assert said.startswith("450 files, at most 449: ")
    file.unlink()
    assert check(tmp_path) == (0, "449 files, none too long\n")

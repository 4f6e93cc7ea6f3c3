"""What calivet is raced against is installed or built where that can be, and named where it cannot; it never fails."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "scripts/bench-tools"
ALL = ("rg", "pigz", "igzip", "zstd", "unzip", "bsdtar", "7zz")


def run(folder: Path, **commands: str) -> subprocess.CompletedProcess[str]:
    """On a machine that has these commands."""
    for name, script in {"dirname": "exit", **commands}.items():
        (folder / name).write_text(f"#!/bin/sh\n{script}\n")
        (folder / name).chmod(0o755)
    surroundings = {"PATH": str(folder), "TOOLS": str(folder / "built")}
    return subprocess.run(["/bin/sh", SCRIPT], env=surroundings, capture_output=True, text=True, check=False)


def test_root_gets_what_is_missing(tmp_path):
    done = run(tmp_path, **{"id": "echo 0", "apt-get": 'echo "apt-get $*"', **dict.fromkeys(ALL[2:], "exit")})
    assert done.returncode == 0
    assert "apt-get install -y -qq --no-install-recommends ripgrep pigz\n" in done.stderr


@pytest.mark.parametrize(
    "commands", [{"id": "echo 1000", "apt-get": "exit 9"}, {"id": "echo 0", "apt-get": "exit 100"}]
)
def test_where_nothing_can_be_installed_a_line_names_what_is_missing(tmp_path, commands):
    done = run(tmp_path, **commands, **dict.fromkeys(ALL[1:], "exit"))
    assert done.returncode == 0
    assert "calivet: not installed, left out of the race: ripgrep\n" in done.stderr


def test_with_cargo_the_newest_ripgrep_is_built_once(tmp_path):
    (tmp_path / "built/bin").mkdir(parents=True)
    there = {"id": "echo 1000", **dict.fromkeys(ALL[1:], "exit")}
    done = run(tmp_path, cargo='echo "cargo $*"; exit 1', **there)
    assert f"cargo install --quiet --locked --root {tmp_path / 'built'} ripgrep" in done.stderr
    assert "calivet: ripgrep could not be built" in done.stderr
    (tmp_path / "built/bin/rg").write_text("#!/bin/sh\n")
    (tmp_path / "built/bin/rg").chmod(0o755)
    assert run(tmp_path, cargo="echo built again", **there).stderr == ""


def test_nothing_missing_nothing_said(tmp_path):
    done = run(tmp_path, **dict.fromkeys(ALL, "exit"))
    assert (done.returncode, done.stderr) == (0, "")

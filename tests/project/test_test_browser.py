"""The browser of the tests is installed where that can be, and named where it cannot; it never fails."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "scripts/test-browser"
FONT = "echo Noto Sans CJK SC"


def run(folder: Path, **commands: str) -> subprocess.CompletedProcess[str]:
    """On a machine that has these commands and nothing else."""
    for name, script in commands.items():
        (folder / name.replace("_", "-")).write_text(f"#!/bin/sh\n{script}\n")
        (folder / name.replace("_", "-")).chmod(0o755)
    return subprocess.run(["/bin/sh", SCRIPT], env={"PATH": str(folder)}, capture_output=True, text=True, check=False)


def test_root_gets_what_is_missing(tmp_path):
    done = run(tmp_path, id="echo 0", apt_get='echo "apt-get $*"', fc_list=FONT)
    assert done.returncode == 0
    assert "apt-get install -y -qq --no-install-recommends chromium\n" in done.stderr


@pytest.mark.parametrize(
    "commands", [{"id": "echo 1000", "apt_get": "exit 9"}, {"id": "echo 0", "apt_get": "exit 100"}]
)
def test_where_nothing_can_be_installed_a_line_names_what_is_missing(tmp_path, commands):
    done = run(tmp_path, **commands)
    assert done.returncode == 0
    assert "calivet: not installed, pages are not tested in a browser: chromium fonts-noto-cjk\n" in done.stderr


@pytest.mark.parametrize("browser", ["chromium", "google_chrome"])
def test_nothing_missing_nothing_said(tmp_path, browser):
    done = run(tmp_path, id="echo 1000", fc_list=FONT, **{browser: "exit"})
    assert (done.returncode, done.stderr) == (0, "")

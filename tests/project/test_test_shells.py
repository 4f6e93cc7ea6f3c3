"""The shells that tests need are installed where that can be, and named where it cannot; it never fails."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "scripts/test-shells"


def run(folder: Path, **commands: str) -> subprocess.CompletedProcess[str]:
    """On a machine that has bash and these commands."""
    for name, script in {"bash": "exit", **commands}.items():
        (folder / name).write_text(f"#!/bin/sh\n{script}\n")
        (folder / name).chmod(0o755)
    return subprocess.run(["/bin/sh", SCRIPT], env={"PATH": str(folder)}, capture_output=True, text=True, check=False)


def test_root_gets_what_is_missing(tmp_path):
    done = run(tmp_path, **{"id": "echo 0", "apt-get": 'echo "apt-get $*"'})
    assert done.returncode == 0
    assert "apt-get install -y -qq --no-install-recommends zsh fish dash busybox shellcheck" in done.stderr


@pytest.mark.parametrize(
    "commands", [{"id": "echo 1000", "apt-get": "exit 9"}, {"id": "echo 0", "apt-get": "exit 100"}]
)
def test_where_nothing_can_be_installed_a_line_names_what_is_missing(tmp_path, commands):
    done = run(tmp_path, **commands)
    assert done.returncode == 0
    assert "calivet: not installed, what needs them is not tested: zsh fish dash busybox shellcheck" in done.stderr


def test_nothing_missing_nothing_said(tmp_path):
    rest = dict.fromkeys(("zsh", "fish", "dash", "busybox", "shellcheck"), "exit")
    done = run(tmp_path, id="echo 1000", **rest)
    assert done.returncode == 0
    assert done.stderr in ("", "calivet: not installed, what needs them is not tested: bash-completion\n")

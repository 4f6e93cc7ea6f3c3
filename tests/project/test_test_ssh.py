"""The ssh server of the tests is installed where that can be, and named where it cannot; it never fails."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "scripts/test-ssh"


def run(folder: Path, **commands: str) -> subprocess.CompletedProcess[str]:
    """On a machine that has these commands; the script looks for a server in the system's folders too."""
    for name, script in {"mkdir": "exit", "chmod": "exit", "rm": "exit", **commands}.items():
        (folder / name).write_text(f"#!/bin/sh\n{script}\n")
        (folder / name).chmod(0o755)
    own = (
        SCRIPT.read_text()
        .replace("PATH=$PATH:/usr/sbin:/sbin", "")
        .replace("/usr/sbin/policy-rc.d", f"{folder}/policy")
    )
    (folder / "script").write_text(own)
    return subprocess.run(
        ["/bin/sh", folder / "script"], env={"PATH": str(folder)}, capture_output=True, text=True, check=False
    )


def test_root_gets_what_is_missing(tmp_path):
    done = run(tmp_path, **{"id": "echo 0", "apt-get": 'echo "apt-get $*"', "ssh": "exit"})
    assert done.returncode == 0
    assert "apt-get install -y -qq --no-install-recommends openssh-server\n" in done.stderr


@pytest.mark.parametrize(
    "commands", [{"id": "echo 1000", "apt-get": "exit 9"}, {"id": "echo 0", "apt-get": "exit 100"}]
)
def test_where_nothing_can_be_installed_a_line_names_what_is_missing(tmp_path, commands):
    done = run(tmp_path, **commands)
    assert done.returncode == 0
    assert "calivet: not installed, asking over ssh is not tested: openssh-server openssh-client" in done.stderr


def test_nothing_missing_nothing_said(tmp_path):
    done = run(tmp_path, id="echo 1000", ssh="exit", sshd="exit")
    assert done.returncode == 0
    assert done.stderr == ""

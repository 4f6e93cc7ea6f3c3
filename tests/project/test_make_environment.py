"""The environment is made where it can be, and one line says what is missing where it cannot."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "scripts/make-environment"

# A Python as Debian ships it: new enough, and without ensurepip until its package has been installed.
BARE_PYTHON = f"""
case "$*" in
  *ensurepip*) test -e "$(dirname "$0")/installed" ;;
  *) exec {sys.executable} "$@" ;;
esac
"""


class Machine:
    """A machine whose commands are stubs in a folder that stands first on PATH."""

    def __init__(self, folder: Path):
        self.commands = folder / "bin"
        self.environment = folder / "environment"
        self.commands.mkdir()

    def has(self, command: str, script: str) -> None:
        file = self.commands / command
        file.write_text(f"#!/bin/sh\n{script}\n")
        file.chmod(0o755)

    def make(self, **variables: str) -> subprocess.CompletedProcess[str]:
        surroundings = {"PATH": f"{self.commands}:{os.defpath}", **variables}
        command = [SCRIPT, self.environment]
        return subprocess.run(command, env=surroundings, capture_output=True, text=True, check=False)


@pytest.fixture
def machine(tmp_path):
    return Machine(tmp_path)


def test_a_missing_venv_module_is_named_with_its_package(machine):
    machine.has("python3", BARE_PYTHON)
    machine.has("id", "echo 1000")
    made = machine.make()
    package = f"python3.{sys.version_info.minor}-venv"
    assert made.returncode == 1
    assert made.stderr == f"calivet: Python's venv module is missing; run: apt-get install {package}\n"
    assert not machine.environment.exists()


def test_root_gets_the_venv_module_installed(machine):
    machine.has("python3", BARE_PYTHON)
    machine.has("id", "echo 0")
    machine.has("apt-get", 'case "$*" in *install*-venv) touch "$(dirname "$0")/installed" ;; esac')
    made = machine.make()
    assert made.returncode == 0, made.stderr
    assert (machine.environment / "bin/pip").exists()


def test_a_named_python_that_is_not_there_is_one_line(machine):
    made = machine.make(PYTHON="python-of-tomorrow")
    assert made.returncode == 1
    assert made.stderr.startswith("calivet: Python 3.11 or newer was not found")
    assert made.stderr.count("\n") == 1


def test_an_old_python_is_passed_over_for_a_newer_one(machine):
    machine.has("python3", "exit 1")
    machine.has("python3.14", f'exec {sys.executable} "$@"')
    assert machine.make().returncode == 0
    assert (machine.environment / "bin/python").exists()

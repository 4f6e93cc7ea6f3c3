"""Where the programs are that the bed runs; scripts/test-components makes them where they are missing."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[3] / "scripts" / "test-components"
NO_GO = 3


class UnavailableError(Exception):
    """The programs cannot be had; `excused` where that is for want of Go, which not everyone has."""

    def __init__(self, message: str, *, excused: bool) -> None:
        super().__init__(message)
        self.excused = excused


def require(find: Callable[[], Path], otherwise: str) -> Path:
    """What is found; where it cannot be had the test is skipped, but in CI for want of Go alone."""
    try:
        return find()
    except UnavailableError as unavailable:
        reason = f"{otherwise}: {unavailable}"
        if os.environ.get("CI") and not unavailable.excused:
            pytest.fail(reason, pytrace=False)
        pytest.skip(reason)


def find_components() -> Path:
    """The folder with kube-apiserver and etcd."""
    return _ask_script()


def find_command_parser() -> Path:
    """The program that shows commands to kubectl's own parser."""
    return _ask_script("--parser")


def find_calicoctl_parser() -> Path:
    """The program that shows commands to calicoctl's own parser."""
    return _ask_script("--calicoctl-parser")


def find_daemonset_controller() -> Path:
    """The program that runs Kubernetes' own DaemonSet controller."""
    return _ask_script("--daemonset-controller")


def _ask_script(*options: str) -> Path:
    run = subprocess.run([sys.executable, str(SCRIPT), *options], capture_output=True, text=True, check=False)
    if run.returncode:
        reason = run.stderr.strip().rpartition("\n")[2] or f"{SCRIPT.name} failed"
        raise UnavailableError(reason.removeprefix("calivet: "), excused=run.returncode == NO_GO)
    return Path(run.stdout.strip())

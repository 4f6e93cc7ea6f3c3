"""Runs a program in a root of its own, in which there is nothing but what is put there."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from tests.cli.running import ENVIRONMENT, Run

CHROOT = shutil.which("chroot", path="/usr/sbin:/usr/bin:/sbin:/bin") or "chroot"


class Root:
    """An empty folder that a program takes for the whole system: no shell, no Python, no C library."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in ("tmp", "root"):
            (folder / name).mkdir(parents=True, exist_ok=True)

    def put(self, file: Path, place: str) -> None:
        """A copy of a file."""
        (self.folder / place).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, self.folder / place)

    def run(self, *command: object, **environment: str) -> Run:
        """With the network of this machine."""
        done = subprocess.run(
            [CHROOT, str(self.folder), *map(str, command)],
            env={**ENVIRONMENT, "HOME": "/root", "PATH": "/usr/bin", **environment},
            capture_output=True,
            check=False,
            timeout=600,
            stdin=subprocess.DEVNULL,
        )
        return Run(done.returncode, done.stdout.decode(), done.stderr.decode())

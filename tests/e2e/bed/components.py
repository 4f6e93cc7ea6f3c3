"""Where the programs are that the bed runs; scripts/test-components makes them where they are missing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).parents[3] / "scripts" / "test-components"
NO_GO = 3


class UnavailableError(Exception):
    """The programs cannot be had; `excused` where that is for want of Go, which not everyone has."""

    def __init__(self, message: str, *, excused: bool) -> None:
        super().__init__(message)
        self.excused = excused


def find_components() -> Path:
    """The folder with kube-apiserver and etcd."""
    run = subprocess.run([sys.executable, str(SCRIPT)], capture_output=True, text=True, check=False)
    if run.returncode:
        reason = run.stderr.strip().rpartition("\n")[2] or f"{SCRIPT.name} failed"
        raise UnavailableError(reason.removeprefix("calivet: "), excused=run.returncode == NO_GO)
    return Path(run.stdout.strip())

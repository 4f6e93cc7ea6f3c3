"""Kubernetes' own DaemonSet controller, at work on the API server of the bed."""

from __future__ import annotations

import subprocess
from pathlib import Path


class DaemonSetController:
    """Runs until it is closed, or until the tests end, however they end: it ends with its standard input."""

    def __init__(self, program: Path, kubeconfig: Path, log: Path) -> None:
        with log.open("wb") as output:
            self._process = subprocess.Popen([program, kubeconfig], stdin=subprocess.PIPE, stdout=output, stderr=output)

    def close(self) -> None:
        """Ends it."""
        self._process.communicate()

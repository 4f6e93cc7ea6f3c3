"""Starts calivet as a shell would, with all that is wrong around it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

ENVIRONMENT = {"LANG": "C.UTF-8", "LC_ALL": "", "LC_MESSAGES": "", "COLUMNS": "100"}
SWAP = "F0314 09:26:53.589793    4711 server.go:265] failed to run Kubelet: running with swap on is not supported\n"
COMMAND = (sys.executable, "-m", "calivet")
PATIENCE = 120
"""Seconds after which something hangs for good."""


def started(*arguments: object, command: tuple[str, ...] = COMMAND, **settings: Any) -> subprocess.Popen[bytes]:
    """A process; what it writes can be read unless the settings say otherwise."""
    pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    environment = {**os.environ, **ENVIRONMENT, **settings.pop("environment", {})}
    return subprocess.Popen([*command, *map(str, arguments)], env=environment, **{**pipes, **settings})


def ended(process: subprocess.Popen[bytes]) -> tuple[int, str, str]:
    """Its exit code, output and complaints; no ending whatsoever is a traceback."""
    out, err = process.communicate(timeout=PATIENCE)
    complaints = (err or b"").decode()
    assert "Traceback" not in complaints
    assert "Exception ignored" not in complaints
    assert "bug in calivet" not in complaints
    return process.returncode, (out or b"").decode("utf-8", "replace"), complaints


def on_small_disk(folder: Path, script: str, options: str = "size=16k") -> subprocess.Popen[bytes]:
    """The script in a shell that alone sees this folder as a file system of its own: tiny, or read-only."""
    mounting = f'mount -t tmpfs -o {options} none "$0" && {script}'
    return started(mounting, folder, command=("unshare", "--user", "--map-root-user", "--mount", "sh", "-c"))

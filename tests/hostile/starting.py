"""Starts calivet as a shell would, with all that is wrong around it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.interrupts import hear_interrupts

ENVIRONMENT = {"LANG": "C.UTF-8", "LC_ALL": "", "LC_MESSAGES": "", "COLUMNS": "100"}
SWAP = "F0314 09:26:53.589793    4711 server.go:265] failed to run Kubelet: running with swap on is not supported\n"
COMMAND = (sys.executable, "-m", "calivet")
HANGING_DISK = Path(__file__).parent / "hanging_disk.py"
PATIENCE = 900
"""Seconds after which something hangs for good: on a busy machine all takes many times as long as on a quiet one."""

MOST_MEMORY = 300 << 20
UNIT = 1 if sys.platform == "darwin" else 1024
"""Bytes in which a system counts memory."""
# From a small process: a child's figure begins with that of the process that started it, and a test runner is large.
MEASURE = """
import resource, subprocess, sys
code = subprocess.run(sys.argv[1:], stdout=sys.stderr).returncode
print(code, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


def started(*arguments: object, command: tuple[str, ...] = COMMAND, **settings: Any) -> subprocess.Popen[bytes]:
    """A process; what it writes can be read unless the settings say otherwise."""
    pipes: dict[str, Any] = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    pipes["preexec_fn"] = hear_interrupts
    environment = {**os.environ, **ENVIRONMENT, **settings.pop("environment", {})}
    return subprocess.Popen([*command, *map(str, arguments)], env=environment, **{**pipes, **settings})


def measured(*arguments: object, **settings: Any) -> int:
    """The exit code of calivet, which kept to its bounds; what it prints goes where its complaints go."""
    code, memory = weighed(*arguments, **settings)
    assert memory < MOST_MEMORY
    return code


def weighed(*arguments: object, **settings: Any) -> tuple[int, int]:
    """The exit code of calivet, and the most memory that it took, in bytes."""
    process = started(*COMMAND, *arguments, command=(sys.executable, "-c", MEASURE), **settings)
    code, memory = map(int, process.communicate(timeout=PATIENCE)[0].split())
    return code, memory * UNIT


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


def on_hanging_disk(folder: Path, hangs: str, *command: object, content: str = "") -> subprocess.Popen[bytes]:
    """The command where this folder is a file system that hangs at everything, at listing or only at reading."""
    namespace = ("unshare", "--user", "--map-root-user", "--mount", sys.executable, str(HANGING_DISK))
    return started(folder, hangs, *command, command=namespace, environment={"CONTENT": content})

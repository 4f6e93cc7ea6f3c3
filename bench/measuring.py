"""One run of a program: how long it took by the clock, and how much memory it had at its peak."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Collection, Mapping
from pathlib import Path

from msgspec import Struct

BETWEEN = Path(__file__).parent / "between.py"
HOUR = 3600.0


class Run(Struct, frozen=True):
    """What one run took."""

    seconds: float
    megabytes: float = 0.0
    code: int = 0
    stopped: bool = False
    """Whether its time was over before it was done."""


class Way(Struct, frozen=True):
    """How to run it."""

    environment: Mapping[str, str]
    cores: int = 0
    """All of them, unless some are named."""
    limit: float = HOUR
    watched: bool = False
    """Whether the memory of all its processes is looked at while it runs, which costs a little time."""
    output: Path = Path(os.devnull)
    good: Collection[int] = (0, 1)
    """Exit codes that are no failure."""


def measured(command: list[str], way: Way, complaints: Path) -> Run:
    """Run it once; what it says on standard error goes into a file."""
    wish = {"output": str(way.output), "complaints": str(complaints), "watched": way.watched}
    wish |= {"cores": way.cores, "limit": way.limit}
    small = [sys.executable, "-S", "-E", str(BETWEEN), json.dumps(wish), *command]
    ended = subprocess.run(small, env=dict(way.environment), capture_output=True, text=True, check=False)
    if ended.returncode:
        raise RuntimeError(f"{Path(command[0]).name} could not be started: {ended.stderr.strip()[-300:]}")
    seconds, peak, code, stopped = json.loads(ended.stdout)
    if not stopped and code not in way.good:
        said = complaints.read_text("utf-8", "replace").strip()
        raise RuntimeError(f"{Path(command[0]).name} ended with {code}: {said[-300:]}")
    return Run(seconds, peak / 1e6, code, stopped)

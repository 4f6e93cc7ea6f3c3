"""One run of a program: how long it took by the clock, and how much memory it had at its peak."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

# On Linux a process begins with the peak of the one that started it, so a small one stands between.
BETWEEN = """
import resource, subprocess, sys, time
with open(sys.argv[1], "wb") as output:
    start = time.perf_counter()
    ended = subprocess.run(sys.argv[2:], stdout=output, stderr=subprocess.PIPE)
    took = time.perf_counter() - start
sys.stderr.buffer.write(ended.stderr)
print(took, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, ended.returncode)
"""
UNIT = 1 if sys.platform == "darwin" else 1024


class Run(Struct, frozen=True):
    """What one run took."""

    seconds: float
    megabytes: float = 0.0
    code: int = 0


def measured(command: list[str], output: Path, environment: Mapping[str, str]) -> Run:
    """Run it with its standard output in a file."""
    small = [sys.executable, "-S", "-E", "-c", BETWEEN, str(output), *command]
    ended = subprocess.run(small, env=dict(environment), capture_output=True, text=True, check=True)
    seconds, peak, code = ended.stdout.split()
    if int(code) not in {0, 1}:
        raise RuntimeError(f"{' '.join(command)} ended with {code}: {ended.stderr[-2000:]}")
    return Run(float(seconds), int(peak) * UNIT / 1e6, int(code))

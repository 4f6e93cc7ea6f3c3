"""How long one answer takes from a cold start, as a ratio to a bare interpreter in the same run.

Bytecode and calivet's cache are warm, as they are from the second run on; the first row shows the first run of all.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from importlib.resources import files

ROUNDS = 15
TARGET = 10.0


def seconds(command: list[str], environment: dict[str, str]) -> float:
    """One run's time by the clock."""
    start = time.perf_counter()
    subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    return time.perf_counter() - start


def median(command: list[str], environment: dict[str, str]) -> float:
    """The median of some runs, after two that do not count."""
    for _ in range(2):
        seconds(command, environment)
    return statistics.median(seconds(command, environment) for _ in range(ROUNDS))


SCAN = """
import sys, time
from calivet.cli.knowledge import knowledge
from calivet.evidence.gather import gather
from calivet.pipeline import diagnose
catalogue, watch = knowledge(None)
start = time.perf_counter()
diagnose(gather([sys.argv[1]]), catalogue, watch)
print(time.perf_counter() - start)
"""


def scan_seconds(evidence: str, environment: dict[str, str]) -> float:
    """The part of a cold start that reads and scans the evidence."""
    command = [sys.executable, "-c", SCAN, evidence]
    runs = [subprocess.run(command, env=environment, capture_output=True, text=True, check=True) for _ in range(ROUNDS)]
    return statistics.median(float(run.stdout) for run in runs)


def main() -> None:
    """Print one table."""
    python = sys.executable
    evidence = str(files("calivet.demos") / "three-at-once" / "evidence")
    with tempfile.TemporaryDirectory() as scratch:
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": f"{scratch}/bytecode", "XDG_CACHE_HOME": f"{scratch}/cache"}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        first = seconds([python, "-m", "calivet", "demo"], environment)
        bare = median([python, "-c", "pass"], environment)
        rows = {
            "python -c pass": bare,
            "calivet --version": median([python, "-m", "calivet", "--version"], environment),
            "calivet demo": median([python, "-m", "calivet", "demo"], environment),
            "of which reading and scanning": scan_seconds(evidence, environment),
        }
    print(f"{'first run of all (compiles patterns)':38} {first * 1000:8.1f} ms")
    for name, took in rows.items():
        print(f"{name:38} {took * 1000:8.1f} ms   {took / bare:5.1f} x bare")
    without = (rows["calivet demo"] - rows["of which reading and scanning"]) / bare
    print(f"without reading and scanning: {without:.1f} x bare (target: {TARGET:g})")


if __name__ == "__main__":
    main()

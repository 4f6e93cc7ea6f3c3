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
            "calivet diagnose (three faults)": median([python, "-m", "calivet", "diagnose", evidence], environment),
        }
    print(f"{'first run of all (compiles patterns)':38} {first * 1000:8.1f} ms")
    for name, took in rows.items():
        print(f"{name:38} {took * 1000:8.1f} ms   {took / bare:5.1f} x bare")
    print(f"target: a demo within {TARGET:g} x bare, plus the scan")


if __name__ == "__main__":
    main()

"""What the figures were measured on. Neither the machine's name nor any path is told."""

from __future__ import annotations

import os
import platform
import subprocess
from pathlib import Path

from bench.figures import Machine


def machine(folder: Path) -> Machine:
    """This one; the file system is that of the folder."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return Machine(
        processor=_processor(),
        cores=os.cpu_count() or 1,
        memory=round(memory / 2**30),
        system=f"{platform.system()} {platform.release()}",
        files=_file_system(folder),
    )


def _processor() -> str:
    told = Path("/proc/cpuinfo")
    if told.exists():
        named = [line for line in told.read_text("utf-8").splitlines() if line.startswith("model name")]
        return named[0].partition(":")[2].strip() if named else platform.machine()
    asked = subprocess.run(["sysctl", "-n", "machdep.cpu.brand_string"], capture_output=True, text=True, check=False)
    return asked.stdout.strip() or platform.machine()


def _file_system(folder: Path) -> str:
    """The kind of the innermost mount that the folder is under."""
    told = Path("/proc/self/mounts")
    if not told.exists():
        return "unknown"
    mounts = [line.split()[1:3] for line in told.read_text("utf-8").splitlines()]
    above = [(len(place), kind) for place, kind in mounts if folder.resolve().is_relative_to(place)]
    return max(above)[1] if above else "unknown"

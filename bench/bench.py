"""What every part of the benchmark is given: how large to go, where to put things, and whom to tell."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct

from bench.figures import Contest, Curve
from bench.measuring import Run, Way, measured

CALIVET = [sys.executable, "-m", "calivet"]
MEGABYTES = 300
"""The memory that calivet may have whatever it reads."""
VERDICTS = (0, 1, 2)
"""Exit codes of a diagnosis."""

OWN = {"PYTHONPYCACHEPREFIX": "bytecode", "XDG_CACHE_HOME": "cache"}
"""What is kept from one run to the next, and where the benchmark keeps its own."""


class Scale(Struct, frozen=True, kw_only=True):
    """How large everything is. Sizes are in megabytes."""

    logs: tuple[int, ...] = (1_000, 4_000)
    python_logs: int = 1
    """For scanners that are written in Python: they need half a minute for a megabyte."""
    growth: tuple[int, ...] = (1, 10, 100, 1_000, 4_000)
    nodes: tuple[int, ...] = (3, 30, 300, 1_000, 3_000, 5_000)
    patterns: tuple[int, ...] = (100, 200, 500, 1_000, 2_000)
    patterns_logs: int = 256
    single: int = 4_000
    """One file, and one line."""
    bundles: int = 200
    pages: tuple[int, ...] = (200, 5_000)
    rounds: int = 3
    small_rounds: int = 15
    patience: float = 30.0
    """Seconds after which a contest begins no further round."""
    limit: float = 100.0
    """Seconds after which a program is stopped."""

    @property
    def room(self) -> int:
        """Bytes that must be free: the largest logs, and an archive of them."""
        return int(max(*self.logs, *self.growth, self.single) * 1e6 * 1.25)


QUICK = Scale(
    logs=(16,),
    python_logs=1,
    growth=(1, 4, 16, 64),
    nodes=(3, 30, 300),
    patterns=(100, 500, 1_000),
    patterns_logs=16,
    single=64,
    bundles=20,
    pages=(200,),
    rounds=1,
    small_rounds=5,
    limit=10.0,
)


class Result(Struct, kw_only=True):
    """What a part found."""

    contests: list[Contest] = []
    curves: list[Curve] = []
    remarks: list[str] = []


class Bench:
    """One run of the benchmark."""

    def __init__(self, folder: Path, scale: Scale) -> None:
        """Bytecode and calivet's cache lie in the folder: warm from the second run on, and nobody else's."""
        self.folder, self.scale = folder, scale
        own = {name: str(folder / place) for name, place in OWN.items()}
        self.environment = {**os.environ, "LC_ALL": "C.UTF-8", **own}
        self.environment.pop("PYTHONDONTWRITEBYTECODE", None)

    def run(self, command: list[str], *, cores: int = 0, watched: bool = False, good: tuple[int, ...] = (0, 1)) -> Run:
        """One program, once."""
        way = Way(self.environment, cores, self.scale.limit, watched, good=good)
        return measured(command, way, self.folder / "complaints")

    def say(self, text: str) -> None:
        """Progress, for whoever waits."""
        print(text, file=sys.stderr, flush=True)

    @contextmanager
    def place(self, name: str) -> Iterator[Path]:
        """A folder for a while; what lies in it may be large, so it is gone as soon as it is not needed."""
        folder = self.folder / name
        folder.mkdir()
        try:
            yield folder
        finally:
            shutil.rmtree(folder)

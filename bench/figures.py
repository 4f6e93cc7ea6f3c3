"""What was measured, and the file that keeps it from one run to the next."""

from __future__ import annotations

from pathlib import Path

import msgspec
from msgspec import Struct


class Entry(Struct, frozen=True):
    """One program in a contest."""

    name: str
    seconds: float
    megabytes: float = 0.0
    """The memory of all its processes at their peak; 0 where it was not looked at."""
    runs: int = 1
    stopped: bool = False
    """Whether its time was over before it was done: it would have needed more."""


class Contest(Struct, frozen=True, kw_only=True):
    """Programs that did the same work; calivet comes first."""

    name: str
    entries: list[Entry]
    against: str = ""
    """Whom the ratio compares with; the fastest of the others unless named."""
    target: float | None = None
    """What the ratio may be at most."""
    memory_target: float | None = None
    """Megabytes that calivet may have at most."""
    alone: bool = False
    """Whether the entries are stages of one work and no rivals."""
    amount: float = 0.0
    unit: str = ""
    """How much work it was: MB, bundles."""

    @property
    def ours(self) -> Entry:
        """Calivet."""
        return self.entries[0]

    @property
    def rival(self) -> Entry | None:
        """Whom it is compared with."""
        rivals = [] if self.alone else self.entries[1:]
        others = [entry for entry in rivals if self.against in {"", entry.name}]
        return min(others, key=lambda entry: entry.seconds, default=None)

    @property
    def ratio(self) -> float | None:
        """How many times as long as the rival."""
        return self.ours.seconds / self.rival.seconds if self.rival else None


class Point(Struct, frozen=True):
    """What one size cost."""

    at: float
    seconds: float
    megabytes: float


class Curve(Struct, frozen=True):
    """How cost grows with something."""

    name: str
    axis: str
    """What grows, as the axis says it."""
    points: list[Point]


class Machine(Struct, frozen=True):
    """Where it was measured."""

    processor: str
    cores: int
    memory: int
    """Gigabytes."""
    system: str
    files: str
    """The kind of file system that the logs lay on."""


class Part(Struct, frozen=True, kw_only=True):
    """One part of the benchmark, as it was last run."""

    date: str
    machine: Machine
    versions: dict[str, str]
    contests: list[Contest] = []
    curves: list[Curve] = []
    remarks: list[str] = []
    """What was left out or done otherwise, and why."""


Figures = dict[str, Part]


def load(path: Path) -> Figures:
    """The figures kept at this place; none where there is no such file yet."""
    return msgspec.json.decode(path.read_bytes(), type=Figures) if path.exists() else {}


def store(path: Path, figures: Figures) -> None:
    """Keep them, a line for each value, so that a difference can be read."""
    path.write_bytes(msgspec.json.format(msgspec.json.encode(figures), indent=1) + b"\n")

"""Programs that do the same work, in turn; the median of some rounds counts."""

from __future__ import annotations

import statistics
import time

from msgspec import Struct

from bench.bench import Bench
from bench.figures import Entry
from bench.measuring import Run
from bench.units import duration


class Competitor(Struct, frozen=True):
    """A program with its arguments."""

    name: str
    command: list[str]
    good: tuple[int, ...] = (0,)


def race(bench: Bench, competitors: list[Competitor], *, cores: int = 0, rounds: int = 0) -> list[Entry]:
    """All of them in each round, so that a bad moment of the machine hits all alike.

    Before that the first, which is calivet, runs once on its own: its caches are filled, the files are in the system's
    memory, and its own memory is looked at.
    """
    first, *_ = competitors
    warm = bench.run(first.command, cores=cores, watched=True, good=first.good)
    runs: dict[str, list[Run]] = {each.name: [] for each in competitors}
    begun = time.perf_counter()
    for number in range(rounds or bench.scale.rounds):
        if number and time.perf_counter() - begun > bench.scale.patience:
            break
        for each in competitors:
            runs[each.name].append(bench.run(each.command, cores=cores, good=each.good))
    runs[first.name] = [Run(run.seconds, max(run.megabytes, warm.megabytes)) for run in runs[first.name]]
    entries = [entry(name, found) for name, found in runs.items()]
    bench.say("    " + ", ".join(f"{one.name} {duration(one.seconds)}" for one in entries))
    return entries


def entry(name: str, runs: list[Run]) -> Entry:
    """The median of the times, and the most memory."""
    seconds = statistics.median(run.seconds for run in runs)
    return Entry(name, seconds, max(run.megabytes for run in runs), len(runs), any(run.stopped for run in runs))

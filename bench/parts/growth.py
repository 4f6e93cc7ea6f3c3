"""How time and memory grow with the size of the logs, the number of nodes and the number of patterns."""

from __future__ import annotations

import sys
from pathlib import Path

from bench.bench import Bench, Result
from bench.contest import Competitor, race
from bench.figures import Curve, Point
from bench.logs import MEGABYTE, Wanted, write_logs
from bench.parts.scan import diagnosis
from tests.pages.big import write_big

ZONES = 6
SCANNING = Path(__file__).parents[1] / "scanning.py"


def run(bench: Bench) -> Result:
    """Three curves."""
    return Result(curves=[_sizes(bench), _nodes(bench), _patterns(bench)])


def _sizes(bench: Bench) -> Curve:
    points = []
    for size in bench.scale.growth:
        with bench.place("logs") as logs:
            write_logs(logs, Wanted(size * MEGABYTE))
            points.append(_point(bench, size, f"{size:,} MB of logs", diagnosis(logs)))
    return Curve("size", "megabytes of logs", points)


def _nodes(bench: Bench) -> Curve:
    points = []
    for nodes in bench.scale.nodes:
        with bench.place("cluster") as folder:
            points.append(_point(bench, nodes, f"{nodes:,} nodes", diagnosis(write_big(folder, nodes, ZONES))))
    return Curve("nodes", "nodes of the cluster", points)


def _patterns(bench: Bench) -> Curve:
    """The scan alone: the same logs, and a catalogue that grows."""
    points = []
    with bench.place("logs") as logs:
        write_logs(logs, Wanted(bench.scale.patterns_logs * MEGABYTE))
        for count in bench.scale.patterns:
            scan = Competitor("calivet", [sys.executable, str(SCANNING), str(count), str(logs)])
            points.append(_point(bench, count, f"{count:,} patterns", scan))
    return Curve("patterns", "patterns in the catalogue", points)


def _point(bench: Bench, at: int, what: str, ours: Competitor) -> Point:
    bench.say(f"  {what}")
    (found,) = race(bench, [ours])
    return Point(at, found.seconds, found.megabytes)

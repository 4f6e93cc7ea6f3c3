"""Figures of the benchmark: taken rightly, compared rightly, drawn rightly."""

from __future__ import annotations

import sys
from typing import Any
from xml.etree import ElementTree

import pytest

from bench.figures import Contest, Curve, Entry, Machine, Part, Point
from bench.measuring import Way, measured
from bench.plots import plot
from bench.summary import rows, steepest
from bench.units import duration

HERE = Machine("a processor", 2, 8, "Linux 6", "ext4")


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells what processes hold together")
def test_a_run_is_measured_with_all_its_processes(tmp_path):
    large = "held = b'1' * 60_000_000; "
    child = f"{large}import time; time.sleep(2)"  # on a busy machine it is looked at less often
    code = f"{large}import subprocess, sys; subprocess.run([sys.executable, '-c', {child!r}])"
    run = measured([sys.executable, "-c", code], Way({}, watched=True, cores=1), tmp_path / "complaints")
    assert run.megabytes > 120


def test_a_program_that_is_not_done_in_time_is_stopped(tmp_path):
    run = measured(["sleep", "60"], Way({"PATH": "/usr/bin:/bin"}, limit=0.2), tmp_path / "complaints")
    assert run.stopped


def test_a_program_that_fails_is_named(tmp_path):
    with pytest.raises(RuntimeError, match="sh ended with 7: so it is"):
        measured(["sh", "-c", "echo so it is >&2; exit 7"], Way({"PATH": "/usr/bin:/bin"}), tmp_path / "complaints")


def race(*entries: Entry, **details: Any) -> Contest:
    every = entries or (Entry("calivet", 1.0, 250.0), Entry("rg", 4.0), Entry("slow", 9.0))
    return Contest(name="a race", entries=list(every), target=0.5, memory_target=300, **details)


def part(*contests: Contest, **details: Any) -> dict[str, Part]:
    return {"scan": Part(date="", machine=HERE, versions={}, contests=list(contests), **details)}


def test_the_ratio_is_that_to_the_fastest_of_the_others_or_to_the_one_that_is_named():
    assert race().ratio == 0.25
    assert race(against="slow").ratio == pytest.approx(1 / 9)
    assert race(alone=True).ratio is None


def test_the_table_says_whether_targets_are_met():
    time, memory = rows(part(race()))
    assert (time.others, time.ratio, time.target, time.verdict) == ("rg 4.00 s", "0.25", "≤ 0.5", "met")
    assert (memory.ours, memory.target, memory.verdict) == ("250 MB", "< 300 MB", "met")
    time, memory = rows(part(race(Entry("calivet", 3.0, 301.0), Entry("rg", 4.0))))
    assert (time.verdict, memory.verdict) == ("MISSED", "MISSED")


def test_a_program_that_was_stopped_is_not_said_to_have_finished():
    time, _ = rows(part(race(Entry("calivet", 1.0), Entry("rg", 120.0, stopped=True))))
    assert (time.others, time.ratio) == ("rg > 120 s", "< 0.01")
    time, _ = rows(part(race(Entry("calivet", 1.0, stopped=True), Entry("rg", 9.0))))
    assert (time.ours, time.verdict) == ("> 1.00 s", "MISSED")


def curve(*seconds: float) -> Curve:
    return Curve("size", "megabytes <of> logs", [Point(10.0**n, took, 50.0) for n, took in enumerate(seconds)])


def test_growth_is_linear_or_it_is_not():
    assert steepest(curve(1, 2, 20)) == pytest.approx(1.0)
    assert rows(part(curves=[curve(1, 2, 20)]))[0].verdict == "met"
    assert rows(part(curves=[curve(1, 2, 100)]))[0].verdict == "MISSED"


@pytest.mark.parametrize("seconds", [(1.0, 10.0), (0.2, 0.2, 0.21, 3.0), (5.0, 5.0, 5.0)])
def test_a_plot_is_well_formed_and_stays_within_its_frame(seconds):
    drawn = ElementTree.fromstring(plot(curve(*seconds)))
    assert drawn[0].text == told_of(seconds)
    circles = [element for element in drawn.iter() if element.tag.endswith("circle")]
    assert len(circles) == 2 * len(seconds)
    assert all(0 < float(circle.attrib[axis]) < 400 for circle in circles for axis in ("cx", "cy"))


def told_of(seconds: tuple[float, ...]) -> str:
    points = "; ".join(f"{10**n:,}: {duration(took)}, 50 MB" for n, took in enumerate(seconds))
    return f"Time and memory against megabytes <of> logs. {points}."

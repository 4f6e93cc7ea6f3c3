"""The one table: what was compared with what, how it came out, and whether that is what was wanted."""

from __future__ import annotations

import math

from msgspec import Struct

from bench.figures import Contest, Curve, Entry, Figures
from bench.units import digits, duration

LINEAR = 1.15
"""A power up to which growth counts as linear: clocks are not exact."""


class Row(Struct, frozen=True):
    """One line of the table."""

    part: str
    what: str
    ours: str
    others: str = ""
    ratio: str = ""
    target: str = ""
    met: bool | None = None
    """None where nothing was promised."""

    @property
    def verdict(self) -> str:
        """In a word."""
        return {None: "", True: "met", False: "MISSED"}[self.met]


def rows(figures: Figures) -> list[Row]:
    """Every contest, the most memory of each part, every curve."""
    found = []
    for name, part in figures.items():
        raced = [contest for contest in part.contests if contest.rival or not contest.memory_target]
        found += [_time(name, contest) for contest in raced]
        bounded = [contest for contest in part.contests if contest.memory_target]
        most = max((contest.ours.megabytes for contest in bounded), default=0.0)
        found += [_memory(name, contest) for contest in bounded if contest.ours.megabytes == most or not contest.rival]
        found += [_growth(name, curve) for curve in part.curves]
    return found


def steepest(curve: Curve) -> float:
    """The power with which time grows between two neighbouring points, where it grows most; 1 is linear."""
    pairs = zip(curve.points, curve.points[1:], strict=False)
    return max(math.log(after.seconds / before.seconds) / math.log(after.at / before.at) for before, after in pairs)


def table(found: list[Row]) -> str:
    """For the terminal."""
    titles = ("part", "what", "calivet", "compared with", "ratio", "target", "")
    lines = [titles] + [(row.part, row.what, row.ours, row.others, row.ratio, row.target, row.verdict) for row in found]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join("  ".join(map(str.ljust, line, widths)).rstrip() for line in lines)


def _time(part: str, contest: Contest) -> Row:
    rival, ratio, ours = contest.rival, contest.ratio, _taken(contest.ours)
    if rival is None or ratio is None:
        return Row(part, contest.name, ours)
    target = f"≤ {contest.target:g}" if contest.target else ""
    met = None if contest.target is None else ratio <= contest.target and not contest.ours.stopped
    shown = f"{'< ' if rival.stopped else ''}{digits(ratio)}"
    return Row(part, contest.name, ours, f"{rival.name} {_taken(rival)}", shown, target, met)


def _taken(entry: Entry) -> str:
    return f"{'> ' if entry.stopped else ''}{duration(entry.seconds)}"


def _memory(part: str, contest: Contest) -> Row:
    most, target = contest.ours.megabytes, contest.memory_target or 0.0
    what = f"most memory: {contest.name}" if contest.rival else contest.name
    ours = f"{most:.0f} MB" if contest.rival else f"{most:.0f} MB in {_taken(contest.ours)}"
    met = most < target and not contest.ours.stopped
    return Row(part, what, ours, "", "", f"< {target:.0f} MB", met)


def _growth(part: str, curve: Curve) -> Row:
    last, power = curve.points[-1], steepest(curve)
    what = f"growth with {curve.axis}, steepest step"
    ours = f"{duration(last.seconds)} at {last.at:,.0f}"
    return Row(part, what, ours, "linear growth", f"power {power:.2f}", f"≤ {LINEAR:g}", power <= LINEAR)

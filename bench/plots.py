"""Curves as SVG: time and memory beside each other, both axes logarithmic. Readable on light and on dark ground."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from xml.sax.saxutils import escape

from bench.figures import Curve, Point
from bench.units import duration

WIDTH, HEIGHT = 400, 280
LEFT, RIGHT, TOP, BOTTOM = 66, 24, 40, 48
APART = 42
"""Room that a label below the picture needs."""
STYLE = """
svg{color-scheme:light dark}
text{font:12px system-ui,sans-serif;fill:#24292f}
.title{font-weight:600;font-size:13px}
.ground{fill:#fff;stroke:#d0d7de}
.grid{stroke:#d8dee4}
.linear{stroke:#57606a;stroke-dasharray:5 4}
.line{fill:none;stroke:#0550ae;stroke-width:2}
.point{fill:#0550ae}
@media (prefers-color-scheme:dark){
text{fill:#e6edf3}
.ground{fill:#0d1117;stroke:#30363d}
.grid{stroke:#2a313a}
.linear{stroke:#9ba4ae}
.line{stroke:#79c0ff}
.point{fill:#79c0ff}
}
"""

Value = Callable[[Point], float]
PANELS: dict[str, tuple[Value, Callable[[float], str]]] = {
    "time": (lambda point: point.seconds, lambda mark: f"{mark:,g} s" if mark >= 1 else f"{mark * 1000:g} ms"),
    "memory": (lambda point: point.megabytes, lambda mark: f"{mark:,g} MB"),
}


def plot(curve: Curve) -> str:
    """The whole picture."""
    panels = [
        f'<g transform="translate({number * WIDTH} 0)">{"".join(_panel(name, curve))}</g>'
        for number, name in enumerate(PANELS)
    ]
    width = WIDTH * len(panels)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {HEIGHT}" role="img">',
            f"<title>{told(curve)}</title>",
            f"<style>{STYLE}</style>",
            f'<rect class="ground" x=".5" y=".5" width="{width - 1}" height="{HEIGHT - 1}" rx="8"/>',
            *panels,
            "</svg>\n",
        ]
    )


def told(curve: Curve) -> str:
    """The same in words."""
    points = [f"{_thousands(at.at)}: {duration(at.seconds)}, {at.megabytes:.0f} MB" for at in curve.points]
    return escape(f"Time and memory against {curve.axis}. {'; '.join(points)}.")


class _Axis:
    """Values on a logarithmic axis, as places in the picture."""

    def __init__(self, values: list[float], start: float, end: float) -> None:
        logarithms = [math.log10(value) for value in values]
        self.low, self.high = min(logarithms), max(logarithms)
        self._start, self._end = start, end

    def __call__(self, value: float) -> float:
        share = (math.log10(value) - self.low) / (self.high - self.low or 1)
        return round(self._start + share * (self._end - self._start), 1)


def _panel(name: str, curve: Curve) -> Iterable[str]:
    value, written = PANELS[name]
    points = curve.points
    marks = _decades([value(point) for point in points])
    across = _Axis([point.at for point in points], LEFT, WIDTH - RIGHT)
    up = _Axis(marks, HEIGHT - BOTTOM, TOP)
    yield f'<text class="title" x="{LEFT}" y="24">{name}</text>'
    for mark in marks:
        yield f'<path class="grid" d="M{LEFT} {up(mark)}H{WIDTH - RIGHT}"/>'
        yield f'<text x="{LEFT - 6}" y="{up(mark) + 4}" text-anchor="end">{written(mark)}</text>'
    free = math.inf
    for place, at in [(across(point.at), point.at) for point in reversed(points)]:
        yield f'<path class="grid" d="M{place} {TOP}V{HEIGHT - BOTTOM}"/>'
        if place <= free:
            yield f'<text x="{place}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle">{_thousands(at)}</text>'
            free = place - APART
    yield f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 12}" text-anchor="middle">{escape(curve.axis)}</text>'
    yield from _linear(points[-1], value, across, up, marks[0])
    places = " ".join(f"{across(point.at)},{up(value(point))}" for point in points)
    yield f'<polyline class="line" points="{places}"/>'
    yield from (f'<circle class="point" cx="{across(one.at)}" cy="{up(value(one))}" r="3.5"/>' for one in points)


def _linear(last: Point, value: Value, across: _Axis, up: _Axis, floor: float) -> Iterable[str]:
    """Where the points would lie if cost were nothing but proportional: a line down from the last one."""
    least = max(10**across.low, last.at * floor / value(last))
    right, left = across(last.at), across(least)
    top, bottom = up(value(last)), up(value(last) * least / last.at)
    yield f'<path class="linear" d="M{right} {top}L{left} {bottom}"/>'
    yield f'<text x="{(left + right) / 2 + 6:.1f}" y="{(top + bottom) / 2 + 14:.1f}">linear</text>'


def _decades(values: list[float]) -> list[float]:
    """Powers of ten from below the least to above the greatest."""
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    return [10.0**power for power in range(low, max(high, low + 1) + 1)]


def _thousands(number: float) -> str:
    return f"{number:,.0f}"

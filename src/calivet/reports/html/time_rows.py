"""Where marks and labels of a lane stand: near ones become one mark, and no label covers another."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from calivet.reports.html.drawing_words import word
from calivet.reports.html.svg import BOLD, columns_in, shown, text_width
from calivet.reports.html.time_axis import Axis
from calivet.reports.html.time_lanes import Lane, Track
from calivet.scene.scene import Happening

LABEL_SIZE = 12.0
_NEAR, _REACH, _RINGED = 15.0, 9.0, 13.0
NUMBER_ROOM = 44.0
"""What a count beside a mark needs."""
_MARKS_AT_MOST = 14
"""More marks than this in one row are a bar."""
_BAR_FROM = 12.0
_LOW, _HIGH = 23.0, 38.0
_GAP = 14.0
_MOST_COLUMNS = 60


class Mark(Struct):
    """One shape: a dot, or a bar from left to right."""

    left: float
    right: float
    happenings: list[Happening]

    @property
    def count(self) -> int:
        """How often what it stands for happened."""
        return sum(happening.count for happening in self.happenings)

    @property
    def number(self) -> str:
        """The count in few letters."""
        return f"×{self.count:,}" if self.count < 10_000 else f"×{self.count // 1_000:,}k"

    @property
    def is_bar(self) -> bool:
        """Long enough to be seen as lasting."""
        return self.right - self.left >= _BAR_FROM


class Placed(Struct, frozen=True):
    """A track with its marks and its label."""

    track: Track
    marks: list[Mark]
    label: str
    x: float
    anchor: str
    above: bool
    """The label stands over the marks, since there was no room beside them."""
    left: float
    right: float


class Row(Struct):
    """Tracks side by side."""

    placed: list[Placed] = []

    @property
    def height(self) -> float:
        """Higher where a label stands above."""
        return _HIGH if any(one.above for one in self.placed) else _LOW


def rows(lane: Lane, axis: Axis, language: str) -> list[Row]:
    """The most telling on top; a row is shared where there is room."""
    made: list[Row] = []
    for track in lane.tracks:
        placed = _place(track, axis, language)
        free = (row for row in made if all(_clear(placed, other) for other in row.placed))
        row = next(free, None)
        if row is None:
            row = Row()
            made.append(row)
        row.placed.append(placed)
    return made


def _clear(one: Placed, other: Placed) -> bool:
    return one.right + _GAP < other.left or other.right + _GAP < one.left


def _place(track: Track, axis: Axis, language: str) -> Placed:
    marks = list(_merged(track.happenings, axis))
    if len(marks) > _MARKS_AT_MOST:
        marks = [Mark(marks[0].left, max(mark.right for mark in marks), track.happenings)]
    edge_left, edge_right = axis.stretches[0].left, axis.stretches[-1].right
    reach = _RINGED if track.proof else _REACH
    left, right = marks[0].left - reach, max(mark.right for mark in marks) + reach
    if len(marks) > 1 and marks[-1].count > 1:
        right += NUMBER_ROOM / 2 + 4
    title = word("tracks.more", language, count=track.others) if track.others else track.title.read(language)
    number = word("times", language, count=track.count) if track.count > 1 else ""
    size = LABEL_SIZE * (BOLD if track.proof else 1)
    label = _fitted(title, number, _MOST_COLUMNS)
    wide = text_width(label, size) + 3
    if right + wide <= edge_right:
        return Placed(track, marks, label, right + 3, "start", above=False, left=left, right=right + wide)
    if left - wide >= edge_left:
        return Placed(track, marks, label, left - 3, "end", above=False, left=left - wide, right=right)
    label = _fitted(title, number, columns_in(edge_right - edge_left, size))
    wide = text_width(label, size)
    x = max(edge_left, min(left, edge_right - wide))
    return Placed(track, marks, label, x, "start", above=True, left=min(left, x), right=max(right, x + wide))


def _fitted(title: str, number: str, columns: int) -> str:
    """The count is never cut off."""
    most = min(columns, _MOST_COLUMNS)
    return f"{shown(title, max(4, most - len(number) - 1))} {number}".rstrip()


def _merged(happenings: list[Happening], axis: Axis) -> Iterator[Mark]:
    """From left to right; what would touch is one mark."""
    open_mark: Mark | None = None
    for happening in happenings:
        left, right = axis.at(happening.start), axis.at(max(happening.start, happening.end))
        if open_mark and left - open_mark.right < _NEAR:
            open_mark.right = max(open_mark.right, right)
            open_mark.happenings.append(happening)
            continue
        if open_mark:
            yield open_mark
        open_mark = Mark(left, right, [happening])
    if open_mark:
        yield open_mark

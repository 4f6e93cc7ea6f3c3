"""What happened, lane by lane: alike things on one track, tracks that do not touch in one row."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from calivet.messages.message import Area, find_words
from calivet.messages.words import Words
from calivet.reports.diagnosis.html.drawing import BOLD, clean_text, count_columns, measure_pixels
from calivet.reports.diagnosis.html.map_layout import make_natural_key
from calivet.reports.diagnosis.html.page_model.model import HARMLESS, RESTART, Happening
from calivet.reports.diagnosis.html.time_axis import Axis

word = Area("drawing")

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
LANES_AT_MOST = 14
TRACKS_AT_MOST = 5
MIXED = "mixed"


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


class PlacedTrack(Struct, frozen=True):
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

    placed: list[PlacedTrack] = []

    @property
    def height(self) -> float:
        """Higher where a label stands above."""
        return _HIGH if any(one.above for one in self.placed) else _LOW


def build_rows(lane: Lane, axis: Axis, language: str) -> list[Row]:
    """The most telling on top; a row is shared where there is room."""
    made: list[Row] = []
    for track in lane.tracks:
        placed = _place(track, axis, language)
        free = (row for row in made if all(_are_apart(placed, other) for other in row.placed))
        row = next(free, None)
        if row is None:
            row = Row()
            made.append(row)
        row.placed.append(placed)
    return made


def _are_apart(one: PlacedTrack, other: PlacedTrack) -> bool:
    return one.right + _GAP < other.left or other.right + _GAP < one.left


def _place(track: Track, axis: Axis, language: str) -> PlacedTrack:
    marks = list(_merge_marks(track.happenings, axis))
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
    label = _fit_label(title, number, _MOST_COLUMNS)
    wide = measure_pixels(label, size) + 3
    if right + wide <= edge_right:
        return PlacedTrack(track, marks, label, right + 3, "start", above=False, left=left, right=right + wide)
    if left - wide >= edge_left:
        return PlacedTrack(track, marks, label, left - 3, "end", above=False, left=left - wide, right=right)
    label = _fit_label(title, number, count_columns(edge_right - edge_left, size))
    wide = measure_pixels(label, size)
    x = max(edge_left, min(left, edge_right - wide))
    return PlacedTrack(track, marks, label, x, "start", above=True, left=min(left, x), right=max(right, x + wide))


def _fit_label(title: str, number: str, columns: int) -> str:
    """The count is never cut off."""
    most = min(columns, _MOST_COLUMNS)
    return f"{clean_text(title, max(4, most - len(number) - 1))} {number}".rstrip()


def _merge_marks(happenings: list[Happening], axis: Axis) -> Iterator[Mark]:
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


class Track(Struct, frozen=True):
    """The same thing, as often as it happened in one lane."""

    kind: str
    title: Words
    happenings: list[Happening]
    others: int = 0
    """So many less telling things are taken together here."""

    @property
    def proof(self) -> bool:
        """Speaks for a finding."""
        return any(happening.cause for happening in self.happenings)

    @property
    def count(self) -> int:
        """How often in all."""
        return sum(happening.count for happening in self.happenings)


class Lane(Struct, frozen=True):
    """A node, the cluster where the name is empty, or many nodes."""

    name: str
    tracks: list[Track]
    others: int = 0
    """So many nodes are taken together here."""


def build_lanes(happenings: list[Happening]) -> list[Lane]:
    """The cluster on top, then nodes with evidence for a finding, then other bad ones."""
    found: dict[str, list[Happening]] = {}
    for happening in happenings:
        found.setdefault(happening.lane, []).append(happening)
    ranked = sorted(found.items(), key=lambda lane: _rank_lane(*lane))
    kept, rest = ranked[:LANES_AT_MOST], ranked[LANES_AT_MOST:]
    if len(rest) == 1:
        kept, rest = ranked, []
    drawn = [Lane(name, _build_tracks(members)) for name, members in kept]
    if rest:
        drawn.append(
            Lane(
                "", _build_tracks(_shorten_title(happening) for _, members in rest for happening in members), len(rest)
            )
        )
    return drawn


def rank_happening(happening: Happening) -> tuple[bool, bool, bool]:
    """What tells more sorts first: evidence for a finding, what is bad, what is not known to be harmless."""
    return not happening.cause, not happening.bad, happening.kind == HARMLESS


def _rank_lane(name: str, members: list[Happening]) -> tuple[object, ...]:
    return (
        bool(name),
        min(map(rank_happening, members)),
        -len({happening.title for happening in members}),
        make_natural_key(name),
    )


def _shorten_title(happening: Happening) -> Happening:
    """Without the names of its own pod and node, since here many are taken together: of an event only its reason."""
    title = find_words("drawing.restart") if happening.kind == RESTART else happening.title
    return replace(happening, title=Words(title.en.partition(": ")[0], title.zh.partition(": ")[0]))


def _build_tracks(happenings: Iterable[Happening]) -> list[Track]:
    found: dict[tuple[str, Words], list[Happening]] = {}
    for happening in sorted(happenings, key=lambda happening: (happening.start, happening.end)):
        found.setdefault((happening.kind, happening.title), []).append(happening)
    tracks = [Track(kind, title, members) for (kind, title), members in found.items()]
    tracks.sort(key=lambda track: (min(map(rank_happening, track.happenings)), -track.count))
    kept, rest = tracks[:TRACKS_AT_MOST], tracks[TRACKS_AT_MOST:]
    if len(rest) < 2:
        return tracks
    mixed = sorted((happening for track in rest for happening in track.happenings), key=lambda found: found.start)
    return [*kept, Track(MIXED, Words("", ""), mixed, len(rest))]

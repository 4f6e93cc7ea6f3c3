"""What stands in which lane: the cluster, the nodes that tell most, and all others taken together."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from calivet.catalogue.words import Words
from calivet.reports.html.drawing_words import WORDS
from calivet.reports.html.map_zones import natural
from calivet.scene.scene import HARMLESS, RESTART, Happening

LANES_AT_MOST = 14
TRACKS_AT_MOST = 5
MIXED = "mixed"


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


def lanes(happenings: list[Happening]) -> list[Lane]:
    """The cluster on top, then nodes with evidence for a finding, then other bad ones."""
    found: dict[str, list[Happening]] = {}
    for happening in happenings:
        found.setdefault(happening.lane, []).append(happening)
    ranked = sorted(found.items(), key=lambda lane: _lane_rank(*lane))
    kept, rest = ranked[:LANES_AT_MOST], ranked[LANES_AT_MOST:]
    if len(rest) == 1:
        kept, rest = ranked, []
    drawn = [Lane(name, _tracks(members)) for name, members in kept]
    if rest:
        drawn.append(Lane("", _tracks(_brief(happening) for _, members in rest for happening in members), len(rest)))
    return drawn


def rank(happening: Happening) -> tuple[bool, bool, bool]:
    """What tells more sorts first: evidence for a finding, what is bad, what is not known to be harmless."""
    return not happening.cause, not happening.bad, happening.kind == HARMLESS


def _lane_rank(name: str, members: list[Happening]) -> tuple[object, ...]:
    return bool(name), min(map(rank, members)), -len({happening.title for happening in members}), natural(name)


def _brief(happening: Happening) -> Happening:
    """Without the names of its own pod and node, since here many are taken together: of an event only its reason."""
    title = WORDS[RESTART] if happening.kind == RESTART else happening.title
    return replace(happening, title=Words(title.en.partition(": ")[0], title.zh.partition(": ")[0]))


def _tracks(happenings: Iterable[Happening]) -> list[Track]:
    found: dict[tuple[str, Words], list[Happening]] = {}
    for happening in sorted(happenings, key=lambda happening: (happening.start, happening.end)):
        found.setdefault((happening.kind, happening.title), []).append(happening)
    tracks = [Track(kind, title, members) for (kind, title), members in found.items()]
    tracks.sort(key=lambda track: (min(map(rank, track.happenings)), -track.count))
    kept, rest = tracks[:TRACKS_AT_MOST], tracks[TRACKS_AT_MOST:]
    if len(rest) < 2:
        return tracks
    mixed = sorted((happening for track in rest for happening in track.happenings), key=lambda found: found.start)
    return [*kept, Track(MIXED, Words("", ""), mixed, len(rest))]

"""How much the seen signs say for each cause, in log-odds."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Set

from msgspec import Struct, field

from calivet.catalogue.model import Catalogue, Cause, Sign, Strength
from calivet.catalogue.words import Words
from calivet.evidence.artifact import Line
from calivet.signs.patterns import Key
from calivet.signs.sighting import Sighting

# Calibrated on labelled incidents: `calivet eval` prints the reliability table.
PRIOR = -3.2
WEIGHT = {Strength.PROOF: 6.0, Strength.STRONG: 3.2, Strength.FAIR: 1.6, Strength.WEAK: 0.7}
# Signs of one fault are seldom quite independent, so each further one counts a little less.
FADING = (1.0, 0.9, 0.8, 0.7, 0.6, 0.5)

_STEP_DOWN = {
    Strength.PROOF: Strength.STRONG,
    Strength.STRONG: Strength.FAIR,
    Strength.FAIR: Strength.WEAK,
    Strength.WEAK: Strength.WEAK,
}


class Seen(Struct, frozen=True):
    """A sign of the catalogue with where it was seen."""

    sign: Sign
    strength: Strength
    sightings: list[Sighting]
    against: bool = False

    @property
    def lines(self) -> set[tuple[str, int]]:
        """The places in the evidence."""
        return {place(sighting.line) for sighting in self.sightings}


class Judged(Struct):
    """A cause with all that speaks for and against it."""

    cause: Cause
    seen: list[Seen]
    confidence: float = 0.0
    nodes: list[str] = field(default_factory=list)

    @property
    def speaking_for(self) -> list[Seen]:
        """The signs for the cause, strongest first."""
        return sorted((seen for seen in self.seen if not seen.against), key=lambda seen: -WEIGHT[seen.strength])

    @property
    def proven(self) -> bool:
        """Whether one of its signs suffices alone."""
        return any(seen.strength is Strength.PROOF for seen in self.speaking_for)

    @property
    def lines(self) -> set[tuple[str, int]]:
        """All places that speak for the cause."""
        return {line for seen in self.speaking_for for line in seen.lines}


def place(line: Line) -> tuple[str, int]:
    """What identifies a line."""
    return line.artifact, line.number


def judge(catalogue: Catalogue, seen: Mapping[Key, list[Sighting]]) -> list[Judged]:
    """Every cause that something speaks for, most likely first."""
    judged = []
    for cause in catalogue.causes.values():
        speaking_for = list(_observed(cause, cause.signs, seen))
        if speaking_for:
            nodes = nodes_of(sorted(speaking_for, key=lambda one: -WEIGHT[one.strength]))
            signs = [*speaking_for, *_against(cause, seen, nodes)]
            judged.append(Judged(cause, signs, confidence(signs), nodes))
    return sorted(judged, key=lambda found: (-found.confidence, found.cause.id))


def confidence(signs: Iterable[Seen], without: Set[tuple[str, int]] = frozenset()) -> float:
    """The probability that these signs give, leaving out lines that something else accounts for."""
    signs = list(signs)
    total = PRIOR - _sum([seen for seen in signs if seen.against], frozenset())
    total += _sum([seen for seen in signs if not seen.against], without)
    return 1 / (1 + math.exp(-total))


def shifted(sure: float, by: float) -> float:
    """The confidence after something more speaks for it (or, with a figure below zero, against it)."""
    return 1 / (1 + (1 - sure) / max(sure, 1e-9) * math.exp(-by))


def nodes_of(signs: Iterable[Seen]) -> list[str]:
    """The nodes that the signs name, in order of their strength."""
    named = [sighting.node for seen in signs for sighting in seen.sightings if sighting.node]
    return list(dict.fromkeys(named))


def _observed(
    cause: Cause, signs: list[Sign], seen: Mapping[Key, list[Sighting]], *, against: bool = False
) -> Iterable[Seen]:
    """What was seen. Signs that say the same are one, wherever they are seen, as strong as the strongest of them."""
    found: dict[Words, Seen] = {}
    for sign in signs:
        if sightings := seen.get(Key(cause.id, sign.id)):
            told_only = all(sighting.note for sighting in sightings) and sign.scope != "note"
            strength = _STEP_DOWN[sign.strength] if told_only else sign.strength
            same = found.get(sign.says, Seen(sign, strength, [], against))
            strongest = max((same.strength, strength), key=lambda one: WEIGHT[one])
            found[sign.says] = Seen(same.sign, strongest, [*same.sightings, *sightings], against)
    return found.values()


def _against(cause: Cause, seen: Mapping[Key, list[Sighting]], nodes: list[str]) -> Iterable[Seen]:
    """What speaks against the cause; on a node of its own, where it has any: another node's good state does not."""
    own = {None, *nodes}
    for one in _observed(cause, cause.against, seen, against=True):
        near = [sighting for sighting in one.sightings if not nodes or sighting.node in own]
        if near:
            yield Seen(one.sign, one.strength, near, against=True)


def _sum(signs: list[Seen], without: Set[tuple[str, int]]) -> float:
    """Strongest first; a line that has spoken once does not speak again."""
    total, used = 0.0, set(without)
    rank = 0
    for seen in sorted(signs, key=lambda seen: -WEIGHT[seen.strength]):
        fresh = seen.lines - used
        if fresh:
            total += WEIGHT[seen.strength] * FADING[min(rank, len(FADING) - 1)]
            used |= fresh
            rank += 1
    return total

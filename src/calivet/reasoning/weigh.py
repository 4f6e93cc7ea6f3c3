"""How much the seen signs say for each cause, in log-odds."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Set

from msgspec import Struct, field

from calivet.catalogue.model import Catalogue, Cause, Scope, Sign, Strength
from calivet.evidence.artifact import Line
from calivet.messages.words import Words
from calivet.signs.sections import Conclusion
from calivet.signs.sighting import Key, Sighting

# Calibrated on labelled incidents: `calivet eval` prints the reliability table.
PRIOR = -3.2
WEIGHT = {Strength.PROOF: 6.0, Strength.STRONG: 3.2, Strength.FAIR: 1.6, Strength.WEAK: 0.7}
# Signs of one fault are seldom quite independent, so each further one counts a little less.
FADING = (1.0, 0.9, 0.8, 0.7, 0.6, 0.5)

# What authors conclude weighs more than what they mention; all that they say together, less than a printed proof.
CONCLUDED = {Conclusion.STATED: 1.2, Conclusion.SAID: 0.7, Conclusion.CURE: 0.7}
MOST_TOLD = 5.0

_STEP_DOWN = {
    Strength.PROOF: Strength.STRONG,
    Strength.STRONG: Strength.FAIR,
    Strength.FAIR: Strength.WEAK,
    Strength.WEAK: Strength.WEAK,
}


OWN_WORDS = (Scope.NOTE, Scope.CURE)
"""Where a sign is the author's word from the start, and its strength says so already."""


class ObservedSign(Struct, frozen=True):
    """A sign of the catalogue with where it was seen."""

    sign: Sign
    strength: Strength
    sightings: list[Sighting]
    against: bool = False

    @property
    def is_told(self) -> bool:
        """Whether only the author says it, and not in words that he copied."""
        is_own = self.sign.scope in OWN_WORDS
        return all(sighting.note and (is_own or not sighting.verbatim) for sighting in self.sightings)

    @property
    def weight(self) -> float:
        """In log-odds."""
        if self.strength is not Strength.STRONG or self.sign.scope not in OWN_WORDS:
            return WEIGHT[self.strength]
        return WEIGHT[self.strength] + max(CONCLUDED.get(one.conclusion, 0.0) for one in self.sightings)

    @property
    def lines(self) -> set[tuple[str, int]]:
        """The places in the evidence."""
        return {locate_line(sighting.line) for sighting in self.sightings}

    @property
    def printed_lines(self) -> set[tuple[str, int]]:
        """The places where a program says it, not the author."""
        return {locate_line(sighting.line) for sighting in self.sightings if not sighting.note}


class WeighedCause(Struct):
    """A cause with all that speaks for and against it."""

    cause: Cause
    seen: list[ObservedSign]
    confidence: float = 0.0
    nodes: list[str] = field(default_factory=list)
    is_hypothesis: bool = False
    """Nothing but the symptoms speaks for it."""
    fits_words: bool = False
    """Of all causes it is the one in whose words the author writes."""
    is_off_topic: bool = False
    """It stands in a text about something else."""
    worded: Line | None = None
    """Where an author's words are so plainly those of this cause that they name it alone."""

    @property
    def speaking_for(self) -> list[ObservedSign]:
        """The signs for the cause, strongest first."""
        return sorted((seen for seen in self.seen if not seen.against), key=lambda seen: -WEIGHT[seen.strength])

    @property
    def is_told(self) -> bool:
        """Whether all that speaks for it are the author's words."""
        return all(seen.is_told for seen in self.speaking_for)

    @property
    def is_concluded(self) -> bool:
        """Whether the author gives it as the cause or as what cured it, rather than mentions it."""
        sure = (Conclusion.STATED, Conclusion.SAID, Conclusion.CURE)
        return any(sighting.conclusion in sure for seen in self.speaking_for for sighting in seen.sightings)

    @property
    def is_said_plainly(self) -> bool:
        """Whether an author's sentence names it, or a program does, and not only a word in passing."""
        return any(WEIGHT[seen.strength] >= WEIGHT[Strength.STRONG] for seen in self.speaking_for)

    @property
    def has_notes(self) -> bool:
        """Whether any of what speaks for it stands in somebody's text."""
        return bool(self.worded) or any(sighting.note for seen in self.speaking_for for sighting in seen.sightings)

    def is_shown(self, least: Strength) -> bool:
        """Whether a sign that is at least so strong was printed."""
        return any(not seen.is_told and seen.weight >= WEIGHT[least] for seen in self.speaking_for)

    @property
    def is_foreign(self) -> bool:
        """Whether only applications say what speaks for it."""
        sightings = [sighting for seen in self.speaking_for for sighting in seen.sightings]
        return bool(sightings) and all(sighting.foreign for sighting in sightings)

    @property
    def proven(self) -> bool:
        """Whether one of its signs suffices alone."""
        return any(seen.strength is Strength.PROOF for seen in self.speaking_for)

    @property
    def is_about_settings(self) -> bool:
        """Whether a sign tells how things are set now, which a good state does not contradict."""
        return any(seen.sign.about == "settings" for seen in self.speaking_for)

    @property
    def lines(self) -> set[tuple[str, int]]:
        """All places that speak for the cause."""
        own = {locate_line(self.worded)} if self.worded else set()
        return own | {line for seen in self.speaking_for for line in seen.lines}


def locate_line(line: Line) -> tuple[str, int]:
    """What identifies a line."""
    return line.artifact, line.number


def weigh_causes(catalogue: Catalogue, seen: Mapping[Key, list[Sighting]]) -> list[WeighedCause]:
    """Every cause that something speaks for, most likely first."""
    weighed = []
    for cause in catalogue.causes.values():
        speaking_for = list(_observe_signs(cause, cause.signs, seen))
        if speaking_for:
            nodes = _find_nodes_at_fault(speaking_for)
            signs = [*speaking_for, *_observe_against(cause, seen, nodes)]
            weighed.append(WeighedCause(cause, signs, compute_confidence(signs), nodes))
    # Of two that are as likely, the one that the evidence comes back to.
    return sorted(weighed, key=lambda found: (-found.confidence, -len(found.lines), found.cause.id))


def compute_confidence(signs: Iterable[ObservedSign], without: Set[tuple[str, int]] = frozenset()) -> float:
    """The probability that these signs give, leaving out lines that something else accounts for."""
    signs = list(signs)
    total = PRIOR - _sum_weights([seen for seen in signs if seen.against], frozenset())
    total += _sum_weights([seen for seen in signs if not seen.against], without)
    return 1 / (1 + math.exp(-total))


def shift_confidence(sure: float, by: float) -> float:
    """The confidence after something more speaks for it (or, with a figure below zero, against it)."""
    return 1 / (1 + (1 - sure) / max(sure, 1e-9) * math.exp(-by))


def _find_nodes_at_fault(signs: list[ObservedSign]) -> list[str]:
    """The nodes that the strongest signs name; hints, and what others say of a node, count where nothing else does."""
    own = [one for one in signs if one.sign.logged_by == "node"] or signs
    ranked = sorted(own, key=lambda one: -WEIGHT[one.strength])
    sure = [one for one in ranked if WEIGHT[one.strength] >= WEIGHT[Strength.FAIR]]
    return list_nodes(sure) or list_nodes(ranked)


def list_nodes(signs: Iterable[ObservedSign]) -> list[str]:
    """The nodes that the signs name, in order of their strength."""
    return list_nodes_of(sighting for seen in signs for sighting in seen.sightings)


def list_nodes_of(sightings: Iterable[Sighting]) -> list[str]:
    """The nodes that they name, each once."""
    return list(dict.fromkeys(sighting.node for sighting in sightings if sighting.node))


def _observe_signs(
    cause: Cause, signs: list[Sign], seen: Mapping[Key, list[Sighting]], *, against: bool = False
) -> Iterable[ObservedSign]:
    """What was seen. Signs that say the same are one, wherever they are seen, as strong as the strongest of them."""
    found: dict[Words, ObservedSign] = {}
    for sign in signs:
        if sightings := seen.get(Key(cause.id, sign.id)):
            strength = _weigh_authors(sign, sightings)
            same = found.get(sign.says, ObservedSign(sign, strength, [], against))
            strongest = max((same.strength, strength), key=lambda one: WEIGHT[one])
            found[sign.says] = ObservedSign(same.sign, strongest, [*same.sightings, *sightings], against)
    return found.values()


def _weigh_authors(sign: Sign, sightings: list[Sighting]) -> Strength:
    """What only the author says, and did not copy, counts one step less; what only applications say is weak at most."""
    if sign.by != "anybody" and all(sighting.foreign for sighting in sightings):
        return Strength.WEAK
    if sign.scope in OWN_WORDS:
        if any(sighting.conclusion is Conclusion.GUIDE for sighting in sightings):
            return Strength.WEAK
        raised = sign.strength is Strength.FAIR and any(sighting.conclusion in CONCLUDED for sighting in sightings)
        return Strength.STRONG if raised else sign.strength
    told_only = all(sighting.note and not sighting.verbatim for sighting in sightings)
    return _STEP_DOWN[sign.strength] if told_only else sign.strength


def _observe_against(cause: Cause, seen: Mapping[Key, list[Sighting]], nodes: list[str]) -> Iterable[ObservedSign]:
    """What speaks against the cause; on a node of its own, where it has any: another node's good state does not."""
    own = {None, *nodes}
    for one in _observe_signs(cause, cause.against, seen, against=True):
        near = [sighting for sighting in one.sightings if not nodes or sighting.node in own]
        if near:
            yield ObservedSign(one.sign, one.strength, near, against=True)


def _sum_weights(signs: list[ObservedSign], without: Set[tuple[str, int]]) -> float:
    """Strongest first; a line that has spoken once does not speak again.

    A sign that was both printed and told speaks by its printed lines, so the author's lines are left for other signs.
    """
    total, told, used = 0.0, 0.0, set(without)
    rank = 0
    for seen in sorted(signs, key=lambda seen: -seen.weight):
        fresh = (seen.printed_lines or seen.lines) - used
        if fresh:
            weight = seen.weight * FADING[min(rank, len(FADING) - 1)]
            total, told = (total, told + weight) if seen.is_told else (total + weight, told)
            used |= fresh
            rank += 1
    return total + min(told, MOST_TOLD)

"""Every claim of the page that points at a line, with a name by which the line points back."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from calivet.evidence.artifact import Line
from calivet.reasoning.diagnosis import HEALTHY, Diagnosis, Evidence, Explained, Finding, SetAside
from calivet.reports.html.words import word
from calivet.reports.wrapping import cut

# Of one effect; five thousand nodes that are not ready are told by their number.
MOST_SUBJECTS = 8
LONGEST_LINE = 320
"""Of a claim, in columns."""


class Claim(Struct, frozen=True):
    """Something said about a line."""

    id: str
    """Of its element on the page."""
    name: str
    """What the link back to it is called."""
    line: Line
    words: str = ""
    """The decisive ones."""
    aside: bool = False
    """It says only that the line does not matter."""


def shown(claim: Claim) -> str:
    """The line of a claim, or of a long one the part with the decisive words."""
    return cut(claim.line.text, LONGEST_LINE, claim.words)


class Told(Struct, frozen=True):
    """A piece of evidence and the claim that it makes."""

    evidence: Evidence
    claim: Claim


class Effect(Struct, frozen=True):
    """An effect that a finding explains, where it was seen."""

    id: str
    title: str
    seen: list[tuple[str, Claim]]
    """The subject, or nothing where there is none, and the claim."""
    more: int
    """Subjects beyond those."""


class Aside(Struct, frozen=True):
    """A message that was set aside, and the claim that it is harmless."""

    message: SetAside
    claim: Claim


class Claims(Struct, frozen=True):
    """All of them; the lists of lists run beside the diagnosis' findings and candidates."""

    findings: list[list[Told]]
    effects: list[list[Effect]]
    candidates: list[list[Told]]
    """None where the cluster is healthy: what might be is then of no interest."""
    set_aside: list[Aside]

    def __iter__(self) -> Iterator[Claim]:
        """In the order of the page."""
        for told, effects in zip(self.findings, self.effects, strict=True):
            yield from (one.claim for one in told)
            yield from (claim for effect in effects for _, claim in effect.seen)
        yield from (one.claim for told in self.candidates for one in told)
        yield from (one.claim for one in self.set_aside)


def claims(diagnosis: Diagnosis, language: str) -> Claims:
    """What the page claims."""
    maybe, aside = word("back.maybe", language), word("back.aside", language)
    doubts = diagnosis.candidates if diagnosis.verdict != HEALTHY else []
    return Claims(
        findings=[
            _told(finding.evidence, f"finding-{number}", str(number))
            for number, finding in enumerate(diagnosis.findings, 1)
        ],
        effects=[_effects(finding, number, language) for number, finding in enumerate(diagnosis.findings, 1)],
        candidates=[
            _told(candidate.evidence, f"candidate-{number}", f"{maybe} {number}")
            for number, candidate in enumerate(doubts, 1)
        ],
        set_aside=[
            Aside(message, Claim(f"aside-{number}", f"{aside} {number}", message.line, message.words, aside=True))
            for number, message in enumerate(diagnosis.set_aside, 1)
        ],
    )


def _told(evidence: list[Evidence], owner: str, name: str) -> list[Told]:
    return [
        Told(one, Claim(f"{owner}-evidence-{number}", f"{name}.{number}", one.line, one.words))
        for number, one in enumerate(evidence, 1)
    ]


def _effects(finding: Finding, number: int, language: str) -> list[Effect]:
    """By effect, each subject once."""
    seen: dict[str, dict[str, Explained]] = {}
    for item in finding.explains:
        seen.setdefault(item.effect, {}).setdefault(item.subject or "", item)
    return [_effect(f"finding-{number}-{name}", list(found.values()), number, language) for name, found in seen.items()]


def _effect(owner: str, found: list[Explained], number: int, language: str) -> Effect:
    name = f"{number} {word('back.effect', language)}"
    first = [
        (item.subject or "", Claim(f"{owner}-{count}", name, item.line, item.subject or ""))
        for count, item in enumerate(found[:MOST_SUBJECTS], 1)
    ]
    return Effect(found[0].effect, found[0].title.read(language), first, len(found) - len(first))

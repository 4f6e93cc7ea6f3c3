"""What the picture of a chain shows of a finding."""

from __future__ import annotations

from collections.abc import Mapping

from calivet.catalogue.words import Words
from calivet.reasoning.diagnosis import Finding
from calivet.reports.html.anchors import Anchor
from calivet.reports.html.chain import Link
from calivet.reports.html.claims import Effect


def links(
    finding: Finding, effects: list[Effect], titles: Mapping[str, Words], anchor: Anchor, language: str
) -> list[Link]:
    """A link for each step of the chain; what was seen leads to its line."""
    seen = {effect.id: anchor(effect.seen[0][1].line) for effect in effects}
    if finding.evidence:
        seen[finding.chain[0]] = anchor(finding.evidence[0].line)
    last = len(finding.chain) - 1
    return [
        Link(
            titles[step].read(language),
            "cause" if not number else "symptom" if number == last else "effect",
            step in seen or step in finding.consequences,
            seen.get(step),
        )
        for number, step in enumerate(finding.chain)
    ]

"""Signs in the list of ports that a cloud lets through."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.evidence.expressions import expression
from calivet.facts.picture import Picture
from calivet.signs.sighting import Sighting

TYPHA_PORT = 5473
_LISTS_RULES = expression(
    r"describe-security-groups|security group rule list|nsg rule list|firewall-rules (?:list|describe)"
    r"|describe-network-acls|DescribeSecurityGroupAttribute"
)
_RANGE = expression(r"(?<![\d.:])(?P<first>\d{1,5})(?:\s*[-:/,]\s*|\s+)(?P<last>\d{1,5})(?![\d.])")
_ALL = expression(r"(?i)(?<![\w.])(?:-1|all|any|\*)(?![\w.])")


def typha_port_not_let_through(picture: Picture) -> Iterator[Sighting]:
    """Typha is in use, and the cloud's rules name ports but not Typha's."""
    if not picture.pods("typha"):
        return
    for artifact in picture.artifacts:
        shown = [text for text in artifact.lines[1:] if text.strip()]
        named = any(_RANGE.search(text) for text in shown)
        if _LISTS_RULES.search(artifact.command or "") and named and not any(_lets(text, TYPHA_PORT) for text in shown):
            yield Sighting(line=artifact.at(0), order=artifact.order)


def _lets(text: str, port: int) -> bool:
    if _ALL.search(text) or str(port) in text:
        return True
    return any(int(one["first"]) <= port <= int(one["last"]) for one in _RANGE.finditer(text))


SIGNS = {"cloud-rules-without-typha": typha_port_not_let_through}

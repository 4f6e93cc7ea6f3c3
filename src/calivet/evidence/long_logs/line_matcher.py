"""What this room asks of those who know what a line means."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from calivet.evidence.artifact import Evidence

Found = tuple[int, int, int]
"""A pattern, and where the line that it is in begins and ends."""


class LineMatcher(Protocol):
    """Knows what is worth keeping of a long log."""

    def find(self, text: bytes) -> Iterable[Found]:
        """Every line with a pattern in it, in order; a line once for each of its patterns."""


class EvidenceRedactor(Protocol):
    """Takes secrets out: of a long log before anything of it is kept, and of all that was gathered."""

    def redact_blocks(self, name: str, blocks: Iterable[bytes]) -> Iterator[bytes]:
        """The same blocks of whole lines, with as many lines each."""

    def redact_evidence(self, evidence: Evidence) -> None:
        """In place."""

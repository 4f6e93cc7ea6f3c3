"""Finds the artifact that a line was cut from."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable

from calivet.evidence.artifact import Artifact, Line


class Places:
    """All artifacts, by document and in the order of their lines."""

    def __init__(self, artifacts: Iterable[Artifact]) -> None:
        """Sort them once."""
        self._documents: dict[str, list[Artifact]] = defaultdict(list)
        for artifact in artifacts:
            self._documents[artifact.name].append(artifact)
        for cut in self._documents.values():
            cut.sort(key=lambda artifact: artifact.first)

    def artifact(self, line: Line) -> Artifact | None:
        """The artifact with this line; None for a line that belongs to no document."""
        cut = self._documents.get(line.artifact, [])
        index = bisect_right(cut, line.number, key=lambda artifact: artifact.first) - 1
        found = cut[index] if index >= 0 else None
        return found if found and found.holds(line) else None

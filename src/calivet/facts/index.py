"""The facts by what they are asked for: their type, their machine, the artifact they stand in. Each is sorted once."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping
from functools import cached_property
from operator import attrgetter
from typing import Any, TypeVar

from calivet.evidence.artifact import Artifact, Line
from calivet.facts.fact import Fact

Kind = TypeVar("Kind", bound=Fact)

_host = attrgetter("host")


class Index:
    """Facts in the order of the evidence; on a big cluster nobody can look through all of them for each of them."""

    def __init__(self, artifacts: list[Artifact], facts: Iterable[Fact]) -> None:
        """Sort the facts by their type."""
        self.artifacts = artifacts
        self.derived: dict[Hashable, Any] = {}
        self._by_type: dict[type[Fact], list[Fact]] = defaultdict(list)
        self._documents = {artifact.name: artifact.order for artifact in reversed(artifacts)}
        for fact in facts:
            self._by_type[type(fact)].append(fact)
        for found in self._by_type.values():
            found.sort(key=lambda fact: self.order(fact.at))

    def all(self, kind: type[Kind]) -> list[Kind]:
        """All facts of a type, in order of the evidence."""
        return self._by_type[kind]  # type: ignore[return-value]

    def on(self, host: str | None, kind: type[Kind]) -> list[Kind]:
        """Those about this machine, by the name that the evidence gives it there."""
        return self._by(kind, _host).get(host, [])

    def within(self, artifact: Artifact, kind: type[Kind]) -> list[Kind]:
        """Those that stand in this artifact."""
        return self._by(kind, self._artifact_of).get(id(artifact), [])

    def order(self, line: Line) -> tuple[int, int]:
        """Where a line stands in the whole evidence: later is usually later in time."""
        return self._documents.get(line.artifact, 0), line.number

    def artifact(self, line: Line) -> Artifact | None:
        """The artifact with this line; None for a line that belongs to no document."""
        cut = self._cut.get(line.artifact, [])
        place = bisect_right(cut, line.number, key=lambda artifact: artifact.first) - 1
        found = cut[place] if place >= 0 else None
        return found if found and found.holds(line) else None

    def _by(self, kind: type[Kind], key: Callable[[Kind], Hashable]) -> Mapping[Hashable, list[Kind]]:
        if (kind, key) not in self.derived:
            groups: dict[Hashable, list[Kind]] = defaultdict(list)
            for fact in self.all(kind):
                groups[key(fact)].append(fact)
            self.derived[kind, key] = dict(groups)
        found: Mapping[Hashable, list[Kind]] = self.derived[kind, key]
        return found

    def _artifact_of(self, fact: Fact) -> int:
        return id(self.artifact(fact.at))

    @cached_property
    def _cut(self) -> dict[str, list[Artifact]]:
        """The artifacts of each document in the order of their lines."""
        documents: dict[str, list[Artifact]] = defaultdict(list)
        for artifact in self.artifacts:
            documents[artifact.name].append(artifact)
        for cut in documents.values():
            cut.sort(key=lambda artifact: artifact.first)
        return documents

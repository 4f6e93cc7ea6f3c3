"""One node as its probe shows it, beside what the cluster tells."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from functools import cached_property
from typing import TypeVar

from msgspec import Struct, field

from calivet.evidence.artifact import Artifact, Line
from calivet.facts.cluster_facts import ClusterFacts
from calivet.facts.fact import Fact
from calivet.facts.host import CommandRun, NodeProbe, NodeProbeEnd
from calivet.readers.command import list_output_lines, search_command
from calivet.search.expressions import expression

Kind = TypeVar("Kind", bound=Fact)
_FOOT = "#= "


class EvidencePart(Struct):
    """A part of the evidence, with the facts in it."""

    artifacts: list[Artifact] = field(default_factory=list)
    facts: list[Fact] = field(default_factory=list)

    def picture(self, other: EvidencePart | None = None) -> ClusterFacts:
        """The picture that it gives, alone or with another part."""
        more = other or EvidencePart()
        return ClusterFacts([*self.artifacts, *more.artifacts], [*self.facts, *more.facts])


class Host:
    """What is known of one node; every requirement asks it."""

    def __init__(self, begin: NodeProbe) -> None:
        """From the probe's first line; the rest is filled in as it is read."""
        self.name = begin.host or "localhost"
        self.user = begin.user
        self.began = begin.time
        self.share = EvidencePart()
        self.around: EvidencePart | None = None
        """The cluster, where it was asked."""
        self.beside: list[Host] = []
        """The other nodes that were probed."""
        self.now: datetime | None = None
        """The time on calivet's own machine, where the probe has just been run."""

    @property
    def is_root(self) -> bool:
        """Whether the probe could see everything."""
        return self.user in ("root", "0")

    @property
    def is_whole(self) -> bool:
        """Whether the probe came to its end, and all of it is here: only then is what it does not show not there."""
        return any(end.sections <= len(self.all(CommandRun)) for end in self.all(NodeProbeEnd))

    @cached_property
    def picture(self) -> ClusterFacts:
        """What the probe shows."""
        return self.share.picture()

    @cached_property
    def cluster(self) -> ClusterFacts | None:
        """What the cluster tells."""
        return self.around.picture() if self.around else None

    @cached_property
    def together(self) -> ClusterFacts:
        """Both in one."""
        return self.share.picture(self.around)

    @cached_property
    def node(self) -> str:
        """What the cluster calls it, or would call it."""
        return self.together.names.find_node_or_host(self.name)

    def all(self, kind: type[Kind]) -> list[Kind]:
        """The facts of a type that the probe gave."""
        return self.picture.all(kind)

    def lines(self, command: str) -> Iterator[Line]:
        """What the commands that match have printed."""
        for artifact in self.share.artifacts:
            if search_command(artifact, expression(command)):
                for index, text in list_output_lines(artifact):
                    if not text.startswith(_FOOT):
                        yield artifact.at(index)

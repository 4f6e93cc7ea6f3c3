"""Makes small pictures of clusters out of hand-written facts and outputs."""

from __future__ import annotations

from itertools import count
from textwrap import dedent

from calivet.evidence.artifact import Artifact, Line
from calivet.facts.cluster_facts import ClusterFacts
from calivet.facts.fact import Fact
from calivet.facts.kubernetes import Object, Pod
from calivet.readers.read import read

_NUMBERS = count(1)


def line(text: str = "") -> Line:
    """A line of its own in the evidence."""
    return Line("notes.md", next(_NUMBERS), text)


def output(command: str, text: str, host: str | None = None, first: int = 1000, *, name: str = "out.txt") -> Artifact:
    """A command with what it printed."""
    lines = [f"[root@{host or 'box'} ~]# {command}", *dedent(text).strip("\n").split("\n")]
    return Artifact(name=name, first=first, lines=lines, host=host, command=command)


def note(text: str) -> Artifact:
    """The author's own words."""
    return Artifact(name="notes.md", first=1, lines=dedent(text).strip("\n").split("\n"), prose=True)


def picture(*facts: Fact, artifacts: list[Artifact] | None = None) -> ClusterFacts:
    """The cluster that these facts and outputs show; what is given as a fact is not read from an output again."""
    given = {type(fact) for fact in facts}
    read_too = [fact for artifact in artifacts or [] for fact in _read(artifact) if type(fact) not in given]
    return ClusterFacts(artifacts or [], [*facts, *read_too])


def _read(artifact: Artifact) -> list[Fact]:
    """What the readers make of it; formats that a test gives it stay."""
    kinds = artifact.kinds
    facts, _ = read(artifact)
    artifact.kinds = kinds or artifact.kinds
    return facts


def pod(name: str, **fields: object) -> Pod:
    """A pod in the state that matters."""
    return Pod(at=line(name), name=name, **fields)  # type: ignore[arg-type]


def thing(kind: str | None, name: str = "default", **values: object) -> Object:
    """An object with dotted paths written with two underscores for a dot."""
    paths = {path.replace("__", "."): value for path, value in values.items()}
    return Object(at=line(name), kind=kind, name=name, values=paths)  # type: ignore[arg-type]

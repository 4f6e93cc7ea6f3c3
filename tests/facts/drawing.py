"""Draws a picture from text as the operator hands it over, along the way every input takes."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import dedent

from calivet.evidence.artifact import Artifact, Document
from calivet.evidence.gather import gather_documents
from calivet.facts.picture import Picture
from calivet.facts.whereabouts import Whereabouts
from calivet.readers.read import read
from calivet.signs.computed.registry import COMPUTED
from calivet.signs.sighting import Sighting

NAME = "session.txt"


def artifacts_of(text: str | dict[str, str]) -> list[Artifact]:
    """The artifacts of one text, or of several files in this order."""
    files = {NAME: text} if isinstance(text, str) else text
    documents = [Document(name, dedent(content).strip("\n").split("\n")) for name, content in files.items()]
    return gather_documents(documents).artifacts


def picture_of(text: str | dict[str, str]) -> Picture:
    """All that the readers understand of it."""
    artifacts = artifacts_of(text)
    return Picture(artifacts, [fact for artifact in artifacts for fact in read(artifact)[0]])


def sightings(sign: str, text: str | dict[str, str]) -> list[Sighting]:
    """Where a computed sign is seen in the text."""
    return list(COMPUTED[sign](picture_of(text)))


def node_of_line(picture: Picture, words: str) -> str | None:
    """The node that the only line with these words is about."""
    ((artifact, index),) = _places(picture, words)
    return Whereabouts(picture).node(artifact, index)


def _places(picture: Picture, words: str) -> Iterator[tuple[Artifact, int]]:
    for artifact in picture.artifacts:
        yield from ((artifact, index) for index, line in enumerate(artifact.lines) if words in line)

"""One of the two things that are compared: what the JSON contract says of a diagnosis, as far as it is compared.

Everything is compared as JSON, also what was diagnosed a moment ago, so that yesterday's answer is no special case.
Fields that older versions did not write have a default.
"""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import Struct, field

VERSION = 1
HEAD = 200
"""Bytes in which a diagnosis that was cut short still says what it is."""


class Found(Struct, frozen=True):
    """A root cause that was found."""

    cause: str
    confidence: float
    nodes: list[str] = field(default_factory=list)
    title: str = ""
    consequences: list[str] = field(default_factory=list)
    later_healthy: bool = False


class Possible(Struct, frozen=True):
    """A cause that may hold."""

    cause: str
    confidence: float


class Component(Struct, frozen=True):
    """A part of the cluster and how it was seen."""

    name: str
    good: bool | None
    state: str = ""
    id: str = ""


class Nodes(Struct, frozen=True):
    """Nodes whose state was seen."""

    sick: list[str] = field(default_factory=list)
    healthy: list[str] = field(default_factory=list)


class Side(Struct, frozen=True, kw_only=True):
    """A diagnosis, without its reasons."""

    schema: int
    calivet: str
    verdict: Literal["fault", "healthy", "insufficient"]
    findings: list[Found]
    candidates: list[Possible]
    components: list[Component] = field(default_factory=list)
    nodes: Nodes = Nodes()

    def found(self) -> dict[str, Found]:
        """The findings by their causes, best first."""
        return {finding.cause: finding for finding in self.findings}

    def parts(self) -> dict[str, Component]:
        """The parts by a name that is the same in every language, where one was written."""
        return {part.id or part.name: part for part in self.components}

    def known_nodes(self) -> set[str]:
        """Every node that it names."""
        named = {node for finding in self.findings for node in finding.nodes}
        return named | {*self.nodes.sick, *self.nodes.healthy}


class NotADiagnosisError(Exception):
    """JSON that calivet wrote, but no diagnosis, or a damaged one; the message says why."""


class NewerDiagnosisError(Exception):
    """A diagnosis in a form that this calivet does not know; the message is the version that wrote it."""


class _Head(Struct):
    """What tells a diagnosis from any other JSON."""

    schema: int | None = None
    calivet: str | None = None


def read_side(text: bytes) -> Side | None:
    """The diagnosis in this text, or nothing where it is something else, as evidence is."""
    if not text.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        return None
    text = text.removeprefix(b"\xef\xbb\xbf")
    try:
        head = msgspec.json.decode(text, type=_Head)
    except (msgspec.DecodeError, UnicodeDecodeError) as failure:
        if b'"calivet"' in text[:HEAD]:
            raise NotADiagnosisError(str(failure)) from None
        return None
    if head.schema is None or head.calivet is None:
        return None
    if head.schema > VERSION:
        raise NewerDiagnosisError(head.calivet)
    try:
        return decode_side(text)
    except (msgspec.DecodeError, UnicodeDecodeError) as failure:
        raise NotADiagnosisError(str(failure)) from None


def decode_side(text: bytes) -> Side:
    """What is known to be a diagnosis."""
    return msgspec.json.decode(text, type=Side)

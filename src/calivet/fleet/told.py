"""What a worker tells of one bundle: the diagnosis as its JSON contract has it, and the background beside it."""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import Struct, field

from calivet.fleet.background import Background


class Found(Struct, frozen=True):
    """A root cause."""

    cause: str
    confidence: float
    title: str
    summary: str
    nodes: list[str] = field(default_factory=list)
    later_healthy: bool = False


class Possible(Struct, frozen=True):
    """A cause that may hold."""

    cause: str
    confidence: float


class Part(Struct, frozen=True):
    """A part of the cluster."""

    id: str
    good: bool | None
    state: str


class Nodes(Struct, frozen=True):
    """Nodes whose state was seen."""

    sick: list[str] = field(default_factory=list)
    healthy: list[str] = field(default_factory=list)


class Diagnosed(Struct, frozen=True):
    """A diagnosis, without its reasons."""

    calivet: str
    verdict: Literal["fault", "healthy", "insufficient"]
    findings: list[Found]
    candidates: list[Possible]
    components: list[Part]
    nodes: Nodes


class Told(Struct, frozen=True):
    """All that is kept of a bundle."""

    diagnosis: Diagnosed
    background: Background


def read_told(text: bytes) -> Told:
    """As the worker wrote it."""
    return msgspec.json.decode(text, type=Told)

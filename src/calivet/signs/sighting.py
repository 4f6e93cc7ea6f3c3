"""What the catalogue wants looked for, numbered, and where it was seen."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct, field

from calivet.catalogue.model import Catalogue, Scope, Sign, Trace
from calivet.evidence.artifact import Line
from calivet.signs.sections import Conclusion


class Key(Struct, frozen=True):
    """Names an observation in the catalogue: (cause, sign id), (effect, trace number) or (harmless, 0)."""

    owner: str
    part: str


class Observation(Struct, frozen=True):
    """Something the catalogue wants looked for."""

    key: Key
    what: Sign | Trace


def list_observations(catalogue: Catalogue) -> Iterator[Observation]:
    """All observations, in an order that depends on the catalogue alone."""
    for cause in catalogue.causes.values():
        for sign in (*cause.signs, *cause.against):
            yield Observation(Key(cause.id, sign.id), sign)
    for effect in catalogue.effects.values():
        for number, trace in enumerate(effect.traces):
            yield Observation(Key(effect.id, str(number)), trace)
    for harmless in catalogue.harmless.values():
        yield Observation(Key(harmless.id, "harmless"), harmless.trace)


def is_in_scope(scope: Scope, *, prose: bool) -> bool:
    """Whether a pattern of this scope may be seen here."""
    return scope is Scope.ANY or scope is (Scope.NOTE if prose else Scope.OUTPUT)


class Sighting(Struct, frozen=True, kw_only=True, gc=False):
    """Where something was seen, on which node, with the values that fill its words."""

    line: Line
    node: str | None = None
    note: bool = False
    """Seen in the author's words only."""
    conclusion: Conclusion = Conclusion.NONE
    """How the author concludes it, where it is his word."""
    verbatim: bool = False
    """In the author's words, but as a program prints it: so much of it that it was copied."""
    foreign: bool = False
    """Somebody said it who may not say it: an application, not a part of the cluster's machinery."""
    values: dict[str, str] = field(default_factory=dict)
    words: str = ""
    """The decisive words of the line, where a pattern found them."""
    count: int = 1
    """How often the evidence says it happened; a repeated message is still one sighting."""

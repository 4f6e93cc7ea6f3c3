"""Every pattern of the catalogue, numbered, with whom it belongs to."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from calivet.catalogue.model import Catalogue, Scope, Sign, Trace


class Key(Struct, frozen=True):
    """Names an observation in the catalogue: (cause, sign id), (effect, trace number) or (harmless, 0)."""

    owner: str
    part: str


class Observation(Struct, frozen=True):
    """Something the catalogue wants looked for."""

    key: Key
    what: Sign | Trace


def observations(catalogue: Catalogue) -> Iterator[Observation]:
    """All observations, in an order that depends on the catalogue alone."""
    for cause in catalogue.causes.values():
        for sign in (*cause.signs, *cause.against):
            yield Observation(Key(cause.id, sign.id), sign)
    for effect in catalogue.effects.values():
        for number, trace in enumerate(effect.traces):
            yield Observation(Key(effect.id, str(number)), trace)
    for harmless in catalogue.harmless.values():
        yield Observation(Key(harmless.id, "harmless"), harmless.trace)


def fits(scope: Scope, *, prose: bool) -> bool:
    """Whether a pattern of this scope may be seen here."""
    return scope is Scope.ANY or (scope is Scope.NOTE) == prose

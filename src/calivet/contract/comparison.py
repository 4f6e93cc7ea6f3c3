"""The JSON of a comparison of two diagnoses. Fields may be added, never changed in meaning."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from calivet.contract.diagnosis import CauseId, Sureness, Verdict

VERSION: Final = 1
Title = Annotated[str, Meta(description="The cause in a few words.")]
Good = Annotated[bool | None, Meta(description="Whether it was well; null where that was not seen.")]


class Cause(Struct, frozen=True):
    """A cause that is found in one of the two diagnoses only."""

    cause: CauseId
    title: Title
    nodes: Annotated[list[str], Meta(description="The nodes it was found on.")]
    confidence: Sureness
    candidate: Annotated[float | None, Meta(description="How sure the other diagnosis is of it, as a candidate.")]
    follows: Annotated[str | None, Meta(description="The cause whose consequence it is in the other diagnosis.")]


class Remaining(Struct, frozen=True):
    """A cause that is found in both."""

    cause: CauseId
    title: Title
    nodes: Annotated[list[str], Meta(description="The nodes it is found on now.")]
    joined: Annotated[list[str], Meta(description="Those of them it was not found on before.")]
    left: Annotated[list[str], Meta(description="Nodes it was found on before.")]
    before: Sureness
    after: Sureness
    later_healthy: Annotated[bool, Meta(description="Whether the new evidence itself later shows it repaired.")]


class Component(Struct, frozen=True):
    """A part of the cluster that is well in one and not, or not seen, in the other."""

    id: Annotated[str, Meta(description="The part, the same in every language.")]
    before: Good
    after: Good


class Candidate(Struct, frozen=True):
    """A cause that is a candidate at most in both, with another confidence."""

    cause: CauseId
    before: Annotated[float | None, Meta(description="null where it was not named.")]
    after: Annotated[float | None, Meta(description="null where it is not named.")]


class Document(Struct, frozen=True):
    """What `calivet diff -o json` prints."""

    schema: Annotated[Literal[1], Meta(description="The version of this contract.")]
    calivet: Annotated[str, Meta(description="The version of calivet that wrote it.")]
    before: Annotated[Verdict, Meta(description="The verdict of the old diagnosis.")]
    after: Annotated[Verdict, Meta(description="The verdict of the new one.")]
    new: Annotated[list[Cause], Meta(description="Found now and not before.")]
    remaining: Annotated[list[Remaining], Meta(description="Found before and now.")]
    fixed: Annotated[list[Cause], Meta(description="Found before, and what it had broken was seen well now.")]
    unseen: Annotated[list[Cause], Meta(description="Found before and not now, but nothing shows that it is fixed.")]
    components: Annotated[list[Component], Meta(description="The parts whose state changed.")]
    candidates: Annotated[list[Candidate], Meta(description="The possible causes that changed.")]
    unrelated: Annotated[bool, Meta(description="Whether the two name nodes and have none in common.")]

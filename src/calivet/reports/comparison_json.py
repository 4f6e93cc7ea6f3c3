"""A comparison as the JSON that scripts rely on. Fields may be added, never changed in meaning."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Final, Literal, cast

from msgspec import Meta, Struct

from calivet import __version__
from calivet.comparison.comparison import Changed, OneSided
from calivet.comparison.comparison import Comparison as Compared
from calivet.comparison.comparison import Remaining as Stayed
from calivet.reports.contract import CauseId, Sureness, Verdict
from calivet.reports.plain_json import plain_json

VERSION: Final = 1
Title = Annotated[str, Meta(description="The cause in a few words.")]
Good = Annotated[bool | None, Meta(description="Whether it was well; null where that was not seen.")]


class Cause(Struct):
    """A cause that is found in one of the two diagnoses only."""

    cause: CauseId
    title: Title
    nodes: Annotated[list[str], Meta(description="The nodes it was found on.")]
    confidence: Sureness
    candidate: Annotated[float | None, Meta(description="How sure the other diagnosis is of it, as a candidate.")]
    follows: Annotated[str | None, Meta(description="The cause whose consequence it is in the other diagnosis.")]


class Remaining(Struct):
    """A cause that is found in both."""

    cause: CauseId
    title: Title
    nodes: Annotated[list[str], Meta(description="The nodes it is found on now.")]
    joined: Annotated[list[str], Meta(description="Those of them it was not found on before.")]
    left: Annotated[list[str], Meta(description="Nodes it was found on before.")]
    before: Sureness
    after: Sureness
    later_healthy: Annotated[bool, Meta(description="Whether the new evidence itself later shows it repaired.")]


class Component(Struct):
    """A part of the cluster that is well in one and not, or not seen, in the other."""

    id: Annotated[str, Meta(description="The part, the same in every language.")]
    before: Good
    after: Good


class Candidate(Struct):
    """A cause that is a candidate at most in both, with another confidence."""

    cause: CauseId
    before: Annotated[float | None, Meta(description="null where it was not named.")]
    after: Annotated[float | None, Meta(description="null where it is not named.")]


class Document(Struct):
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


def comparison_json(compared: Compared, title: Callable[[str, str], str]) -> str:
    """One JSON document; `title` gives a cause's title by its id and the title it came with."""
    document = Document(
        schema=VERSION,
        calivet=__version__,
        before=cast("Verdict", compared.before),
        after=cast("Verdict", compared.after),
        new=[_cause(item, title) for item in compared.new],
        remaining=[_remaining(item, title) for item in compared.remaining],
        fixed=[_cause(item, title) for item in compared.fixed],
        unseen=[_cause(item, title) for item in compared.unseen],
        components=[_component(item) for item in compared.components],
        candidates=[Candidate(item.cause, item.before, item.after) for item in compared.candidates],
        unrelated=compared.unrelated,
    )
    return plain_json(document) + "\n"


def _cause(item: OneSided, title: Callable[[str, str], str]) -> Cause:
    found = item.finding
    name = title(found.cause, found.title)
    return Cause(found.cause, name, found.nodes, found.confidence, item.possible, item.follows)


def _remaining(item: Stayed, title: Callable[[str, str], str]) -> Remaining:
    return Remaining(
        cause=item.after.cause,
        title=title(item.after.cause, item.after.title),
        nodes=item.after.nodes,
        joined=item.joined,
        left=item.left,
        before=item.before.confidence,
        after=item.after.confidence,
        later_healthy=item.after.later_healthy,
    )


def _component(item: Changed) -> Component:
    return Component(item.id, item.before.good if item.before else None, item.after.good if item.after else None)

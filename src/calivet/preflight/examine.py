"""The way from evidence to what was found on each node."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct, field

from calivet.catalogue.model import Catalogue, Cause, Step
from calivet.catalogue.words import Words, places
from calivet.evidence.artifact import Haul, Line, Replaced, Unreadable
from calivet.preflight.dividing import hosts_in
from calivet.preflight.host import Host
from calivet.preflight.requirement import Outcome, Requirement, Result, unchecked
from calivet.preflight.table import REQUIREMENTS
from calivet.reasoning.filling import values_for
from calivet.reasoning.finding import steps_for
from calivet.redaction.redactor import Redactor

BUG = Words("calivet has a bug here: {error}", "calivet 此处存在缺陷：{error}")


class Answer(Struct, frozen=True, kw_only=True):
    """What came of one requirement on one node."""

    id: str
    title: Words
    cause: Cause
    outcome: Outcome
    says: Words | None = None
    line: Line | None = None
    fix: list[Step] = field(default_factory=list)


class Examined(Struct, frozen=True):
    """One node, all requirements."""

    host: str
    answers: list[Answer]

    def of(self, outcome: Outcome) -> list[Answer]:
        """Those that came to this."""
        return [one for one in self.answers if one.outcome is outcome]


class Preflight(Struct, frozen=True):
    """The whole answer."""

    nodes: list[Examined]
    unreadable: list[Unreadable]
    replaced: list[Replaced]


def examine(haul: Haul, catalogue: Catalogue, now: datetime | None = None) -> Preflight:
    """Every node whose probe is in the evidence; `now` where the probes have just been run."""
    Redactor().haul(haul)
    nodes = [_examined(host, catalogue, now) for host in hosts_in(haul)]
    return Preflight(nodes, haul.unreadable, haul.replaced)


def _examined(host: Host, catalogue: Catalogue, now: datetime | None) -> Examined:
    host.now = now
    return Examined(host.name, [_answer(host, one, catalogue.causes[one.cause]) for one in REQUIREMENTS])


def _answer(host: Host, requirement: Requirement, cause: Cause) -> Answer:
    try:
        result = requirement.examine(host)
    except Exception as error:  # noqa: BLE001 - a bug in one check must not cost the others
        result = unchecked(BUG, error=f"{type(error).__name__}: {error}")
    return Answer(
        id=requirement.id,
        title=requirement.title,
        cause=cause,
        outcome=result.outcome,
        says=result.says or _words_of_sign(result, cause),
        line=result.line,
        fix=_fix(host, result, cause) if result.outcome is Outcome.FAIL else [],
    )


def _words_of_sign(result: Result, cause: Cause) -> Words | None:
    sign = next((sign for sign in cause.signs if sign.computed == result.sign), None) if result.sign else None
    return sign.says.fill(result.values) if sign else None


def _fix(host: Host, result: Result, cause: Cause) -> list[Step]:
    """The steps that can be taken now; before Calico is installed there is no pod of it to restart."""
    names = values_for(host.together, [host.node], ()) if host.cluster else {"node": host.node, "nodes": host.node}
    values = names | result.values
    fitting = [step for step in cause.fix if host.cluster or step.where != "cluster"]
    return steps_for([step for step in fitting if places(step.run) <= values.keys()], host.together, values)

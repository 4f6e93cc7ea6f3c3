"""What a node must have, and what came of looking for it."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum

from msgspec import Struct, field

from calivet.catalogue.words import Words
from calivet.evidence.artifact import Line
from calivet.preflight.host import Host


class Outcome(StrEnum):
    """Nothing passes because nothing was seen: then it is not checked."""

    FAIL = "fail"
    PASS = "pass"  # noqa: S105 - no password
    UNCHECKED = "not-checked"


class Result(Struct, frozen=True, kw_only=True):
    """What was found, and the line that shows it."""

    outcome: Outcome
    says: Words | None = None
    """Why it fails, or why it could not be checked."""
    sign: str = ""
    """The computed sign that says it fails; the catalogue has its words."""
    line: Line | None = None
    values: dict[str, str] = field(default_factory=dict)
    """Fill the words and the fix."""


class Requirement(Struct, frozen=True):
    """Something without which Calico would not start or not carry traffic."""

    id: str
    title: Words
    """What is looked at, as a noun: whether it is well the mark beside it says."""
    cause: str
    """What the lack of it leads to, in the catalogue."""
    examine: Callable[[Host], Result]


def passes(line: Line) -> Result:
    """The place was read, and this line shows that it is well."""
    return Result(outcome=Outcome.PASS, line=line)


def fails(says: Words, line: Line, **values: str) -> Result:
    """This line shows that it is not."""
    return Result(outcome=Outcome.FAIL, says=says.fill(values), line=line, values=values)


def unchecked(says: Words, line: Line | None = None, **values: str) -> Result:
    """It cannot be told, and why."""
    return Result(outcome=Outcome.UNCHECKED, says=says.fill(values), line=line, values=values)

"""Whether a pattern may be used: short, small when written out, one that the engine takes and that `re` can finish.

A pattern of twenty characters, such as `(.{999}){999}`, can ask for a machine of a million states. It is measured
before anything is compiled from it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from calivet.catalogue.ambiguity import is_explosive
from calivet.catalogue.lines import Step
from calivet.evidence.automaton import Automaton
from calivet.evidence.sought import Dull, PatternError

LENGTH = 2_000
STATES = 3_000
COMPILED_BYTES = 1_000_000

# The keys of a file that hold patterns; those of questions are never given to the engine.
FOR_THE_ENGINE, FOR_COMMANDS = "pattern", "command"


class Pattern(Struct, frozen=True):
    """A pattern as it stands in a file, and the way to it."""

    text: str
    owner: str
    steps: tuple[Step, ...]

    def problem(self, *, is_new: bool) -> str | None:
        """Why it may not be used. Looking closely takes a while, so that is done only with what is new."""
        found = pattern_problem(self.text)
        if found or not is_new:
            return found
        if is_explosive(self.text):
            return "the pattern has repeats inside a repeat that can cut one text in many ways, and may never end"
        return engine_problem(self.text) if self.steps[-1] == FOR_THE_ENGINE else None


def patterns_in(data: Any, owner: str = "", steps: tuple[Step, ...] = ()) -> Iterator[Pattern]:
    """Every pattern of a parsed file."""
    if isinstance(data, list):
        for number, inner in enumerate(data):
            yield from patterns_in(inner, owner, (*steps, number))
    elif isinstance(data, dict):
        if "id" in data:
            owner = f"{owner}: sign {data['id']}" if owner else data["id"]
        for key, inner in data.items():
            if key in (FOR_THE_ENGINE, FOR_COMMANDS):
                yield Pattern(inner, owner, (*steps, key))
            else:
                yield from patterns_in(inner, owner, (*steps, key))


def pattern_problem(pattern: str) -> str | None:
    """Why this is no regular expression, or one that is too large."""
    if len(pattern) > LENGTH:
        return f"the pattern is longer than {LENGTH:,} characters"
    try:
        re.compile(pattern)
        too_large = states(pattern) > STATES
    except (re.error, OverflowError) as error:
        return f"the pattern is not valid: {error}"
    except RecursionError:
        return "the pattern is nested too deep"
    return f"the pattern has more than {STATES:,} states when its repeats are written out" if too_large else None


def engine_problem(pattern: str) -> str | None:
    """Why the engine does not take it, or only at too high a price."""
    try:
        compiled = Automaton.build([pattern], Dull(), caseless=True).encoded()
    except PatternError as error:
        return f"the pattern is not usable: {error}"
    if len(compiled) > COMPILED_BYTES:
        return f"the pattern takes more than {COMPILED_BYTES:,} bytes when compiled"
    return None


def states(pattern: str) -> int:
    """About how many states a machine for the pattern has: one for each character, as often as it is repeated."""
    from re import _parser  # type: ignore[attr-defined]

    return _written_out(_parser.parse(pattern))


def _written_out(part: Any) -> int:
    """The states of any part of a parsed pattern: what it holds, and once more for each repeat."""
    from re import _constants, _parser  # type: ignore[attr-defined]

    if isinstance(part, _parser.SubPattern):
        return sum(map(_written_out, part))
    if not isinstance(part, tuple | list):
        return 0
    if part and part[0] is _constants.IN:
        return 1
    if part and part[0] in (_constants.MAX_REPEAT, _constants.MIN_REPEAT, _constants.POSSESSIVE_REPEAT):
        least, most, repeated = part[1]
        return _written_out(repeated) * (least + 1 if most is _constants.MAXREPEAT else int(most))
    return max(1, sum(map(_written_out, part)))

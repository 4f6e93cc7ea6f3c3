"""What must hold between the entries of a catalogue, beyond each entry's own shape."""

from __future__ import annotations

import re
from collections.abc import Iterator

from calivet.catalogue.model import Catalogue, Cause, Effect, Sign, Trace
from calivet.catalogue.words import places

SUMMARY_PLACES = {"nodes", "pod", "namespace"}


def problems(catalogue: Catalogue) -> list[str]:
    """All that is wrong, a line each."""
    found = [*_unknown_targets(catalogue)]
    for cause in catalogue.causes.values():
        found += [f"{cause.id}.yaml: {problem}" for problem in _cause_problems(cause, catalogue)]
    for owner, trace in _traces(catalogue):
        found += [f"{owner}: {problem}" for problem in _observation_problems(trace)]
    return found


def _unknown_targets(catalogue: Catalogue) -> Iterator[str]:
    known = catalogue.causes.keys() | catalogue.effects.keys()
    entries: list[Cause | Effect] = [*catalogue.causes.values(), *catalogue.effects.values()]
    for entry in entries:
        for target in entry.leads_to:
            if target not in known:
                yield f"{entry.id}: leads_to names {target}, which is neither an effect nor a cause"
    for both in catalogue.causes.keys() & catalogue.effects.keys():
        yield f"{both}: is both a cause and an effect"


def _cause_problems(cause: Cause, catalogue: Catalogue) -> Iterator[str]:
    for question in cause.ask:
        if question not in catalogue.questions:
            yield f"ask names {question}, which is not in questions.yaml"
    for mistaken in cause.mistaken_for:
        if mistaken.cause not in catalogue.causes:
            yield f"mistaken_for names {mistaken.cause}, which is not in the catalogue"
    if extra := (places(cause.summary.en) | places(cause.summary.zh)) - SUMMARY_PLACES:
        yield f"summary uses {', '.join(sorted(extra))}; it may use only {', '.join(sorted(SUMMARY_PLACES))}"
    signs = [*cause.signs, *cause.against]
    if len({sign.id for sign in signs}) < len(signs):
        yield "two signs share an id"
    for sign in signs:
        yield from (f"sign {sign.id}: {problem}" for problem in _observation_problems(sign))
        if places(sign.says.en) != places(sign.says.zh):
            yield f"sign {sign.id}: the two languages fill in different values"


def _observation_problems(sign: Sign | Trace) -> Iterator[str]:
    if (sign.pattern is None) == (sign.computed is None):
        yield "needs either a pattern or a computed sign's name"
    if sign.pattern is None:
        return
    try:
        re.compile(sign.pattern)
    except re.error as error:
        yield f"the pattern is not valid: {error}"
        return
    if not sign.fires or not sign.silent:
        yield "a pattern needs lines on which it fires and lines on which it stays silent"


def _traces(catalogue: Catalogue) -> Iterator[tuple[str, Trace]]:
    for effect in catalogue.effects.values():
        yield from ((f"effects.yaml: {effect.id}", trace) for trace in effect.traces)
    for harmless in catalogue.harmless.values():
        yield f"harmless.yaml: {harmless.id}", harmless.trace

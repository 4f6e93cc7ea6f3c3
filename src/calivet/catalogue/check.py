"""What must hold between the entries of a catalogue, beyond each entry's own shape."""

from __future__ import annotations

import re
from collections.abc import Iterator

from calivet.catalogue.model import (
    CURE,
    WITHOUT,
    Catalogue,
    Cause,
    Check,
    Effect,
    Question,
    Sign,
    Step,
    Trace,
    When,
)
from calivet.facts.platform import ANSWERS, NOT, QUESTIONS
from calivet.messages.command_line import LOOKUPS
from calivet.messages.words import PROVEN, list_command_places, list_places

_RELEASE = re.compile(r"\d+\.\d+(?:\.\d+)?")
_CONDITION = re.compile(r", only (?:if|where) ")
SUMMARY_PLACES = {"nodes", "pod", "namespace"}
COMMAND_PLACES = {
    "node",
    "nodes",
    "pod",
    "namespace",
    "daemonset",
    "selector",
    "api_group",
    "kubectl",
    "crictl",
    "ctr",
    "control_plane",
    "kubelet_unit",
    "runtime_unit",
    "below_unit",
    "workload",
    "workload_namespace",
    "pool",
    *LOOKUPS,
    "service_address",
    "etcd_address",
    "image",
}
"""What every command may use, beside the values of its cause's own signs."""


def find_problems(catalogue: Catalogue) -> list[str]:
    """All that is wrong, a line each."""
    found = [*_find_unknown_targets(catalogue)]
    for cause in catalogue.causes.values():
        found += [f"{cause.id}.yaml: {problem}" for problem in _find_cause_problems(cause, catalogue)]
    for question in catalogue.questions.values():
        problems = [*_find_when_problems(question.when), *_find_release_problems(question)]
        found += [f"questions.yaml: {question.id}: {problem}" for problem in problems]
    for owner, trace in _list_traces(catalogue):
        found += [f"{owner}: {problem}" for problem in _find_observation_problems(trace)]
    return found


def _find_unknown_targets(catalogue: Catalogue) -> Iterator[str]:
    known = catalogue.causes.keys() | catalogue.effects.keys()
    entries: list[Cause | Effect] = [*catalogue.causes.values(), *catalogue.effects.values()]
    for entry in entries:
        for target in entry.leads_to:
            if target not in known:
                yield f"{entry.id}: leads_to names {target}, which is neither an effect nor a cause"
    for both in catalogue.causes.keys() & catalogue.effects.keys():
        yield f"{both}: is both a cause and an effect"


def _find_cause_problems(cause: Cause, catalogue: Catalogue) -> Iterator[str]:
    for question in cause.ask:
        if question not in catalogue.questions:
            yield f"ask names {question}, which is not in questions.yaml"
    for mistaken in cause.mistaken_for:
        if mistaken.cause not in catalogue.causes:
            yield f"mistaken_for names {mistaken.cause}, which is not in the catalogue"
    if extra := (list_places(cause.summary.en) | list_places(cause.summary.zh)) - SUMMARY_PLACES:
        yield f"summary uses {', '.join(sorted(extra))}; it may use only {', '.join(sorted(SUMMARY_PLACES))}"
    yield from _find_when_problems(cause.when)
    yield from _find_advice_problems(cause)
    signs = [*cause.signs, *cause.against]
    if len({sign.id for sign in signs}) < len(signs):
        yield "two signs share an id"
    for sign in signs:
        yield from (f"sign {sign.id}: {problem}" for problem in _find_observation_problems(sign))
        yield from (f"sign {sign.id}: {problem}" for problem in _find_unknown_concepts(sign, catalogue))
        if list_places(sign.says.en) != list_places(sign.says.zh):
            yield f"sign {sign.id}: the two languages fill in different values"


def _find_unknown_concepts(sign: Sign, catalogue: Catalogue) -> Iterator[str]:
    named = {name for entry in sign.told for name in entry.replace("|", " ").replace(WITHOUT, "").split()}
    for concept in sorted(named - catalogue.concepts.keys() - {CURE}):
        yield f"told names {concept}, which is not in concepts.yaml"


def _find_observation_problems(sign: Sign | Trace) -> Iterator[str]:
    yield from _find_when_problems(sign.when)
    yield from _find_release_problems(sign)
    told = isinstance(sign, Sign) and bool(sign.told)
    if (sign.pattern is not None) + (sign.computed is not None) + told != 1:
        yield "needs one of these: a pattern, a computed sign's name, concepts that are told"
    if sign.pattern is None and not told:
        return
    try:
        re.compile(sign.pattern or "")
    except re.error as error:
        yield f"the pattern is not valid: {error}"
        return
    if not sign.fires or not sign.silent:
        yield "needs lines on which it fires and lines on which it stays silent"


def _find_when_problems(when: When) -> Iterator[str]:
    for question, answers in when.items():
        if question not in QUESTIONS:
            yield f"when asks for {question}; it may ask for {', '.join(QUESTIONS)}"
        elif known := ANSWERS.get(question):
            for answer in {one.removeprefix(NOT) for one in answers} - set(known):
                yield f"when: {question} is never {answer}; it is one of {', '.join(known)}"


def _find_release_problems(part: Sign | Trace | Question | Step) -> Iterator[str]:
    for written in (part.since, part.until):
        if written and not _RELEASE.fullmatch(written):
            yield f"{written} is no release; write it as 3.22 or 3.22.4"


def _find_advice_problems(cause: Cause) -> Iterator[str]:
    """The commands use only what can be filled in, and a step that is taken by hand says what to do."""
    known = COMMAND_PLACES | _list_values(cause)
    for step in cause.fix:
        yield from _find_release_problems(step)
        for run in (step.run, step.save, step.undo, step.precheck.run if step.precheck else ""):
            yield from _find_place_problems(run, known)
        if not step.run and not (step.where == "manual" and step.do):
            yield "a step needs a command, or where: manual and `do`"
        if step.do and (said := _CONDITION.search(step.do.en)) and step.decided_by != "operator":
            yield f'`do` says "{said[0]}": whoever takes the step has to judge that; write decided_by: operator'
    for part in _list_parts(cause):
        yield from _find_when_problems(part.when)
        yield from _find_when_problems(part.only_when)
    for check in cause.verify:
        yield from _find_place_problems(check.run, known)


def _list_parts(cause: Cause) -> list[Step | Check]:
    return [*cause.fix, *cause.verify, *(step.precheck for step in cause.fix if step.precheck)]


def _find_place_problems(run: str, known: set[str]) -> Iterator[str]:
    for place in sorted(list_command_places(run) - known):
        if not place.startswith(PROVEN):
            yield f"nothing fills {{{place}}} in: {run[:80]}"


def _list_values(cause: Cause) -> set[str]:
    """What the signs of a cause hand over: what their patterns capture, and what they say."""
    signs = [*cause.signs, *cause.against]
    captured = {name for sign in signs if sign.pattern for name in _list_groups(sign.pattern)}
    return captured | {place for sign in signs for place in list_places(sign.says.en)} | set(cause.gives)


def _list_groups(pattern: str) -> list[str]:
    try:
        return list(re.compile(pattern).groupindex)
    except re.error:
        return []


def _list_traces(catalogue: Catalogue) -> Iterator[tuple[str, Trace]]:
    for effect in catalogue.effects.values():
        yield from ((f"effects.yaml: {effect.id}", trace) for trace in effect.traces)
    for harmless in catalogue.harmless.values():
        yield f"harmless.yaml: {harmless.id}", harmless.trace

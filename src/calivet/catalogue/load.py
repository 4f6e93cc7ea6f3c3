"""Loads the catalogue from its YAML files and says, with file, key and line, what is wrong with one.

The risk of a step is no matter of taste: causes/risks.yaml says for all causes what a command costs.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, reduce
from pathlib import Path
from typing import Any, get_args

import msgspec
from msgspec.structs import replace

from calivet import __version__
from calivet.catalogue.model import Catalogue, Cause, Concept, Effect, Harmless, Question, Risk, RiskRule, Step
from calivet.messages.message import Message, MessageError, make_verbatim, message
from calivet.search.cache import compute_fingerprint, load_or_make, load_prepared_or_make

_ORDER: tuple[Risk, ...] = get_args(Risk)


def find_rule(step: Step, rules: Iterable[RiskRule]) -> RiskRule | None:
    """The riskiest of the rules that speak of the step's command."""
    speaking = (rule for rule in rules if _compile(rule.command).search(step.run))
    return max(speaking, key=lambda rule: _ORDER.index(rate(step, rule)), default=None)


def rate(step: Step, rule: RiskRule) -> Risk:
    """The risk of a step of which this rule speaks."""
    return rule.when_saved if rule.when_saved and step.save else rule.risk


def add_interruptions(cause: Cause, rules: Iterable[RiskRule]) -> Cause:
    """The cause with what each step interrupts, where it does not say so itself."""
    rules = list(rules)
    return replace(cause, fix=[_add_interruption(step, rules) for step in cause.fix])


def _add_interruption(step: Step, rules: list[RiskRule]) -> Step:
    rule = None if step.interrupts else find_rule(step, rules)
    return replace(step, interrupts=rule.interrupts) if rule else step


def find_risk_problems(cause: Cause, rules: Iterable[RiskRule]) -> Iterator[str]:
    """Steps with another risk than the same command has elsewhere.

    A command of which no rule speaks is judged by who wrote the step; a step that is riskier than its command says why
    in `interrupts`.
    """
    rules = list(rules)
    for step in cause.fix:
        rule = find_rule(step, rules)
        if rule is None:
            continue
        more = _ORDER.index(step.risk) - _ORDER.index(rate(step, rule))
        in_own_words = step.interrupts and step.interrupts != rule.interrupts
        if more < 0 or (more > 0 and not in_own_words):
            yield f"the risk is {rate(step, rule)} (risks.yaml, {rule.id}), not {step.risk}: {step.run[:80]}"


@cache
def _compile(command: str) -> re.Pattern[str]:
    return re.compile(command)


SHIPPED = Path(__file__).parent.parent / "causes"
EFFECTS, QUESTIONS, HARMLESS, RISKS = "effects.yaml", "questions.yaml", "harmless.yaml", "risks.yaml"
CONCEPTS = "concepts.yaml"
NAME = "catalogue"
"""Under which it is kept."""

LONGEST = 300

SHARED: dict[str, Any] = {
    EFFECTS: list[Effect],
    QUESTIONS: list[Question],
    HARMLESS: list[Harmless],
    RISKS: list[RiskRule],
    CONCEPTS: list[Concept],
}


class CatalogueError(MessageError):
    """A catalogue file that cannot be used."""


def read_shipped_files() -> dict[str, bytes]:
    """The catalogue files that come with calivet, by name: those of causes lie in folders named after their layers."""
    return {path.name: path.read_bytes() for path in SHIPPED.rglob("*.yaml")}


def describe_shipped_state() -> bytes:
    """Another one as soon as one of these files is."""
    return compute_fingerprint(_list_entries(SHIPPED))


def _list_entries(folder: os.PathLike[str]) -> Iterator[os.DirEntry[str]]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir():
                yield from _list_entries(entry)
            else:
                yield entry


def load_catalogue(sources: Mapping[str, bytes]) -> Catalogue:
    """Check every file and join them; raises CatalogueError with all that is wrong."""
    from calivet.catalogue.check import find_problems

    wrong: list[Message] = []
    shipped = read_shipped_files()

    def read(name: str, kind: Any) -> list[Any]:
        try:
            entries = _read(name, sources[name], kind, shipped.get(name, b""))
        except CatalogueError as error:
            wrong.append(error.message)
            return []
        return entries if isinstance(entries, list) else [entries]

    causes = [cause for name in sorted(set(sources) - SHARED.keys()) for cause in read(name, Cause)]
    shared = {name: _index_by_id(read(name, kind)) for name, kind in SHARED.items()}
    catalogue = Catalogue(
        causes=_index_by_id(causes),
        effects=shared[EFFECTS],
        questions=shared[QUESTIONS],
        harmless=shared[HARMLESS],
        risks=shared[RISKS],
        concepts=shared[CONCEPTS],
    )
    if found := wrong or [make_verbatim(problem) for problem in find_problems(catalogue)]:
        raise CatalogueError(reduce(_build_line_message, found))
    rules = catalogue.risks.values()
    return msgspec.structs.replace(
        catalogue, causes={name: add_interruptions(cause, rules) for name, cause in catalogue.causes.items()}
    )


def _index_by_id(entries: list[Any]) -> dict[str, Any]:
    return {entry.id: entry for entry in entries}


def _read(name: str, content: bytes, kind: Any, shipped: bytes) -> Any:
    """The entries of one file; lines are counted in the user's own part of it."""
    # Most runs find the catalogue kept and read no file: for them these would only make the start slower.
    from calivet.catalogue.parsing import find_line, list_steps_to, parse_content
    from calivet.catalogue.patterns import list_patterns
    from calivet.evidence.safe_yaml import YamlError

    before = shipped.count(b"\n") + 1 if content.startswith(shipped + b"\n") and shipped else 0

    def refuse(line: int, reason: Message) -> CatalogueError:
        place = f"{name}:{line - before if line > before else line}"
        return CatalogueError(message("catalogue.wrong", place=place, why=reason))

    try:
        data = parse_content(content)
        entry = msgspec.convert(data, kind)
    except YamlError as error:
        raise refuse(error.line or 1, _build_verbatim(error.problem)) from None
    except msgspec.ValidationError as error:
        raise refuse(find_line(content, list_steps_to(str(error))), _build_verbatim(str(error))) from None
    if kind is Cause and name != f"{entry.id}.yaml":
        raise refuse(1, message("catalogue.name", name=f"{entry.id}.yaml"))
    for pattern in list_patterns(data) if content != shipped else ():
        if problem := pattern.find_problem():
            raise refuse(find_line(content, pattern.steps), _build_verbatim(f"{pattern.owner}: {problem}"))
    return entry


def _build_line_message(one: Message, other: Message) -> Message:
    return message("catalogue.lines", one=one, other=other)


def _build_verbatim(reason: str) -> Message:
    return make_verbatim(_join_to_one_line(reason))


def _join_to_one_line(reason: str) -> str:
    """What is said may quote the file, and that may be long."""
    line = " ".join(reason.split())
    return line if len(line) <= LONGEST else f"{line[:LONGEST]}..."


def load_ready_catalogue(own: Mapping[str, bytes] | None = None) -> Catalogue:
    """The shipped catalogue, with the user's own cause files where given."""
    own = own or {}
    named = [part for name in sorted(own) for part in (name.encode(), own[name])]
    # Taken before the files are read: what changes in between is another state and is read anew the next time.
    made_from = [__version__.encode(), describe_shipped_state(), *named]
    encoded = load_or_make(NAME, made_from, lambda: _encode_catalogue(own))
    return msgspec.msgpack.decode(encoded, type=Catalogue)


def _encode_catalogue(own: Mapping[str, bytes]) -> bytes:
    """As it was checked when calivet was built, if nothing has changed since and nothing is added."""

    def check() -> bytes:
        return msgspec.msgpack.encode(load_catalogue(_collect_sources(own)))

    return check() if own else load_prepared_or_make(NAME, _list_makers(), check)


def _list_makers() -> list[bytes]:
    """All that decides what the shipped catalogue is."""
    code = [path.read_bytes() for path in sorted(Path(__file__).parent.glob("*.py"))]
    return [
        *code,
        *(part for name, content in sorted(read_shipped_files().items()) for part in (name.encode(), content)),
    ]


def _collect_sources(own: Mapping[str, bytes]) -> dict[str, bytes]:
    """Lists that causes share grow; a cause file of the same name takes the shipped one's place."""
    sources = read_shipped_files()
    for name, content in own.items():
        sources[name] = sources[name] + b"\n" + content if name in SHARED else content
    return sources

"""Loads the catalogue from its YAML files and says, with file, key and line, what is wrong with one."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from calivet.catalogue.model import Catalogue, Cause, Effect, Harmless, Question
from calivet.evidence.cache import state

SHIPPED = Path(__file__).parent.parent / "causes"
EFFECTS, QUESTIONS, HARMLESS = "effects.yaml", "questions.yaml", "harmless.yaml"

LONGEST = 300

SHARED: dict[str, Any] = {EFFECTS: list[Effect], QUESTIONS: list[Question], HARMLESS: list[Harmless]}


class CatalogueError(Exception):
    """A catalogue file that cannot be used."""


def shipped_files() -> dict[str, bytes]:
    """The catalogue files that come with calivet, by name."""
    return {path.name: path.read_bytes() for path in SHIPPED.glob("*.yaml")}


def shipped_state() -> bytes:
    """Another one as soon as one of these files is."""
    with os.scandir(SHIPPED) as files:
        return state(files)


def load_catalogue(sources: Mapping[str, bytes]) -> Catalogue:
    """Check every file and join them; raises CatalogueError with all that is wrong."""
    from calivet.catalogue.check import problems

    wrong: list[str] = []
    shipped = shipped_files()

    def read(name: str, kind: Any) -> list[Any]:
        try:
            entries = _read(name, sources[name], kind, shipped.get(name, b""))
        except CatalogueError as error:
            wrong.append(str(error))
            return []
        return entries if isinstance(entries, list) else [entries]

    causes = [cause for name in sorted(set(sources) - SHARED.keys()) for cause in read(name, Cause)]
    shared = {name: _by_id(read(name, kind)) for name, kind in SHARED.items()}
    catalogue = Catalogue(
        causes=_by_id(causes), effects=shared[EFFECTS], questions=shared[QUESTIONS], harmless=shared[HARMLESS]
    )
    if found := wrong or problems(catalogue):
        raise CatalogueError("\n".join(found))
    return catalogue


def _by_id(entries: list[Any]) -> dict[str, Any]:
    return {entry.id: entry for entry in entries}


def _read(name: str, content: bytes, kind: Any, shipped: bytes) -> Any:
    """The entries of one file; lines are counted in the user's own part of it."""
    # Most runs find the catalogue kept and read no file: for them these would only make the start slower.
    from calivet.catalogue.lines import line_of, steps_to
    from calivet.catalogue.parsing import parsed
    from calivet.catalogue.patterns import patterns_in
    from calivet.evidence.careful_yaml import YamlError

    before = shipped.count(b"\n") + 1 if content.startswith(shipped + b"\n") and shipped else 0

    def refuse(line: int, reason: str) -> CatalogueError:
        return CatalogueError(f"{name}:{line - before if line > before else line}: {_one_line(reason)}")

    try:
        data = parsed(content)
        entry = msgspec.convert(data, kind)
    except YamlError as error:
        raise refuse(error.line or 1, error.problem) from None
    except msgspec.ValidationError as error:
        raise refuse(line_of(content, steps_to(str(error))), str(error)) from None
    if kind is Cause and name != f"{entry.id}.yaml":
        raise refuse(1, f"the file must be named after its cause, {entry.id}.yaml")
    for pattern in patterns_in(data):
        if problem := pattern.problem(is_new=content != shipped):
            raise refuse(line_of(content, pattern.steps), f"{pattern.owner}: {problem}")
    return entry


def _one_line(reason: str) -> str:
    """What is said may quote the file, and that may be long."""
    line = " ".join(reason.split())
    return line if len(line) <= LONGEST else f"{line[:LONGEST]}..."

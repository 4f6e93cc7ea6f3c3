"""Loads the catalogue from its YAML files and says, with file, key and line, what is wrong with one."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from calivet.catalogue.check import problems
from calivet.catalogue.model import Catalogue, Cause, Effect, Harmless, Question
from calivet.evidence.expressions import expression

SHIPPED = Path(__file__).parent.parent / "causes"
EFFECTS, QUESTIONS, HARMLESS = "effects.yaml", "questions.yaml", "harmless.yaml"

_PATH_IN_ERROR = expression(r" - at `\$?(?P<path>[^`]*)`")
_STEP = expression(r"\.?([^.\[\]]+)|\[(\d+)\]")

SHARED: dict[str, Any] = {EFFECTS: list[Effect], QUESTIONS: list[Question], HARMLESS: list[Harmless]}


class CatalogueError(Exception):
    """A catalogue file that cannot be used."""


def shipped_files() -> dict[str, bytes]:
    """The catalogue files that come with calivet, by name."""
    return {path.name: path.read_bytes() for path in SHIPPED.glob("*.yaml")}


def load_catalogue(sources: Mapping[str, bytes]) -> Catalogue:
    """Check every file and join them; raises CatalogueError with all that is wrong."""
    wrong: list[str] = []

    def read(name: str, kind: Any) -> list[Any]:
        try:
            entries = _read(name, sources[name], kind)
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


def _read(name: str, content: bytes, kind: Any) -> Any:
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        entry = msgspec.convert(yaml.load(content, Loader=loader), kind)  # noqa: S506 - both loaders are safe
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f":{mark.line + 1}" if mark else ""
        raise CatalogueError(f"{name}{where}: not valid YAML: {getattr(error, 'problem', error)}") from None
    except msgspec.ValidationError as error:
        raise CatalogueError(f"{name}:{_line_of(content, str(error))}: {error}") from None
    if kind is Cause and name != f"{entry.id}.yaml":
        raise CatalogueError(f"{name}:1: the file must be named after its cause, {entry.id}.yaml")
    return entry


def _line_of(content: bytes, error: str) -> int:
    """The line of the key that a validation error names, found by walking the YAML nodes along its path."""
    import yaml

    node: Any = yaml.compose(content, Loader=yaml.SafeLoader)
    found = _PATH_IN_ERROR.search(error)
    unknown = re.search(r"unknown field `([^`]+)`", error)
    steps = [name or int(index) for name, index in _STEP.findall(found["path"])] if found else []
    line = 1
    for step in [*steps, *([unknown[1]] if unknown else [])]:
        if isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
            node = node.value[step]
        elif isinstance(node, yaml.MappingNode):
            pair = next(((key, value) for key, value in node.value if key.value == str(step)), None)
            if pair is None:
                break
            line, node = pair[0].start_mark.line + 1, pair[1]
            continue
        else:
            break
        line = node.start_mark.line + 1
    return line

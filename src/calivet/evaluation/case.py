"""A labelled incident: evidence, and what the right answer is."""

from __future__ import annotations

from pathlib import Path

import msgspec
from msgspec import Struct, field

from calivet.evidence.careful_yaml import YamlError, load_yaml

LABEL = "expect.yaml"


class Expect(Struct):
    """The label of a case. Unknown keys are allowed: corpora may note more than calivet reads."""

    cause: str
    """An id of the catalogue, or `healthy`."""
    also: list[str] = field(default_factory=list)
    all: list[str] = field(default_factory=list)
    herrings: list[str] = field(default_factory=list)
    nodes: list[str] = field(default_factory=list)
    sufficient: bool = True
    why: str = ""

    @property
    def accepted(self) -> set[str]:
        """Every fair answer."""
        return {self.cause, *self.also}


class Case(Struct):
    """A case on disk."""

    name: str
    folder: Path
    expect: Expect


class CaseError(Exception):
    """A folder that is not a usable case."""


def load_cases(root: Path) -> list[Case]:
    """All cases below a folder, by name."""
    found = sorted(root.glob(f"*/{LABEL}"))
    if not found:
        raise CaseError(f"{root}: no cases there (looked for */{LABEL})")
    return [load_case(path) for path in found]


def load_case(path: Path) -> Case:
    """The case with this label."""
    try:
        expect = msgspec.convert(load_yaml(path.read_bytes()), Expect)
    except (OSError, YamlError, msgspec.ValidationError) as error:
        raise CaseError(f"{path}: {error}") from None
    return Case(path.parent.name, path.parent, expect)

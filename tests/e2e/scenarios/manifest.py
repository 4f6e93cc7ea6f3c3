"""Loads the workloads in manifests/ and fills in versions, names and places."""

from __future__ import annotations

import copy
from functools import cache
from pathlib import Path
from typing import Any

import yaml

FOLDER = Path(__file__).parent / "manifests"


def manifest(file: str, **values: str) -> dict[str, Any]:
    """A fresh copy of the workload, so that a scenario may change it."""
    return copy.deepcopy(_load(file, tuple(sorted(values.items()))))


@cache
def _load(file: str, values: tuple[tuple[str, str], ...]) -> dict[str, Any]:
    text = (FOLDER / f"{file}.yaml").read_text("utf-8")
    for key, value in values:
        text = text.replace(f"{{{key}}}", value)
    loaded: dict[str, Any] = yaml.load(text, yaml.CSafeLoader)
    return loaded

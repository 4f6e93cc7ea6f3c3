"""The licence of an installed distribution as an SPDX expression, and whether it is one that may be taken."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.metadata import Distribution
from pathlib import Path
from typing import Any

from locked import FOLDER, normal
from packaging.licenses import InvalidLicenseExpression, canonicalize_license_expression

LIST = FOLDER / "licences.toml"
_OF_A_CLASSIFIER = "License :: "


@cache
def rules(path: Path = LIST) -> dict[str, Any]:
    """What requirements/licences.toml says."""
    return tomllib.loads(path.read_text(encoding="utf-8"))


def licence(distribution: Distribution) -> str | None:
    """What was read in its files, else what its metadata says; None where that is nothing we understand."""
    if reviewed := rules()["reviewed"].get(normal(distribution.name)):
        return str(reviewed["licence"])
    classifiers = [each for each in _fields(distribution, "Classifier") if each.startswith(_OF_A_CLASSIFIER)]
    # Several classifiers do not say whether one may choose or all of them hold.
    classified = [each.rpartition(" :: ")[2] for each in classifiers] if len(classifiers) == 1 else []
    written = [*_fields(distribution, "License-Expression"), *_fields(distribution, "License"), *classified]
    return next(filter(None, map(_spdx, written)), None)


def is_allowed(expression: str) -> bool:
    """Of a choice one must be allowed, of several that hold together each. Nested ones are for a person to read."""
    choices = [choice.split(" AND ") for choice in expression.split(" OR ")]
    return any(all(name in rules()["allowed"] for name in together) for together in choices)


def _fields(distribution: Distribution, name: str) -> list[str]:
    return [str(value) for value in distribution.metadata.get_all(name) or []]


def _spdx(written: str) -> str | None:
    if spelled := rules()["spelled"].get(written):
        return str(spelled)
    try:
        return canonicalize_license_expression(written)
    except InvalidLicenseExpression:
        return None

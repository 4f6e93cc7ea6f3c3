"""The locked requirements, as pip-compile wrote them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "requirements"

_REQUIREMENT = re.compile(r"^(?P<line>[^\s#].*)\n?(?P<comment>(?: +#.*\n?)*)", re.MULTILINE)


class Pin(NamedTuple):
    """One locked package. The version is empty where the line is no plain pin."""

    name: str
    version: str
    hashes: tuple[str, ...]
    needed_by: tuple[str, ...]


def pins(lock: Path) -> list[Pin]:
    """Every requirement of a lock file, in its order; the comment below it tells what needs it."""
    text = lock.read_text(encoding="utf-8").replace("\\\n", " ")
    return [_pin(found["line"], found["comment"]) for found in _REQUIREMENT.finditer(text)]


def normal(name: str) -> str:
    """A package's name as all spellings of it have in common."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _pin(line: str, comment: str) -> Pin:
    plain = re.match(r"(?P<name>[A-Za-z0-9._-]+)==(?P<version>[\w.!+]+)(?=\s|$)", line)
    name, version = (normal(plain["name"]), plain["version"]) if plain else (line.split(maxsplit=1)[0], "")
    hashes = re.findall(r"--hash=sha256:([0-9a-f]{64})(?=\s|$)", line)
    needed_by = re.findall(r"^ +# +(?:via +)?(?!via$)([A-Za-z0-9][\w.-]*)", comment, re.MULTILINE)
    return Pin(name, version, tuple(hashes), tuple(map(normal, needed_by)))

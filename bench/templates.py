"""What the programs of a node log: ordinary lines, and lines that tell of a fault, with places to fill in.

Each file in bench/programs is one program's log. For a line that begins with `! ` the catalogue has a pattern.
"""

from __future__ import annotations

import re
from pathlib import Path

from msgspec import Struct

FOLDER = Path(__file__).parent / "programs"
TELLS = "! "
WORDS = (
    *("clock", "milli", "micro", "number", "small"),
    *("node", "peer", "gateway", "block"),
    *("namespace", "pod", "uid", "container", "interface", "mac", "address", "address6", "suffix"),
)
IDENTIFIERS = ("pod", "uid", "container", "interface", "mac", "address6", "suffix")
_PLACE = re.compile(f"<({'|'.join(WORDS)})>")


class Program(Struct, frozen=True):
    """One program, its lines as formats of the `%` operator."""

    name: str
    ordinary: list[str]
    telling: list[str]


def programs() -> list[Program]:
    """All of them, by name."""
    return [_program(path) for path in sorted(FOLDER.glob("*.log"))]


def keep_identifiers(every: list[Program]) -> list[Program]:
    """Only their lines with an identifier, and only programs that tell of a fault with one."""
    left = [Program(one.name, _with_identifiers(one.ordinary), _with_identifiers(one.telling)) for one in every]
    return [one for one in left if one.ordinary and one.telling]


def _with_identifiers(formats: list[str]) -> list[str]:
    return [line for line in formats if any(f"%({word})s" in line for word in IDENTIFIERS)]


def _program(path: Path) -> Program:
    lines = path.read_text("utf-8").splitlines(keepends=True)
    return Program(
        path.stem,
        [_format(line) for line in lines if not line.startswith(TELLS)],
        [_format(line.removeprefix(TELLS)) for line in lines if line.startswith(TELLS)],
    )


def _format(line: str) -> str:
    """`<pod>` becomes `%(pod)s`."""
    return _PLACE.sub(r"%(\1)s", line.replace("%", "%%"))

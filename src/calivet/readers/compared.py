"""`diff` of what two machines print: which machine each half of a line is about."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from calivet.evidence.artifact import Artifact
from calivet.evidence.expressions import expression
from calivet.readers.subject import machine_name

MARK = r"(?:[-+]|[<>] {1,3})?"
"""What a diff puts before a line; for anchors."""

_PROGRAM = expression(r"(?:^|[\s;&|(])(?P<program>diff|sdiff|colordiff|icdiff|vimdiff)\s+(?P<rest>.+)")
_SIDE_BY_SIDE = expression(r"(?:^|\s)(?:-\w*y|--side-by-side)\b")
_UNIFIED = expression(r"(?:^|\s)(?:-\w*[uU]\d*|--unified\S*)(?=\s)")
_HUNK = expression(r"^@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@")
_CHANGE = expression(r"^\d+(?:,\d+)?[acd]\d+(?:,\d+)?\s*$")
_HEADS = (expression(r"^--- (?P<file>\S+)"), expression(r"^\+\+\+ (?P<file>\S+)"))
_HALVES = expression(r"^(?P<left>.*?)\s+(?P<mark>[|<>])(?:\s+(?P<right>\S.*))?$")

# The words of a command line: a shell in brackets is one word.
_WORD = expression(r"<\((?P<shell>[^()]*(?:\([^()]*\)[^()]*)*)\)|(?P<end>[|;&>])|(?P<word>[^\s|;&<>]+)")
_REMOTE = expression(r"\bssh\s+(?:-\S+\s+)*(?:[^\s@]+@)?(?P<host>[\w.-]+)\s")
_AROUND_NAME = expression(
    r"^(?:sysctls?|kernel|params?|settings?|conf|config)[-_.]+"
    r"|[-_.]+(?:sysctls?|kernel|params?|settings?|conf|config|all|a|txt|log|out|lst|list|sorted|s)$"
)
# What is told apart so are states of one machine, or nobody knows of which.
_NO_NAME = expression(
    r"(?:^|[-_.])(?:old|new|good|bad|before|after|healthy|sick|broken|working|ok|nok|orig|prev\w*|current|backup|bak|today|"
    r"yesterday|default|expected|actual|left|right|first|second|one|two|\d{4}-\d\d.*)(?:$|[-_.])",
    re.IGNORECASE,
)


class Compared(Struct, frozen=True):
    """The two machines of a diff, where its command or head names them, and how it is laid out."""

    machines: tuple[str | None, str | None]
    unified: bool = False
    side_by_side: bool = False

    def halves(self, line: str) -> Iterator[tuple[str, str]]:
        """What a line says of which machine; nothing where the machine is not known."""
        return (
            (machine, text) for machine, text in zip(self.machines, self._cut(line), strict=True) if machine and text
        )

    def _cut(self, line: str) -> tuple[str, str]:
        """The text of the left machine and of the right one."""
        mark, text = line[:1], line[1:].strip()
        if self.side_by_side:
            found = _HALVES.match(line)
            return (found["left"], found["right"] or "") if found else ("", "")
        if self.unified:
            return (text if mark in "- " else "", text if mark in "+ " else "")
        return (text if mark == "<" else "", text if mark == ">" else "")


def compared(artifact: Artifact) -> Compared | None:
    """Whose lines these are; None where they are no diff."""
    program = _PROGRAM.search(artifact.command or "")
    unified = any(map(_HUNK.match, artifact.lines)) or bool(program and _UNIFIED.search(program["rest"]))
    if not program and not unified and not any(map(_CHANGE.match, artifact.lines)):
        return None
    rest = program["rest"] if program else ""
    side_by_side = bool(program and (program["program"] in ("sdiff", "icdiff") or _SIDE_BY_SIDE.search(f" {rest}")))
    files = _arguments(rest) or _heads(artifact)
    return Compared(_machines(*files) if files else (None, None), unified, side_by_side)


def _arguments(rest: str) -> tuple[str, str] | None:
    """The two things that are compared: files, or what two shells print."""
    words: list[str] = []
    for found in _WORD.finditer(rest):
        if found["end"]:
            break
        if found["shell"] or not found["word"].startswith("-"):
            words.append(_source(found["shell"]) if found["shell"] else found["word"])
    return (words[0], words[1]) if len(words) == len(_HEADS) else None


def _source(shell: str) -> str:
    """The machine that a shell asks, or the file that it reads."""
    remote = _REMOTE.search(shell)
    return remote["host"] if remote else next(reversed(shell.split("|", maxsplit=1)[0].split()), "")


def _heads(artifact: Artifact) -> tuple[str, str] | None:
    found = [next((head["file"] for text in artifact.lines if (head := shape.match(text))), "") for shape in _HEADS]
    return (found[0], found[1]) if all(found) else None


def _machines(left: str, right: str) -> tuple[str | None, str | None]:
    """The machines that two paths are named after: the last of their parts that differ."""
    pairs = zip(reversed(left.strip("'\"").split("/")), reversed(right.strip("'\"").split("/")), strict=False)
    one, other = next(((a, b) for a, b in pairs if a != b), ("", ""))
    names = _name(one), _name(other)
    # Where one of them is no machine's name, the other will hardly be one either.
    return names if all(names) else (None, None)


def _name(part: str) -> str | None:
    while (bare := _AROUND_NAME.sub("", part)) != part:
        part = bare
    return machine_name(part) if not _NO_NAME.search(part) else None

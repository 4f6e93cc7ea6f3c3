"""What the operator asked for: helps where the output alone does not say what it is."""

from __future__ import annotations

import re
from collections.abc import Iterator

from calivet.evidence.artifact import Artifact
from calivet.evidence.expressions import expression
from calivet.readers.subject import machine_head

_PATH = expression(r"(?<![\w.:/])/[\w.@+*{},~/-]+")
_BRACES = expression(r"\{([^{}]*,[^{}]*)\}")
_MOST_BRACES = 3


def output_start(artifact: Artifact) -> int:
    """The index of the first line that is output rather than the prompt, or the head over one machine's share."""
    words = (artifact.command or "").split(maxsplit=1)
    return int(bool(words and artifact.lines and (words[0] in artifact.lines[0] or machine_head(artifact.lines[0]))))


def output_lines(artifact: Artifact) -> Iterator[tuple[int, str]]:
    """The output's lines that are not blank, stripped, with their indexes."""
    for index in range(output_start(artifact), len(artifact.lines)):
        if text := artifact.lines[index].strip():
            yield index, text


def asked(artifact: Artifact, pattern: re.Pattern[str]) -> re.Match[str] | None:
    """The pattern in the command, where there is a command."""
    return pattern.search(artifact.command or "")


def paths(artifact: Artifact) -> list[str]:
    """The absolute paths that the command names, with shell braces expanded."""
    command = artifact.command or ""
    return [path.rstrip(",") for found in _PATH.finditer(command) for path in _expand(found[0])]


def file_named(artifact: Artifact, word: str) -> str | None:
    """The first file in the command whose path has this word."""
    return next((path for path in paths(artifact) if word in path), None)


def _expand(text: str) -> list[str]:
    found = _BRACES.search(text)
    if not found or text.count("{") > _MOST_BRACES:
        return [text]
    head, tail = text[: found.start()], text[found.end() :]
    return [path for choice in found[1].split(",") for path in _expand(head + choice + tail)]

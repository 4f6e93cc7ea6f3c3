"""TOML read line by line, so that every value keeps its line, and cut or filtered files still give what they have."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from calivet.evidence.artifact import Artifact
from calivet.evidence.expressions import expression
from calivet.facts.fact import Scalar

# `grep -n` puts the line's number before it.
NUMBERED = r"^\s*(?:\d+[:-]\s*)?"
_SECTION = expression(rf"{NUMBERED}\[{{1,2}}(?P<section>[^\[\]=]+)\]{{1,2}}\s*(?:#.*)?$")
_ENTRY = expression(rf"{NUMBERED}(?P<key>[A-Za-z_][\w-]*)\s*=\s*(?P<value>\S.*)$")
_LONGEST_LIST = 40


class Entry(Struct):
    """A key with its value; lists are joined by commas."""

    index: int
    section: str
    """Empty where no header stands above."""
    key: str
    value: Scalar


def entries(artifact: Artifact, keys: frozenset[str], start: int = 0) -> Iterator[Entry]:
    """The entries with these keys; comments are not settings."""
    section = ""
    for index in range(start, len(artifact.lines)):
        line = artifact.lines[index]
        if head := _SECTION.match(line):
            section = head["section"].strip()
        elif (entry := _ENTRY.match(line)) and entry["key"] in keys:
            yield Entry(index, section, entry["key"], _value(artifact, index, entry["value"]))


def _value(artifact: Artifact, index: int, text: str) -> Scalar:
    """The value by TOML's own rules, over as many lines as a list takes; as it is written where they do not fit."""
    import tomllib

    following = artifact.lines[index + 1 : index + 1 + _LONGEST_LIST] if text.startswith("[") else []
    for line in ("", *following):
        text = f"{text}\n{line}" if line else text
        if text.startswith("[") and "]" not in text:
            continue
        try:
            return _scalar(tomllib.loads(f"value = {text}")["value"])
        except tomllib.TOMLDecodeError:
            continue
    return text.split("\n", 1)[0].strip()


def _scalar(value: object) -> Scalar:
    if isinstance(value, list):
        return ",".join(str(item) for item in value)
    return value if isinstance(value, str | int | float | bool) else str(value)

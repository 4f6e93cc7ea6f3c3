"""The line on which a key of a catalogue file stands."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from calivet.evidence.expressions import expression

Step = str | int

_PATH_IN_ERROR = expression(r" - at `\$?(?P<path>[^`]*)`")
_STEP = expression(r"\.?([^.\[\]]+)|\[(\d+)\]")
_UNKNOWN = expression(r"unknown field `([^`]+)`")


def steps_to(error: str) -> list[Step]:
    """The way to the key that a validation error names."""
    path, unknown = _PATH_IN_ERROR.search(error), _UNKNOWN.search(error)
    steps: list[Step] = [name or int(index) for name, index in _STEP.findall(path["path"])] if path else []
    return [*steps, unknown[1]] if unknown else steps


def line_of(content: bytes, steps: Iterable[Step]) -> int:
    """The line of the last key on the way that is there; the file has been parsed before."""
    import yaml

    node: Any = yaml.compose(content, Loader=getattr(yaml, "CBaseLoader", yaml.BaseLoader))
    line = 1
    for step in steps:
        if isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
            node = node.value[step]
            line = node.start_mark.line + 1
        elif isinstance(node, yaml.MappingNode) and (pair := _pair(node, step)):
            line, node = pair[0].start_mark.line + 1, pair[1]
        else:
            break
    return line


def _pair(mapping: Any, key: Step) -> Any:
    """The last one: where a key is there twice, that is the one that counts."""
    return next((pair for pair in reversed(mapping.value) if pair[0].value == str(key)), None)

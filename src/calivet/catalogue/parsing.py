"""Parses one YAML file of the catalogue, which may come from anyone.

Every value of a catalogue is text, so values are taken as written: no number or date is guessed, and no tag can name
code. What else YAML offers to hurt a reader with has no place in a catalogue and is refused.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from calivet.evidence.safe_yaml import YamlError, load_yaml
from calivet.search.expressions import expression

Step = str | int

_PATH_IN_ERROR = expression(r" - at `\$?(?P<path>[^`]*)`")
_STEP = expression(r"\.?([^.\[\]]+)|\[(\d+)\]")
_UNKNOWN = expression(r"unknown field `([^`]+)`")


def list_steps_to(error: str) -> list[Step]:
    """The way to the key that a validation error names."""
    path, unknown = _PATH_IN_ERROR.search(error), _UNKNOWN.search(error)
    steps: list[Step] = [name or int(index) for name, index in _STEP.findall(path["path"])] if path else []
    return [*steps, unknown[1]] if unknown else steps


def find_line(content: bytes, steps: Iterable[Step]) -> int:
    """The line of the last key on the way that is there; the file has been parsed before."""
    import yaml

    node: Any = yaml.compose(content, Loader=getattr(yaml, "CBaseLoader", yaml.BaseLoader))
    line = 1
    for step in steps:
        if isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
            node = node.value[step]
            line = node.start_mark.line + 1
        elif isinstance(node, yaml.MappingNode) and (pair := _find_pair(node, step)):
            line, node = pair[0].start_mark.line + 1, pair[1]
        else:
            break
    return line


def _find_pair(mapping: Any, key: Step) -> Any:
    """The last one: where a key is there twice, that is the one that counts."""
    return next((pair for pair in reversed(mapping.value) if pair[0].value == str(key)), None)


FILE_BYTES = 1_000_000

# Control characters, marks that hide or turn text, halves of characters: what acts on a terminal or deceives a reader.
_HARMFUL = expression(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]")


def parse_content(content: bytes) -> Any:
    """What the file holds: text, lists and mappings; raises YamlError."""
    if len(content) > FILE_BYTES:
        raise YamlError(f"the file is larger than {FILE_BYTES:,} bytes", None)
    try:
        data = load_yaml(content, as_written=True)
    except YamlError as error:
        raise YamlError(f"not valid YAML: {error.problem}", error.line) from None
    _refuse_traps(content)
    return data


def _refuse_traps(content: bytes) -> None:
    """Walks the file as a stream, which costs no more than its length."""
    import yaml

    for event in yaml.parse(content, Loader=getattr(yaml, "CBaseLoader", yaml.BaseLoader)):
        if trap := _find_trap(event):
            raise YamlError(trap, event.start_mark.line + 1)


def _find_trap(event: Any) -> str | None:
    if anchor := getattr(event, "anchor", None):
        return f"anchors and aliases are not allowed: {anchor}"
    if tag := getattr(event, "tag", None):
        return f"tags are not allowed: {tag}"
    harmful = _HARMFUL.search(getattr(event, "value", ""))
    return f"the character U+{ord(harmful[0]):04X} is not allowed" if harmful else None

"""Thousands of objects from one: an object with %marks%, cut out anew with other values each time."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any


class Stencil:
    """An object whose texts hold marks; it gets the heads that the API server would have given it."""

    def __init__(self, thing: dict[str, Any], *writers: tuple[str, str]) -> None:
        head = thing["metadata"] | {"uid": "%uid%"}
        head["managedFields"] = [_written(writer, part, thing) for writer, part in writers]
        self._text = json.dumps(thing | {"metadata": head})

    def cut(self, **values: str) -> dict[str, Any]:
        """One object with these values in place of the marks."""
        text = self._text
        for mark, value in values.items():
            text = text.replace(f"%{mark}%", value)
        made: dict[str, Any] = json.loads(text)
        return made


def _written(writer: str, part: str, thing: dict[str, Any]) -> dict[str, Any]:
    """Who wrote which fields: no small part of the bulk of a real object."""
    owned = {f"f:{part}": _fields(thing[part])}
    if part == "spec":
        owned["f:metadata"] = {
            f"f:{key}": _fields(thing["metadata"][key]) for key in ("labels", "annotations") if key in thing["metadata"]
        }
    apart = {"subresource": "status"} if part == "status" else {}
    head = {"manager": writer, "operation": "Update", "apiVersion": thing["apiVersion"], "fieldsType": "FieldsV1"}
    return head | {"time": "2025-01-07T09:14:31Z", "fieldsV1": owned} | apart


def _fields(value: object) -> dict[str, Any]:
    if isinstance(value, dict):
        return {".": {}} | {f"f:{key}": _fields(inner) for key, inner in value.items()}
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return {".": {}} | dict(_elements(value))
    return {}


def _elements(values: Iterable[dict[str, Any]]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The elements of a list, each by the field that tells it from the others."""
    for value in values:
        key = next((key for key in ("name", "type", "ip") if key in value), None)
        if key:
            yield "k:" + json.dumps({key: value[key]}, separators=(",", ":")), _fields(value)

"""A cause as a rule of SARIF: what it is, what it is mistaken for, where to read on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from calivet.catalogue.model import Cause
from calivet.catalogue.words import Words
from calivet.reports.labels import label


def rule(cause: Cause, titles: Mapping[str, Words], language: str) -> dict[str, Any]:
    """The same for every cluster: nothing in it comes from evidence."""
    return {
        "id": cause.id,
        "shortDescription": {"text": cause.title.read(language)},
        "fullDescription": {"text": cause.explain.read(language)},
        "help": {
            "text": cause.explain.read(language),
            "markdown": "\n".join(_page(cause, titles, language)),
        },
        "defaultConfiguration": {"level": "error"},
        "properties": {"tags": ["calico", cause.layer]},
    }


def _page(cause: Cause, titles: Mapping[str, Words], language: str) -> Iterator[str]:
    yield cause.explain.read(language)
    if cause.mistaken_for:
        yield from ("", f"**{label('mistaken', language)}**", "")
    for other in cause.mistaken_for:
        yield f"- {titles[other.cause].read(language)} (`{other.cause}`): {other.tell.read(language)}"
    if cause.references:
        yield from ("", f"**{label('references', language)}**", "")
    yield from (f"- <{reference}>" for reference in cause.references)

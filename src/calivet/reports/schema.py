"""The JSON Schemas of what calivet prints for scripts, for those who check or generate code; also in docs/schema."""

from __future__ import annotations

import msgspec
from msgspec import Struct

from calivet.reports import comparison_json, contract, fleet_json

DRAFT = "https://json-schema.org/draft/2020-12/schema"
DOCUMENTS: dict[str, tuple[type[Struct], str]] = {
    f"diagnosis-{contract.VERSION}": (contract.Document, "A diagnosis of calivet"),
    f"comparison-{comparison_json.VERSION}": (comparison_json.Document, "Two diagnoses of calivet compared"),
    f"fleet-{fleet_json.VERSION}": (fleet_json.Document, "What many diagnoses of calivet tell together"),
}
"""The documents by name and version: the type each is encoded from, and what it is."""


def schemas() -> dict[str, str]:
    """The text of every schema by the name of its file; the same as long as the types are."""
    return {f"{name}.schema.json": _schema(name, *document) for name, document in DOCUMENTS.items()}


def _schema(name: str, kind: type[Struct], title: str) -> str:
    head = {"$schema": DRAFT, "$id": f"urn:calivet:{name.replace('-', ':')}", "title": title}
    return msgspec.json.format(msgspec.json.encode(head | msgspec.json.schema(kind)), indent=2).decode() + "\n"

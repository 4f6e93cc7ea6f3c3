"""Nothing that was planted is left, whatever it stands in."""

from __future__ import annotations

import os

import pytest

from calivet.evidence.artifact import Document
from calivet.redaction.redactor import Redactor
from tests.redaction.anonymize.shapes import SHAPES, Values

VALUES = int(os.environ.get("CALIVET_SHAPE_VALUES", "3"))
TOGETHER = 50
"""Values for one key: to compile what is known of each by itself would take hours."""


def test_there_are_shapes_enough():
    assert len(set(SHAPES)) >= 150


@pytest.mark.parametrize("shape", SHAPES)
def test_nothing_is_left(shape):
    left = []
    for first in range(0, VALUES, TOGETHER):
        values = [Values(f"{shape} {number}") for number in range(first, min(first + TOGETHER, VALUES))]
        documents = [Document(f"{number}.txt", one.fill(shape).split("\n")) for number, one in enumerate(values)]
        redactor = Redactor(anonymize=True, key=f"{shape} {first}".encode())
        for one, before, after in zip(values, documents, redactor.redact_documents(documents), strict=True):
            text = "\n".join(after.lines).lower()
            left += [(value, before.lines, text) for value in one.planted if value.lower() in text]
    assert not left

"""The reports of the embedded incidents, as they stand in golden/. `CALIVET_GOLDEN=write` writes them anew."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from calivet.reports.diagnosis.text import to_text
from calivet.reports.layout.terminal import Layout
from tests.reports.answers import INCIDENTS, LANGUAGES, demo

GOLDEN = Path(__file__).parent / "golden"
WIDTHS = (80, 100)
ALL = [(name, language, width) for name in INCIDENTS for language in LANGUAGES for width in WIDTHS]


@pytest.mark.parametrize(("name", "language", "width"), ALL)
def test_the_report_is_as_it_was(name, language, width):
    path = GOLDEN / f"{name}.{language}.{width}.txt"
    written = to_text(demo(name), Layout(language, width, colour=False))
    if os.environ.get("CALIVET_GOLDEN") == "write":
        path.parent.mkdir(exist_ok=True)
        path.write_text(written, encoding="utf-8")
    expected = path.read_text("utf-8").splitlines()
    assert written.splitlines() == expected, f"if this is meant: CALIVET_GOLDEN=write pytest {Path(__file__).name}"


def test_no_report_is_left_over():
    assert {path.name for path in GOLDEN.iterdir()} == {
        f"{name}.{language}.{width}.txt" for name, language, width in ALL
    }

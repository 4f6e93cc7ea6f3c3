"""What is no secret stays as it is, to the letter."""

from __future__ import annotations

from pathlib import Path

import pytest

from calivet.redaction.redactor import Redactor
from tests.redaction.ordinary import ORDINARY

ROOT = Path(__file__).parents[2]
CASES = [*sorted((ROOT / "corpus").glob("*/evidence")), *sorted((ROOT / "src/calivet/demos").glob("*/evidence"))]
AT_ONCE = 20
# Each of these is somebody's password.
RIGHTLY = {
    # The TCP MD5 password given to tcpdump, in the router's own configuration, and dumped by xxd.
    "corpus/c051/evidence/transcript.txt": {28, 34, 36},
    # The password that breaks BIRD's configuration.
    "corpus/c055/evidence/details.md": {40},
}


@pytest.mark.parametrize("line", ORDINARY)
def test_an_ordinary_line_stays(line):
    assert Redactor().redact_text(line) == line


def test_ordinary_lines_stay_together_too():
    text = "\n".join(ORDINARY)
    assert Redactor().redact_text(text) == text


@pytest.mark.parametrize("first", range(0, len(CASES), AT_ONCE), ids=lambda first: CASES[first].parent.name)
def test_labelled_incidents_stay(first):
    for path in (path for folder in CASES[first : first + AT_ONCE] for path in sorted(folder.rglob("*"))):
        if path.is_file():
            before = path.read_text("utf-8").split("\n")
            after = Redactor().redact_text("\n".join(before)).split("\n")
            changed = {number for number, (old, new) in enumerate(zip(before, after, strict=True), 1) if old != new}
            name = path.relative_to(ROOT).as_posix()
            assert changed == RIGHTLY.get(name, set()), name

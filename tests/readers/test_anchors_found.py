"""The one automaton of all anchors points to every line that an anchor matches, whatever stands around it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from calivet.readers.anchors import ANCHORS
from calivet.readers.read import load_scanner
from calivet.search.scanner import Hit

CORPUS = Path(__file__).parents[2] / "corpus"
SLICES = 8
PLAIN = [re.compile(anchor) for anchor in ANCHORS.values()]


@pytest.mark.parametrize("part", range(SLICES))
def test_as_many_as_by_asking_each_line_for_each_anchor(part):
    for path in sorted(CORPUS.glob("*/evidence/**/*"))[part::SLICES]:
        if path.is_file() and path.suffix not in (".gz", ".zip", ".tgz", ".xz", ".zst"):
            lines = path.read_text("utf-8", "replace").splitlines()
            expected = {Hit(n, i) for i, line in enumerate(lines) for n, one in enumerate(PLAIN) if one.search(line)}
            found = set(load_scanner().scan(lines))
            assert expected <= found, (path, sorted(expected - found, key=lambda hit: hit.line)[:3])

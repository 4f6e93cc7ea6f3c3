"""Whatever has broken calivet before: `make fuzz` adds a file, which stays when the bug is gone."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fuzz.targets import TARGETS

CRASHERS = sorted(Path(__file__).with_name("crashers").iterdir())


@pytest.mark.parametrize("path", CRASHERS, ids=[path.name for path in CRASHERS])
def test_it_breaks_nothing_any_more(path: Path) -> None:
    TARGETS[path.name.partition("-")[0]](path.read_bytes())

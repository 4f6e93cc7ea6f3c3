"""Real Calico, broken for real: a few rows of the table; `python -m tests.lab.calico` tries them all, for hours."""

from __future__ import annotations

import pytest

from tests.e2e.bed.components import UnavailableError, find_components
from tests.lab.calico.__main__ import run_apart
from tests.lab.calico.faults import FAULTS
from tests.lab.calico.images import NoImagesError, find_images
from tests.lab.calico.results import judge_all
from tests.lab.conftest import NO_LAB

TRIED = ("bird-frozen", "nodename-deleted", "pool-disabled")


@pytest.mark.usefixtures("permitted")
@pytest.mark.parametrize("name", TRIED)
def test_the_cause_is_named(name, tmp_path):
    try:
        images = find_images()[-1]
        find_components()
    except (NoImagesError, UnavailableError) as missing:
        pytest.skip(f"{NO_LAB}: {missing}")
    [fault] = [fault for fault in FAULTS if fault.name == name]
    assert run_apart(fault, images, tmp_path) == ""
    [row] = judge_all(tmp_path)
    assert row["folder"].startswith("right")

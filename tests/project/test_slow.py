"""What `make check` leaves out is left out, and what shares something runs in one worker."""

from __future__ import annotations

import re

import pytest

from tests.conftest import FAST, HERE, SLOW, is_slow
from tests.project.scripts import ROOT


@pytest.mark.parametrize("name", [*SLOW, *FAST])
def test_every_path_exists(name):
    assert (HERE / name).exists()


def test_a_folder_stands_for_its_files_and_some_are_fast_all_the_same():
    assert is_slow(HERE / "project" / "test_wheel.py")
    assert is_slow(HERE / "reports" / "test_text.py") is False
    assert not any(is_slow(HERE / name) for name in FAST)


def test_this_file_is_collected_without_the_mark(request):
    assert request.node.get_closest_marker("slow") is None


def test_check_leaves_the_marked_ones_out_and_installs_nothing():
    (recipe,) = re.findall(r"^check:.*\n((?:\t.*\n)+)", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    assert '-m "not slow"' in recipe
    assert "scripts/" not in recipe


@pytest.mark.xdist_group("shared")
def test_what_shares_something_runs_in_one_worker(request):
    """The scheduler knows a group by the end of a test's name alone; a pytest that ignores it builds every bed in all."""
    is_grouped = getattr(request.config.option, "loadgroup", False)
    assert request.node.nodeid.endswith("@shared") is is_grouped

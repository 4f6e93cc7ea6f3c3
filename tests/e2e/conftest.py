"""The bed for the end-to-end tests of a worker: started once, filled anew by each test that asks for a cluster."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from pathlib import Path

import pytest

from tests.e2e.bed.bed import Bed
from tests.e2e.bed.components import find_components, require
from tests.e2e.fill import Filler

HERE = Path(__file__).parent
NO_BED = "the end-to-end tests cannot run"


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """One worker runs them all where tests are shared out by group, so that there is one API server; but those that
    mostly wait say that they want one of their own."""
    for item in items:
        if item.nodeid.startswith("tests/e2e/") and not item.get_closest_marker("xdist_group"):
            item.add_marker(pytest.mark.xdist_group("e2e"))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """All that is skipped for want of the bed is one line in the summary: skipped here, not test by test."""
    report = yield
    if report.skipped and isinstance(report.longrepr, tuple) and NO_BED in report.longrepr[2]:
        report.longrepr = (str(HERE / "conftest.py"), 1, report.longrepr[2])
    return report


@pytest.fixture(scope="session")
def bed() -> Iterator[Bed]:
    """A real API server with all that belongs to it."""
    made = Bed(require(find_components, NO_BED))
    yield made
    made.close()


@pytest.fixture(scope="session")
def filler(bed: Bed) -> Iterator[Filler]:
    """Puts clusters into the bed."""
    made = Filler(bed)
    yield made
    made.close()

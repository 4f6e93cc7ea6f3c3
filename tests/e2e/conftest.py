"""The bed for all end-to-end tests: started once, filled anew by each test that asks for a cluster."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest

from tests.e2e.bed import components
from tests.e2e.bed.bed import Bed
from tests.e2e.fill import Filler

HERE = Path(__file__).parent
NO_BED = "the end-to-end tests cannot run"


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """One worker runs them all where tests are shared out by group, so that there is one API server."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.xdist_group("e2e"))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """All that is skipped for want of the bed is one line in the summary: skipped here, not test by test."""
    report = yield
    if report.skipped and isinstance(report.longrepr, tuple) and NO_BED in report.longrepr[2]:
        report.longrepr = (str(HERE / "conftest.py"), 1, report.longrepr[2])
    return report


def components_or_reason() -> Path:
    """The programs of the bed; without them its tests are skipped, but in CI for want of Go alone."""
    try:
        return components.find_components()
    except components.UnavailableError as unavailable:
        reason = f"{NO_BED}: {unavailable}"
        if os.environ.get("CI") and not unavailable.excused:
            pytest.fail(reason, pytrace=False)
        pytest.skip(reason)


@pytest.fixture(scope="session")
def bed() -> Iterator[Bed]:
    """A real API server with all that belongs to it."""
    made = Bed(components_or_reason())
    yield made
    made.close()


@pytest.fixture(scope="session")
def filler(bed: Bed) -> Iterator[Filler]:
    """Puts clusters into the bed."""
    made = Filler(bed)
    yield made
    made.close()

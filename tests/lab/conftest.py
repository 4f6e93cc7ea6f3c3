"""The lab's tests run one after the other on one worker; where the lab cannot be built they are one line in the summary."""

from __future__ import annotations

import os
from collections.abc import Generator
from pathlib import Path

import pytest

from tests.lab.permission import obstacle

HERE = Path(__file__).parent
NO_LAB = "the lab cannot be built"


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """One worker builds all labs where tests are shared out by group: they are heavy enough."""
    for item in items:
        if item.nodeid.startswith("tests/lab/"):
            item.add_marker(pytest.mark.xdist_group("lab"))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """All that is skipped for want of the lab is one line in the summary: skipped here, not test by test."""
    report = yield
    if report.skipped and isinstance(report.longrepr, tuple) and NO_LAB in report.longrepr[2]:
        report.longrepr = (str(HERE / "conftest.py"), 1, report.longrepr[2])
    return report


@pytest.fixture(scope="session")
def permitted() -> None:
    """The lab can be built; else its tests are skipped, but in CI only where the machine does not allow it."""
    if found := obstacle():
        if os.environ.get("CI") and not found.excused:
            pytest.fail(f"{NO_LAB}: {found.reason}", pytrace=False)
        pytest.skip(f"{NO_LAB}: {found.reason}")

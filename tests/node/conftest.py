"""The operator's folder and his servers; where ssh cannot be tested that is one line in the summary."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from pathlib import Path

import pytest

from tests.node.sshd import Site, UnavailableError, opened

NO_SSH = "ssh is not tested"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """All that is skipped for want of a server is one line in the summary: skipped here, not test by test."""
    report = yield
    if report.skipped and isinstance(report.longrepr, tuple) and NO_SSH in report.longrepr[2]:
        report.longrepr = (__file__, 1, report.longrepr[2])
    return report


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """With one machine, `plain`, that can be logged in to."""
    folder: Path = tmp_path_factory.mktemp("ssh")
    try:
        with opened(folder) as made:
            yield made
    except UnavailableError as why:
        pytest.skip(f"{NO_SSH}: {why}")

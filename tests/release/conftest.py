"""What `make release` built, named by CALIVET_RELEASE: without it these tests are one line in the summary."""

from __future__ import annotations

import os
from collections.abc import Generator
from pathlib import Path

import pytest

from tests.e2e.conftest import bed, filler  # noqa: F401 - the same API server

HERE = Path(__file__).parent
VARIABLE = "CALIVET_RELEASE"
NO_RELEASE = "nothing is built that could be tested"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """All that is skipped for want of a release is one line in the summary."""
    report = yield
    if report.skipped and isinstance(report.longrepr, tuple) and NO_RELEASE in report.longrepr[2]:
        report.longrepr = (str(HERE / "conftest.py"), 1, report.longrepr[2])
    return report


@pytest.fixture(scope="session")
def dist() -> Path:
    """The folder."""
    if not (given := os.environ.get(VARIABLE)):
        pytest.skip(f"{NO_RELEASE}: make release, then make test-release ({VARIABLE} names the folder)")
    return Path(given).resolve()


@pytest.fixture(scope="session")
def as_root() -> None:
    """Another root can only be entered by root."""
    if os.geteuid():
        pytest.skip("only root may change into another root")


@pytest.fixture(scope="session")
def binary(dist: Path) -> Path:
    """For this machine."""
    return find_only(dist, "calivet-linux-amd64")


@pytest.fixture(scope="session")
def image(dist: Path) -> Path:
    """As an OCI archive."""
    return find_only(dist, "calivet-image-*.tar")


def find_only(dist: Path, pattern: str) -> Path:
    found = list(dist.glob(pattern))
    assert len(found) == 1, f"{pattern} in {dist}: {found}"
    return found[0]

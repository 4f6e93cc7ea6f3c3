"""Settings for every test: bounded random tests, a clock that is not on UTC, no live cluster."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from hypothesis import settings

# An offset of odd minutes, written out, so that no time zone database is needed.
os.environ["TZ"] = "<+0545>-05:45"
time.tzset()

# A test must never reach the cluster that the developer's kubectl points at.
os.environ["KUBECONFIG"] = os.devnull

# A shell starts what runs in the background deaf to Ctrl-C, and every process that a test starts would be so too.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile("dev", deadline=None)
settings.register_profile("ci", deadline=None, max_examples=60, derandomize=True, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "dev")

# What `make check` leaves out: it installs or builds something, needs more than Python, or takes long by its nature.
# A folder stands for all that lies in it.
HERE = Path(__file__).parent
SLOW = (
    "advice/test_corpus.py",
    "advice/test_real_programs.py",
    "browser",
    "catalogue/test_generality.py",
    "cli/test_broken_packages.py",
    "contract/test_schema.py",
    "cost",
    "demos",
    "docs",
    "e2e",
    "engines",
    "evidence/test_gather.py",
    "fix/test_crashes.py",
    "fix/test_run.py",
    "fleet",
    "fuzz",
    "hostile",
    "incidents",
    "lab",
    "live/test_hostile_names.py",
    "node/test_probe.py",
    "node/test_probe_hostile.py",
    "node/test_ssh.py",
    "project",
    "readers/test_anchors_found.py",
    "redaction/test_growth.py",
    "redaction/test_ordinary.py",
    "redaction/test_planted.py",
    "redaction/test_shapes.py",
    "release",
)
# The fast ones of a folder that is slow as a whole.
FAST = (
    "project/test_check_printing.py",
    "project/test_check_sizes.py",
    "project/test_cycles.py",
    "project/test_paths.py",
    "project/test_slow.py",
    "project/test_words.py",
)


WAITING = 3
"""Workers beside those that compute: one for the lab, and two for the circles, each with an API server of its own."""


@cache
def is_slow(path: Path) -> bool:
    """Whether the tests of a file are left out of `make check`."""
    return any(path.is_relative_to(HERE / name) for name in SLOW) and path not in [HERE / name for name in FAST]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """As many as there are cores, and more where the lab, ssh and API servers are: these mostly wait."""
    return (os.cpu_count() or 1) + (0 if config.getoption("markexpr") == "not slow" else WAITING)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the slow ones, before -m chooses."""
    for item in items:
        if is_slow(item.path):
            item.add_marker("slow")


@pytest.fixture(autouse=True)
def _umask_left_as_found() -> Iterator[None]:
    """The mask belongs to the whole process: one test that leaves it private breaks another one far away."""
    before = os.umask(0o022)
    os.umask(before)
    yield
    after = os.umask(before)
    assert after == before, f"this test left the umask at {after:03o}"

"""What the tests of engines share."""

from __future__ import annotations

import subprocess

import pytest

from calivet.evidence import isolated_python
from calivet.evidence.long_logs import workers


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[subprocess.Popen[bytes]]:
    """Every process that a worker was started in, in order."""
    processes: list[subprocess.Popen[bytes]] = []
    really = isolated_python.start_python

    def start(*arguments, **settings):
        processes.append(really(*arguments, **settings))
        return processes[-1]

    monkeypatch.setattr(workers, "start_python", start)
    return processes

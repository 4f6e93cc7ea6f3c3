"""Runs a script of the project, as `make` does, and imports what the scripts share."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from pathlib import Path
from typing import Any
from unittest import mock

ROOT = Path(__file__).parents[2]
SCRIPTS = ROOT / "scripts"


def run(script: str, *arguments: object, **environment: str) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, SCRIPTS / script, *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env=os.environ | environment,
    )
    assert "Traceback" not in done.stderr, done.stderr
    return done.returncode, done.stdout


def shared(module: str) -> Any:
    """A module that several scripts import."""
    with mock.patch.object(sys, "path", [str(SCRIPTS), *sys.path]):
        return importlib.import_module(module)

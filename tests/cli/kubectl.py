"""Finds a kubectl to run calivet as a plugin of."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest


def available_kubectl() -> str:
    """The one that the end-to-end tests use, or the system's; skips where there is none."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "calivet" / "test-components"
    folders = [
        Path(os.environ.get("KUBEBUILDER_ASSETS", os.devnull)),
        *sorted(cache.glob("kubernetes-*"), reverse=True),
    ]
    found = shutil.which("kubectl", path=os.pathsep.join(map(str, folders))) or shutil.which("kubectl")
    if not found:
        pytest.skip("kubectl is not installed (scripts/test-components builds it where Go is present)")
    return found

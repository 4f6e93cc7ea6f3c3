"""A real Helm, which Go builds once from its pinned module into the user's cache."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

MODULE = Path(__file__).parent / "helm"
CHART = Path(__file__).parents[2] / "deploy" / "chart"


def find_helm() -> Path:
    """That of the system, or built where a release is tested; otherwise the test is skipped: building takes minutes."""
    if found := shutil.which("helm"):
        return Path(found)
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "calivet" / "test-components"
    pinned = hashlib.sha256((MODULE / "go.sum").read_bytes()).hexdigest()[:12]
    helm = cache / f"helm-{pinned}" / "helm"
    go = shutil.which("go")
    if not helm.exists() and go and os.environ.get("CALIVET_RELEASE"):
        command = [go, "build", "-trimpath", "-ldflags", "-s -w", "-o", str(helm), "helm.sh/helm/v3/cmd/helm"]
        subprocess.run(command, cwd=MODULE, check=True)
    if not helm.exists():
        pytest.skip("helm is not installed (make test-release builds it where Go is present)")
    return helm


def run_helm(*arguments: str) -> subprocess.CompletedProcess[str]:
    """What it says."""
    return subprocess.run([str(find_helm()), *arguments], capture_output=True, text=True, check=False, timeout=120)


def render(*settings: str) -> list[dict[str, Any]]:
    """The objects that the chart makes with these settings."""
    words = [word for setting in settings for word in ("--set", setting)]
    done = run_helm("template", "trial", str(CHART), "--namespace", "calivet", *words)
    assert done.returncode == 0, done.stderr
    return [document for document in yaml.safe_load_all(done.stdout) if document]

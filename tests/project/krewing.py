"""Installs the plugin with a real krew, which Go builds once from its pinned module into the user's cache."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tarfile
from pathlib import Path

MODULE = Path(__file__).parent / "krew"


def install(manifest: Path, archive: Path, root: Path) -> Path:
    """The folder that is then to stand on PATH."""
    if krew := real_krew():
        command = [str(krew), "install", f"--manifest={manifest}", f"--archive={archive}"]
        surroundings = os.environ | {"KREW_ROOT": str(root)}
        subprocess.run(command, env=surroundings, check=True, capture_output=True, stdin=subprocess.DEVNULL)
    else:  # what krew does with an archive, done by hand
        store = root / "store"
        with tarfile.open(archive) as packed:
            packed.extractall(store, filter="data")
        (root / "bin").mkdir()
        (root / "bin" / "kubectl-calivet").symlink_to(store / "kubectl-calivet")
    return root / "bin"


def real_krew() -> Path | None:
    """None where there is no Go; in CI it must work."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "calivet" / "test-components"
    pinned = hashlib.sha256((MODULE / "go.sum").read_bytes()).hexdigest()[:12]
    krew = cache / f"krew-{pinned}" / "krew"
    go = shutil.which("go")
    if go and not krew.exists():
        command = [go, "build", "-trimpath", "-o", str(krew), "sigs.k8s.io/krew/cmd/krew"]
        subprocess.run(command, cwd=MODULE, check=bool(os.environ.get("CI")), capture_output=True)
    return krew if krew.exists() else None

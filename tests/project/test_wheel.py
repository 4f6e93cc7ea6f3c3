"""What is built from the sources holds the data that calivet needs at run time."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
BUILD = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--no-index", "."]


def test_the_wheel_holds_catalogue_and_demos(tmp_path):
    # A copy, because building leaves files beside the sources.
    sources = tmp_path / "sources"
    shutil.copytree(ROOT / "src/calivet", sources / "src/calivet", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "LICENSE", "README.md"):
        if (ROOT / name).exists():
            shutil.copy(ROOT / name, sources)
    subprocess.run([*BUILD, "--wheel-dir", tmp_path], cwd=sources, check=True)
    (wheel,) = tmp_path.glob("calivet-*.whl")
    packed = set(zipfile.ZipFile(wheel).namelist())
    for room in ("causes", "demos"):
        data = {file for file in (sources / "src/calivet" / room).rglob("*") if file.is_file()}
        assert {str(file.relative_to(sources / "src")) for file in data} <= packed

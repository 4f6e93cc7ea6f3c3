"""What is built from the sources holds the data that calivet needs at run time."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
FIRST_RUN = """
import sys
sys.path.insert(0, sys.argv[1])
from unittest import mock
from calivet.search import automaton
refuse = mock.Mock(side_effect=AssertionError("it was prepared and need not be made"))
with (
    mock.patch("calivet.catalogue.load.load_catalogue", refuse),
    mock.patch("calivet.search.required_words.find_required_words", refuse),
    mock.patch("calivet.search.scanner.compile_patterns", refuse),
):
    from calivet.cli.main import main
    sys.exit(main(["demo"]))
"""
BUILD = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--no-index", "."]


def test_the_archive_of_sources_holds_what_builds_it(tmp_path):
    sources = tmp_path / "sources"
    (sources / "src/calivet").mkdir(parents=True)
    (sources / "scripts").mkdir()
    for name in ("pyproject.toml", "MANIFEST.in", "LICENSE", "README.md", "scripts/building.py"):
        shutil.copy(ROOT / name, sources / name)
    shutil.copy(ROOT / "src/calivet/__init__.py", sources / "src/calivet")
    made = "import sys; sys.path.insert(0, 'scripts'); import building; building.build_sdist(sys.argv[1])"
    subprocess.run([sys.executable, "-c", made, tmp_path], cwd=sources, check=True, capture_output=True)
    with tarfile.open(next(tmp_path.glob("*.tar.gz"))) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"scripts/building.py", "pyproject.toml", "src/calivet/__init__.py"} <= names


def test_the_wheel_holds_catalogue_and_demos(tmp_path):
    # A copy, because building leaves files beside the sources.
    sources = tmp_path / "sources"
    shutil.copytree(ROOT / "src/calivet", sources / "src/calivet", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "LICENSE", "README.md"):
        if (ROOT / name).exists():
            shutil.copy(ROOT / name, sources)
    (sources / "scripts").mkdir()
    shutil.copy(ROOT / "scripts/building.py", sources / "scripts")
    subprocess.run([*BUILD, "--wheel-dir", tmp_path], cwd=sources, check=True)
    (wheel,) = tmp_path.glob("calivet-*.whl")
    packed = set(zipfile.ZipFile(wheel).namelist())
    for room in ("causes", "demos"):
        data = {file for file in (sources / "src/calivet" / room).rglob("*") if file.is_file()}
        assert {str(file.relative_to(sources / "src")) for file in data} <= packed
    # Whoever runs it for the first time does not wait for what could be made when it was built.
    site = tmp_path / "site"
    zipfile.ZipFile(wheel).extractall(site)
    run = subprocess.run(
        [sys.executable, "-I", "-c", FIRST_RUN, site],
        env=os.environ | {"XDG_CACHE_HOME": str(tmp_path / "cache")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 1, run.stderr
    assert "FAULT" in run.stdout

"""The archive and the manifest for krew: built for real, checked as krew checks them, unpacked and run."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path
from typing import Any

import pytest
import yaml

import calivet
from calivet.search.cache import find_cache_folder
from tests.project.krewing import install

ROOT = Path(__file__).parents[2]
BASE_URL = "https://downloads.example.org/calivet/v1"
HERE = "{}.{}".format(*sys.version_info)


def build(output: Path) -> tuple[Path, Path]:
    """The manifest, and the archive it points to."""
    command = [
        sys.executable,
        str(ROOT / "scripts/build-plugin"),
        "--base-url",
        f"{BASE_URL}/",
        "--output",
        str(output),
    ]
    built = subprocess.run(command, capture_output=True, text=True, check=False)
    if "Could not find a version" in built.stderr and not os.environ.get("CI"):
        pytest.skip("the locked packages are not in reach (offline?)")
    assert built.returncode == 0, built.stderr
    archive, manifest = map(Path, built.stdout.split())
    return manifest, archive


def check(manifest: dict[str, Any], archive: Path) -> None:
    """By the rules of krew and of its index."""
    spec = manifest["spec"]
    assert manifest["apiVersion"] == "krew.googlecontainertools.github.com/v1alpha2"
    assert (manifest["kind"], manifest["metadata"]) == ("Plugin", {"name": "calivet"})
    assert spec["version"] == f"v{calivet.__version__}"
    assert re.fullmatch(r"v\d+\.\d+\.\d+(-[\w.]+)?", spec["version"]), "a semantic version"
    assert spec["homepage"] == BASE_URL
    assert 0 < len(spec["shortDescription"]) <= 50
    assert "\n" not in spec["shortDescription"]
    assert spec["description"]
    assert f"Python {HERE} on PATH" in spec["caveats"]
    (platform,) = spec["platforms"]
    assert set(platform["selector"]["matchLabels"]) == {"os", "arch"}
    assert platform["uri"] == f"{BASE_URL}/{archive.name}"
    assert platform["sha256"] == hashlib.sha256(archive.read_bytes()).hexdigest()
    assert platform["bin"] == "kubectl-calivet"
    assert "$" not in str(manifest)


def test_what_krew_installs_runs(tmp_path):
    manifest, archive = build(tmp_path / "dist")
    check(yaml.safe_load(manifest.read_bytes()), archive)
    commands = install(manifest, archive, tmp_path / "krew")
    with tarfile.open(archive) as tar:
        packed = tar.getnames()
    assert "LICENSE" in packed
    assert not [name for name in packed if name.endswith(".pyc") or "setuptools" in name]
    # The Python that the test environment was made with, which knows nothing of the environment.
    (tmp_path / "python3").symlink_to(sys._base_executable)  # type: ignore[attr-defined]
    surroundings = {"PATH": f"{commands}:{tmp_path}:/usr/bin:/bin", "HOME": str(tmp_path), "LANG": "C.UTF-8"}
    surroundings["XDG_CACHE_HOME"] = str(find_cache_folder().parent)  # what is compiled takes long
    command = ["kubectl-calivet", "demo", "killed-while-healthy"]
    shown = subprocess.run(command, env=surroundings, capture_output=True, text=True, check=False, timeout=120)
    assert shown.returncode == 1, shown.stderr
    assert "cgroup-driver-mismatch" in shown.stdout
    usage = subprocess.run(["kubectl-calivet", "-h"], env=surroundings, capture_output=True, text=True, check=True)
    assert usage.stdout.startswith("usage: kubectl calivet ")


class Installed:
    """The launcher where krew has put it, with made-up Pythons on PATH."""

    def __init__(self, folder: Path, *versions: str) -> None:
        self.commands, self.lib = folder / "bin", folder / "store" / "lib"
        for version in versions:
            (self.lib / version).mkdir(parents=True)
        self.commands.mkdir()
        shutil.copy(ROOT / "deploy/krew/kubectl-calivet", self.lib.parent)
        (self.commands / "kubectl-calivet").symlink_to("../store/kubectl-calivet")

    def has(self, python: str, version: str) -> None:
        file = self.commands / python
        file.write_text(f'#!/bin/sh\ncase "$*" in *version_info*) echo {version} ;; *) echo "{python}:" "$@" ;; esac\n')
        file.chmod(0o755)

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        command = [str(self.commands / "kubectl-calivet"), *words]
        # Nothing but what the launcher itself needs: a system's Python must not be found.
        for tool in ("dirname", "readlink"):
            (self.commands / tool).symlink_to(shutil.which(tool) or tool)
        surroundings = {"PATH": str(self.commands)}
        return subprocess.run(command, env=surroundings, capture_output=True, text=True, check=False)


def test_python3_is_taken_where_it_fits(tmp_path):
    installed = Installed(tmp_path, "3.11", "3.12")
    installed.has("python3", "3.12")
    starter = tmp_path / "bin/../store/lib/kubectl-calivet.py"
    assert installed.run("explain", "a cause").stdout == f"python3: -I {starter} explain a cause\n"


def test_another_python_is_taken_where_python3_does_not_fit(tmp_path):
    installed = Installed(tmp_path, "3.11", "3.12")
    installed.has("python3", "3.9")
    installed.has("python3.12", "3.12")
    assert installed.run("demo").stdout.startswith("python3.12: ")


def test_one_line_says_which_python_is_needed(tmp_path):
    installed = Installed(tmp_path, "3.11", "3.12")
    installed.has("python3", "3.9")
    run = installed.run("demo")
    assert run.returncode == 3
    assert run.stderr == "calivet: this plugin runs on Python 3.11 3.12, and none of these is on PATH\n"


def test_a_system_that_the_packages_do_not_fit_gets_one_line(tmp_path):
    shutil.copy(ROOT / "deploy/krew/kubectl-calivet.py", tmp_path)
    command = [sys._base_executable, "-I", "-S", str(tmp_path / "kubectl-calivet.py")]  # type: ignore[attr-defined]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 3
    assert run.stderr == "calivet: this build of the plugin does not fit this system: No module named 'calivet'\n"

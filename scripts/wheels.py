"""Ready-made wheels of the locked dependencies for any platform and any Python: one machine builds for all."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from packing import IGNORED, ROOT, list_tree, name_platform
from pip._vendor.packaging.requirements import Requirement

OLDEST = "315532800"  # the oldest time that a zip file can hold: 1980
LOCK = ROOT / "requirements" / "run.txt"

# What pip calls the platforms. Linux means glibc 2.28 or newer: Debian 10, RHEL 8, Ubuntu 20.04.
PLATFORMS = {
    "linux-amd64": ("manylinux_2_28_x86_64", "manylinux_2_17_x86_64", "manylinux2014_x86_64"),
    "linux-arm64": ("manylinux_2_28_aarch64", "manylinux_2_17_aarch64", "manylinux2014_aarch64"),
    "darwin-amd64": ("macosx_11_0_x86_64",),
    "darwin-arm64": ("macosx_11_0_arm64",),
    "windows-amd64": ("win_amd64",),
}
SYSTEMS = {"linux": "linux", "darwin": "darwin", "windows": "win32"}

# The lock holds it because the package is built with it; nothing runs on it.
ONLY_FOR_BUILDING = ("setuptools*", "_distutils_hack", "distutils-precedence.pth")

PREPARED_FOR_ALL = ("catalogue", "words")
"""Of what building prepares; the rest was compiled by the engine, for machines like this one alone."""


def install_wheels(platform: str, python: str, target: Path) -> None:
    """The locked dependencies, each file checked against the lock's hashes."""
    _run_pip("install", platform, python, LOCK, f"--target={target}", "--no-compile")
    for pattern in ONLY_FOR_BUILDING:
        for found in target.glob(pattern):
            shutil.rmtree(found) if found.is_dir() else found.unlink()


def download_wheels(platform: str, python: str, target: Path, *, lock: Path = LOCK) -> None:
    """The files themselves."""
    _run_pip("download", platform, python, lock, f"--dest={target}", "--no-deps")


def _run_pip(action: str, platform: str, python: str, lock: Path, *options: str) -> None:
    command = [sys.executable, "-m", "pip", action, "--quiet", "--disable-pip-version-check", *options]
    command += ["--only-binary=:all:", "--implementation=cp", f"--python-version={python}"]
    command += [f"--platform={tag}" for tag in PLATFORMS[platform]]
    with tempfile.TemporaryDirectory() as folder:
        chosen = Path(folder) / lock.name
        chosen.write_text(choose_requirements(lock, platform, python), encoding="utf-8")
        subprocess.run([*command, "--require-hashes", f"--requirement={chosen}"], check=True)


def build_wheel(target: Path) -> Path:
    """calivet's own: from a copy, because building leaves files beside the sources, and with one time for all files."""
    with tempfile.TemporaryDirectory() as folder:
        sources, built = Path(folder) / "sources", Path(folder) / "built"
        shutil.copytree(ROOT / "src/calivet", sources / "src/calivet", ignore=IGNORED)
        for name in ("pyproject.toml", "LICENSE", "README.md"):
            shutil.copy(ROOT / name, sources)
        (sources / "scripts").mkdir()
        shutil.copy(ROOT / "scripts/building.py", sources / "scripts")
        for path in list_tree(sources):
            path.chmod(0o755 if path.is_dir() else 0o644)
        command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check", "--no-deps"]
        command += ["--no-build-isolation", "--no-index", f"--wheel-dir={built}", "."]
        # setuptools warns of every folder with data; only where it fails is it worth reading.
        environment = os.environ | {"SOURCE_DATE_EPOCH": OLDEST}
        subprocess.run(command, cwd=sources, check=True, env=environment, capture_output=True)
        (wheel,) = built.iterdir()
        return Path(shutil.copy(wheel, target))


def install_calivet(platform: str, target: Path) -> None:
    """calivet itself, as the wheel has it: what is prepared is made of these very sources, never left from others."""
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(build_wheel(Path(folder))) as wheel:
        wheel.extractall(target, [name for name in wheel.namelist() if name.startswith("calivet/")])
    for found in (target / "calivet/prepared").iterdir():
        if platform != name_platform() and found.name not in PREPARED_FOR_ALL:
            found.unlink()


def choose_requirements(lock: Path, platform: str, python: str) -> str:
    """The lock without what that Python does not need: pip itself asks only the Python that it runs on."""
    surroundings = {
        "python_version": python,
        "python_full_version": f"{python}.0",
        "sys_platform": SYSTEMS[platform.partition("-")[0]],
    }
    kept = []
    for line in lock.read_text(encoding="utf-8").replace("\\\n", " ").splitlines():
        text, *hashes = line.split(" --hash=")
        if not hashes:
            continue
        requirement = Requirement(text.strip())
        if requirement.marker is None or requirement.marker.evaluate(surroundings):
            requirement.marker = None
            kept.append(" --hash=".join([str(requirement), *(found.strip() for found in hashes)]))
    return "\n".join(kept) + "\n"

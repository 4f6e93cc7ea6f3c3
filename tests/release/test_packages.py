"""The packages for Debian and for RHEL: installed into an empty root, and run there."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.cli.running import calivet
from tests.release.conftest import find_only
from tests.release.roots import Root

pytestmark = pytest.mark.usefixtures("as_root")
DEMO = "killed-while-healthy"
COMMANDS = ("calivet", "kubectl-calivet", "kubectl_complete-calivet")


def install_deb(package: Path, root: Path) -> None:
    (root / "var/lib/dpkg/updates").mkdir(parents=True)
    for name in ("status", "available"):
        (root / "var/lib/dpkg" / name).write_text("")
    (root / "var/lib/dpkg/info").mkdir()
    command = ["dpkg", f"--root={root}", "--force-script-chrootless", "--install", str(package)]
    subprocess.run(command, check=True, capture_output=True)


def install_rpm(package: Path, root: Path) -> None:
    if not shutil.which("rpm"):
        pytest.skip("rpm is not installed")
    command = ["rpm", f"--root={root}", "--dbpath=/var/lib/rpm", "--install", "--nosignature", str(package)]
    subprocess.run(command, check=True, capture_output=True)


@pytest.fixture(scope="module", params=[("calivet_*_amd64.deb", install_deb), ("calivet-*.x86_64.rpm", install_rpm)])
def installed(request, dist, tmp_path_factory) -> Root:
    pattern, install = request.param
    root = Root(tmp_path_factory.mktemp("root"))
    install(find_only(dist, pattern), root.folder)
    return root


def test_the_commands_are_there_and_run(installed):
    for name in COMMANDS:
        assert (installed.folder / "usr/bin" / name).is_symlink()
    shown = installed.run("/usr/bin/calivet", "demo", DEMO)
    assert (shown.code, shown.out) == (1, calivet("demo", DEMO).out), shown.err
    assert installed.run("/usr/bin/kubectl-calivet", "-h").out.startswith("usage: kubectl calivet ")


def test_it_brings_completion_and_licences(installed):
    for place in (
        "usr/share/bash-completion/completions/calivet",
        "usr/share/zsh/site-functions/_calivet",
        "usr/share/doc/calivet/copyright",
        "usr/lib/calivet/share/licences/libc6",
    ):
        assert (installed.folder / place).stat().st_size > 100


def test_nothing_in_it_may_be_written_by_others(installed):
    modes = [path.stat().st_mode for path in (installed.folder / "usr").rglob("*") if not path.is_symlink()]
    assert not [mode for mode in modes if mode & 0o022]

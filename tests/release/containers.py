"""containerd as it runs on a node, with everything it keeps in a folder of its own."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.cli.running import Run
from tests.lab.waiting import until

PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
CONFIGURATION = """\
version = 2
root = "{folder}/root"
state = "{folder}/state"
disabled_plugins = ["io.containerd.grpc.v1.cri"]
[grpc]
  address = "{folder}/socket"
[ttrpc]
  address = "{folder}/ttrpc"
"""


class Containerd:
    """Runs from its making until `close`."""

    def __init__(self, folder: Path) -> None:
        if missing := [name for name in ("containerd", "ctr", "runc") if not shutil.which(name, path=PATH)]:
            pytest.skip(f"{', '.join(missing)} not installed (scripts/test-lab installs it)")
        self._folder = folder
        (folder / "config.toml").write_text(CONFIGURATION.format(folder=folder))
        with (folder / "log").open("wb") as log:
            command = ["containerd", "--config", str(folder / "config.toml")]
            self._process = subprocess.Popen(command, stdout=log, stderr=log, env={"PATH": PATH})
        until(lambda: self.ctr("version").code == 0, "containerd")

    def ctr(self, *arguments: str) -> Run:
        """What its client says."""
        command = ["ctr", "--address", f"{self._folder}/socket", *arguments]
        done = subprocess.run(command, env={"PATH": PATH}, capture_output=True, check=False, timeout=600)
        return Run(done.returncode, done.stdout.decode(), done.stderr.decode())

    def close(self) -> None:
        """Ends it."""
        self._process.terminate()
        self._process.wait(timeout=60)

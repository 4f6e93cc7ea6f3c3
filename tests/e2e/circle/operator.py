"""The operator: pastes what calivet printed into a shell that has the real kubectl, and an ssh that reaches the machines."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

GAP = re.compile(r"<([a-z][a-z0-9 _-]{0,60})>")
"""What calivet could not fill in."""
PATIENCE = 120.0
"""Seconds for one command: only ever reached when something is broken."""
# The kubelets of the bed run nothing. What is to be run in calico-node of a node is run on its machine.
KUBECTL = """\
#!/bin/sh
case " $* " in *" exec "*) ;; *) exec {kubectl} "$@" ;; esac
while [ "$1" != -- ]; do
    case $1 in exec) ;; -n) namespace=$2; shift ;; -c) shift ;; *) pod=$1 ;; esac
    shift
done
shift
node=$({kubectl} -n "$namespace" get pod "$pod" -o jsonpath='{{.spec.nodeName}}') && exec ssh "$node" "$*"
"""
EDITOR = """\
#!/bin/sh
exec sed -i -E "$EDITS" "$1"
"""


class Printed(Struct, frozen=True):
    """What came of a command."""

    code: int
    text: str


class Operator:
    """Has a folder of his own, where what he saves is kept."""

    def __init__(self, folder: Path, kubectl: Path, kubeconfig: Path) -> None:
        self.folder = folder / "home"
        self.folder.mkdir()
        self.programs = folder / "bin"
        self.programs.mkdir(exist_ok=True)
        self._write("kubectl", KUBECTL.format(kubectl=kubectl))
        self._write("editor", EDITOR)
        self._kubeconfig = kubeconfig

    @property
    def path(self) -> str:
        """Where a shell finds programs."""
        return f"{self.programs}{os.pathsep}{os.environ['PATH']}"

    def paste(self, command: str, gaps: Mapping[str, str], edits: str = "", at: str = "") -> Printed:
        """Runs it as it stands, here or logged in at a machine; what calivet left open is filled in by hand first."""
        text = GAP.sub(lambda gap: gaps[gap[1]], command)
        environment = {
            **os.environ,
            "PATH": self.path,
            "KUBECONFIG": str(self._kubeconfig),
            "EDITOR": str(self.programs / "editor"),
            "EDITS": edits,
            "LC_ALL": "C.UTF-8",
        }
        done = subprocess.run(
            ["ssh", at, "bash", "-s"] if at else ["bash", "-c", text],
            cwd=self.folder,
            env=environment,
            input=text if at else gaps.get("typed", ""),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            timeout=PATIENCE,
        )
        return Printed(done.returncode, done.stdout)

    def _write(self, name: str, text: str) -> None:
        (self.programs / name).write_text(text, "utf-8")
        (self.programs / name).chmod(0o755)

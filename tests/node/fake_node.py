"""A machine of its own with the files and the tools of a Kubernetes node: the tools only print what real ones do."""

from __future__ import annotations

import os
import shutil
import socket
from contextlib import ExitStack
from functools import cache
from shlex import quote
from subprocess import SubprocessError

from calivet.node.running import read_script
from tests.lab.machine import Machine, MachineError
from tests.node.healthy_node import FILES, PRINTED, PROGRAMS, SCRIPTS, SOCKETS

PATH = "/opt/bin:/usr/sbin:/usr/bin:/sbin:/bin"
PROBE = "/run/probe.sh"


@cache
def obstacle() -> str | None:
    """Why no such machine can be made here, if so."""
    if os.geteuid() or not shutil.which("unshare"):
        return "only root can make a machine of namespaces, with unshare"
    try:
        Machine("trial").close()
    except (MachineError, SubprocessError, OSError) as refused:
        return f"namespaces are not permitted here: {' '.join(str(refused).split())}"
    return None


class FakeNode(ExitStack):
    """Healthy, until a test changes something."""

    def __init__(self, name: str = "worker-3") -> None:
        super().__init__()
        self.machine = Machine(name)
        self.callback(self.machine.close)
        for path, text in FILES.items():
            self.machine.write(path, text)
        for tool, text in PRINTED.items():
            self.prints(tool, text)
        for tool, shell in SCRIPTS.items():
            self.does(tool, shell)
        for program, arguments in PROGRAMS.items():
            self.runs(program, *arguments)
        for path in SOCKETS:
            self.listens(path)
        self.machine.tell("mkdir -p /run/systemd/system && sysctl -q -w net.ipv4.ip_forward=1")
        self.machine.write(PROBE, read_script())

    def prints(self, tool: str, text: str) -> None:
        """The tool prints this, whatever it is asked."""
        self.does(tool, f"cat <<'THE END'\n{text}\nTHE END" if text else ":")

    def does(self, tool: str, shell: str) -> None:
        """The tool is these lines of shell."""
        self.machine.write(f"/opt/bin/{tool}", f"#!/bin/sh\n{shell}\n")
        self.machine.file(f"/opt/bin/{tool}").chmod(0o755)

    def covers(self, path: str, text: str) -> None:
        """A file of the kernel's says this."""
        cover = f"/mnt/cover{path.replace('/', '-')}"
        self.machine.write(cover, text)
        self.machine.tell(f"mount --bind {cover} {path}")

    def runs(self, program: str, *arguments: str, environment: str = "") -> None:
        """A process of this name with these arguments is there; it only sleeps."""
        self.machine.tell(f"mkdir -p /opt/fake && cp -L /bin/sh /opt/fake/{program}")
        words = " ".join(map(quote, (f"/opt/fake/{program}", "-c", "sleep 1000; :", program, *arguments)))
        self.machine.tell(f"{environment} {words} </dev/null >/dev/null 2>&1 &")

    def listens(self, path: str) -> None:
        """Somebody has this socket open."""
        self.machine.file(path).parent.mkdir(parents=True, exist_ok=True)
        end = self.enter_context(socket.socket(socket.AF_UNIX))
        end.bind(str(self.machine.file(path)))
        end.listen()

    def probe(self, *arguments: str, shell: str = "sh") -> str:
        """What the probe prints there; the shell may be another one, or somebody else's."""
        return self.machine.run(*shell.split(), PROBE, "--path", PATH, *arguments)

"""Machines of the lab as `calivet fix` sees them: it logs in, and the shell runs in their namespaces."""

from __future__ import annotations

import subprocess

from calivet.fix.hosts import SUDO, Answer, HostError
from calivet.messages.message import make_verbatim
from tests.lab.machine import ENVIRONMENT, Machine


class MachineHosts:
    """Stands for ssh; a machine that is named in `cut` does not answer, and one in `breaks` goes in the middle."""

    def __init__(self, *machines: Machine) -> None:
        self.machines = {machine.name: machine for machine in machines}
        self.cut: set[str] = set()
        self.breaks: list[str] = []
        """Words of commands after which the connection is lost, though the command has run."""
        self.ran: list[tuple[str, str]] = []

    def run(self, node: str, script: str, given: bytes, seconds: float) -> Answer:
        if node in self.cut or node not in self.machines:
            raise HostError(make_verbatim(f"{node}: connection lost"))
        self.ran.append((node, script))
        command = ["nsenter", "--target", str(self.machines[node].pid), "--all", "--root", "--wd"]
        done = subprocess.run(
            [*command, "sh", "-c", SUDO + script],
            input=given,
            capture_output=True,
            check=False,
            timeout=seconds,
            env=ENVIRONMENT,
        )
        if any(words in script for words in self.breaks):
            self.cut.add(node)
            raise HostError(make_verbatim(f"{node}: connection lost"))
        return Answer(done.returncode, done.stdout, done.stderr.decode("utf-8", "replace"))

"""Machines behind the workers of a live cluster: namespaces with real BIRD, packet filters and settings, reached by real ssh."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from tests.lab import bird, services
from tests.lab.lab import Lab
from tests.lab.machine import Machine
from tests.lab.plan import GATEWAY, Plan
from tests.lab.waiting import until
from tests.node.sshd import Site

NETWORK = GATEWAY.rpartition(".")[0]
FIRST = Plan("worker-1", f"{NETWORK}.21")
SECOND_CARD = "192.168.83.22"
SECOND = Plan("worker-2", f"{NETWORK}.22", second_card=SECOND_CARD)
"""Of two nodes the one with the greater address dials."""
PATH = "/opt/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
LOGIN = 'exec nsenter --target {pid} --all --root --wd env -i PATH={path} HOME=/root LC_ALL=C.UTF-8 sh -c "$SSH_ORIGINAL_COMMAND"'
LIST = """\
find /etc /root /opt /var/lib/cni /var/lib/kubelet ! -type d -printf '%p %m %U:%G %l\\n' | sort
find /etc /root /opt /var/lib/cni /var/lib/kubelet -type f -exec sha256sum {} + | sort
"""
# Whoever logs in is root already.
SUDO = '#!/bin/sh\nexec env "$@"\n'


class Machines:
    """Runs until it is closed."""

    def __init__(self, folder: Path) -> None:
        self.lab = Lab((FIRST, SECOND))
        self._served: list[str] = []
        self._address = SECOND.address
        """From which the second one speaks."""
        self.site = Site(folder)
        for name, node in self.lab.nodes.items():
            node.machine.write("/opt/bin/sudo", SUDO)
            node.machine.file("/opt/bin/sudo").chmod(0o755)
            node.machine.write("/etc/sysctl.d/README.sysctl", "")
            self.site.machine(name, LOGIN.format(pid=node.machine.pid, path=PATH))
        self.site.start()
        for node in self.lab.nodes.values():
            bird.start(node.machine, node.plan, (FIRST, SECOND))
        self.lab.until_all_sessions_are_up()

    def __getitem__(self, name: str) -> Machine:
        return self.lab[name]

    def run(self, name: str, command: str) -> str:
        """On one of them, as root."""
        return self.lab[name].run("sh", "-c", command)

    def holds(self, name: str, command: str) -> bool:
        """Whether the command succeeds there."""
        return self.lab[name].attempt("sh", "-c", command).returncode == 0

    def list_files(self) -> str:
        """What is in each file that people write, whose it is and who may read it."""
        return "".join(self.run(name, LIST) for name in self.lab.nodes)

    def serve(self, name: str) -> Machine:
        """The machine, with systemd on it from the first time on."""
        if name not in self._served:
            services.start(self.lab[name])
            self._served.append(name)
        return self.lab[name]

    def speak_from(self, address: str) -> None:
        """What confd writes for BIRD when the address of the second worker is recorded anew."""
        if address == self._address:
            return
        self._address = address
        second = replace(SECOND, takes_second_card=address == SECOND_CARD)
        for plan in (FIRST, second):
            self.lab[plan.name].write(bird.FILE, bird.configuration(plan, (FIRST, second)))
            self.lab[plan.name].run("birdc", "-s", bird.SOCKET, "configure")

    def await_session(self, *, up: bool) -> None:
        """BIRD takes minutes to notice by itself that nothing gets through; it is told to begin anew."""
        for machine in (self.lab["worker-2"], self.lab["worker-1"]):
            machine.attempt("birdc", "-s", bird.SOCKET, "restart", "all")
        until(lambda: self.is_session_up() is up, f"the session, {'up' if up else 'down'}")

    def is_session_up(self) -> bool:
        """As the one that dials sees it."""
        return bird.sessions(self.lab["worker-2"]).get(FIRST.address) == "Established"

    def close(self) -> None:
        """Nothing of it is left."""
        for name in self._served:
            services.end(self.lab[name])
        self.site.close()
        self.lab.__exit__(None, None, None)

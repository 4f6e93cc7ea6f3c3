"""containerd on a node of the lab: the daemon that kubelet would have there."""

from __future__ import annotations

from tests.lab.machine import Machine
from tests.lab.waiting import until

FILE = "/etc/containerd/config.toml"
LOG = "/var/log/containerd.log"
CONFIGURATION = """\
version = 2

[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
  runtime_type = "io.containerd.runc.v2"

  [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
    SystemdCgroup = {systemd}
"""


def start(machine: Machine, cgroup_driver: str) -> None:
    """Starts it in the background of the machine, and waits until it answers."""
    machine.write(FILE, CONFIGURATION.format(systemd=str(cgroup_driver == "systemd").lower()))
    machine.tell(f"containerd >{LOG} 2>&1 & containerd=$!")
    until(lambda: answers(machine), f"containerd on {machine.name}")


def answers(machine: Machine) -> bool:
    """Whether a client gets through to it."""
    return machine.attempt("ctr", "version").returncode == 0


def kill(machine: Machine) -> None:
    """Ends it without a chance to clean up: its socket stays behind."""
    machine.tell("kill -KILL $containerd; wait $containerd 2>/dev/null")


def freeze(machine: Machine) -> None:
    """It keeps its socket and takes connections, and never answers."""
    machine.tell("kill -STOP $containerd")

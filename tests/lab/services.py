"""Real systemd on a machine of the lab: a manager of its own for a runtime, a kubelet and a network manager.

It is the user's instance of it, for only one may be the first process of the whole machine. What the kernel has once for
all machines, swap, is drawn; and what of a kubelet is not there, all but how it starts, is a script.
"""

from __future__ import annotations

from tests.lab import containerd
from tests.lab.machine import Machine
from tests.lab.waiting import until

MANAGER = "/usr/lib/systemd/systemd"
UNITS = "/etc/systemd/system"
SURROUNDINGS = f"XDG_RUNTIME_DIR=/run SYSTEMD_UNIT_PATH={UNITS}:"
UNIT = """\
[Unit]
Description={name}
StartLimitIntervalSec=0
[Service]
ExecStart={command}
StandardOutput=append:/var/log/{name}.log
StandardError=append:/var/log/{name}.log
Restart=always
RestartSec=1
{more}
"""
# Groups are the kernel's, and shared: what the manager makes lies in one folder, which is taken away with the machine.
START = """\
mkdir -p /run/systemd/system /sys/fs/cgroup
mount -t tmpfs groups /sys/fs/cgroup && mkdir /sys/fs/cgroup/systemd
mount -t cgroup -o none,name=systemd systemd /sys/fs/cgroup/systemd || mount -t cgroup2 cgroup2 /sys/fs/cgroup/systemd
mkdir -p {group} && echo $$ >{group}/cgroup.procs
{surroundings} exec {manager} --user --unit=basic.target >/var/log/manager.log 2>&1
"""
END = "{group} -depth -type d -exec rmdir {{}} \\;"
PROGRAMS = {
    "systemctl": f'#!/bin/sh\n{SURROUNDINGS} exec /usr/bin/systemctl --user "$@"\n',
    "journalctl": """\
#!/bin/sh
unit=
while [ $# -gt 0 ]; do
    [ "$1" != -u ] || unit=${2%.service}
    shift
done
[ -z "$unit" ] || tail -n 200 "/var/log/$unit.log" 2>/dev/null | sed "s/^/$(date +%Y-%m-%dT%H:%M:%S+0000) $(hostname) $unit[4711]: /"
""",
    "swapoff": "#!/bin/sh\nhead -n 1 /proc/swaps >/run/swaps && cat /run/swaps >/proc/swaps\n",
    "swapon": """\
#!/bin/sh
[ "$1" = -a ] || exec cat /proc/swaps
grep -qE '^[^#].*[[:space:]]swap[[:space:]]' /etc/fstab || exit 0
[ "$(wc -l </proc/swaps)" -gt 1 ] || printf '/swap.img\\tfile\\t2097148\\t0\\t-2\\n' >>/proc/swaps
""",
}
KUBELET = """\
#!/bin/sh
echo 'I1015 10:00:00.000001    4711 server.go:467] "Kubelet version" kubeletVersion="v1.29.4"'
if grep -q 'failSwapOn: true' /var/lib/kubelet/config.yaml && [ "$(wc -l </proc/swaps)" -gt 1 ]; then
    echo 'E1015 10:00:00.000002    4711 run.go:74] "command failed" err="failed to run Kubelet: running with swap on is not supported, please disable swap! or set --fail-swap-on flag to false. /proc/swaps contained: [/swap.img file 2097148 0 -2]"'
    exit 1
fi
exec sleep infinity
"""


def start(machine: Machine) -> None:
    """The manager, with the programs by which it is asked."""
    for name, text in PROGRAMS.items():
        machine.write(f"/opt/bin/{name}", text)
        machine.file(f"/opt/bin/{name}").chmod(0o755)
    script = START.format(group=_group(machine), surroundings=SURROUNDINGS, manager=MANAGER)
    machine.write("/opt/start-services", script)
    machine.tell("sh /opt/start-services & manager=$!")
    until(lambda: ask(machine, "is-active", "basic.target") == "active\n", f"systemd on {machine.name}")


def end(machine: Machine) -> None:
    """Leaves none of its groups behind."""
    ask(machine, "exit")
    machine.tell("wait $manager")
    machine.attempt("sh", "-c", f"find {END.format(group=_group(machine))}")


def add(machine: Machine, name: str, command: str, more: str = "") -> None:
    """A unit, which runs from now on."""
    machine.write(f"{UNITS}/{name}.service", UNIT.format(name=name, command=command, more=more))
    ask(machine, "daemon-reload")
    ask(machine, "start", name)


def until_answers(machine: Machine) -> None:
    """A client gets through to containerd."""
    until(lambda: containerd.answers(machine), f"containerd on {machine.name}")


def remove(machine: Machine, name: str) -> None:
    """With all that it had."""
    ask(machine, "stop", name)
    machine.attempt("sh", "-c", f"rm -rf {UNITS}/{name}.service {UNITS}/{name}.service.d /var/log/{name}.log")
    ask(machine, "daemon-reload")


def add_kubelet(machine: Machine) -> None:
    """One that refuses to start with swap on."""
    machine.write("/opt/bin/kubelet", KUBELET)
    machine.file("/opt/bin/kubelet").chmod(0o755)
    add(machine, "kubelet", "/opt/bin/kubelet")


def ask(machine: Machine, *words: str) -> str:
    """What systemctl says."""
    return machine.attempt("/opt/bin/systemctl", *words).stdout


def _group(machine: Machine) -> str:
    return f"/sys/fs/cgroup/systemd/calivet-lab-{machine.pid}"

"""Every step of every cause that runs on a machine: taken and taken back, it leaves the machine as it was."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from calivet.catalogue.model import Step
from calivet.evidence.gather import gather
from calivet.fix.journal import HostIntended, open_journal
from calivet.fix.plan import Kind, Plan
from calivet.fix.run import Choices, Fix
from calivet.fix.undo import AS_BEFORE, Undo
from calivet.pipeline import diagnose
from calivet.reasoning.diagnosis import Diagnosis
from tests.e2e.fixing import Obedient
from tests.fix.drawn import begin
from tests.fix.fake_api import FakeApi, make_tools
from tests.fix.machines import MachineHosts
from tests.fix.test_plan import CATALOGUE, plan_for
from tests.lab.machine import Machine

pytestmark = pytest.mark.usefixtures("permitted")
FILES = {
    "/etc/fstab": "/dev/sda1 / ext4 defaults 0 1\n/swap.img none swap sw 0 0\n",
    "/etc/containerd/config.toml": 'bin_dir = "/usr/lib/cni"\n[options]\n  SystemdCgroup = false\n',
    "/etc/hosts": "10.20.0.21 birch-2\n",
    "/etc/firewalld/firewalld.conf": "DefaultZone=public\n",
    "/etc/ufw/user.rules": "*filter\nCOMMIT\n",
    "/etc/NetworkManager/conf.d/10-other.conf": "[main]\n",
    "/etc/systemd/network/10-eth0.network": "[Match]\nName=eth0\n",
    "/etc/ld.so.preload": "/opt/gone/agent.so\n",
    "/etc/kubernetes/admin.conf": "kind: Config\n",
    "/etc/kubernetes/pki/apiserver.crt": "no certificate\n",
    "/etc/sysctl.d/10-own.conf": "net.ipv4.tcp_syncookies=1\n",
    "/etc/modules-load.d/own.conf": "dummy\n",
    "/var/lib/kubelet/config.yaml": "cgroupDriver: systemd\n",
    "/var/lib/calico/nodename": "birch-2",
    "/var/lib/cni/networks/k8s-pod-network/10.244.1.7": "4b1d\neth0",
    "/opt/cni/bin/calico": "calico",
    "/opt/cni/bin/portmap": "portmap",
    "/etc/cni/net.d/10-calico.conflist": "{}\n",
    "/root/mine": "what was there before\n",
}
# What would reach beyond the machine, or is not on it, says that all went well.
IDLE = """apt-get chronyc crictl dnf docker ethtool firewall-cmd hwclock journalctl kubeadm modprobe reboot systemctl
timedatectl ufw""".split()
OWN = {
    **dict.fromkeys(IDLE, "exit 0"),
    "ufw": "echo 'Status: active'",
    "hostnamectl": '[ "$1" != set-hostname ] || hostname "$2"',
    "swapoff": "head -n 1 /proc/swaps >/run/swaps && cat /run/swaps >/proc/swaps",
    "swapon": "[ \"$1\" != -a ] || printf '/swap.img\\tfile\\t2097148\\t0\\t-2\\n' >>/proc/swaps",
    # What is not of a network is the kernel's, and all machines have the same one.
    "sysctl": """
for word in "$@"; do
    case $word in
    *kernel.* | *fs.* | *vm.* | *conntrack*) writes=1 ;;
    /*) ! grep -qE '^(kernel|fs|vm)' "$word" || exit 0 ;;
    esac
done
case "$1$writes" in -w1) exit 0 ;; esac
exec /usr/sbin/sysctl "$@"
""",
}
SETUP = """
iptables -N FLANNEL-POSTRTG && iptables -A FORWARD -j FLANNEL-POSTRTG
iptables -N cali-INPUT && iptables -A INPUT -j cali-INPUT && iptables -A INPUT -p tcp --dport 22 -j ACCEPT
ipset create cali40all hash:net && ipset add cali40all 10.244.0.0/16
ip link add the-device type bridge && ip link set the-device up && ip addr add 10.99.0.1/24 dev the-device
ip route add 10.98.0.0/24 dev the-device
sysctl -q -w net.ipv4.ip_forward=0 net.ipv4.conf.all.rp_filter=2 net.ipv6.conf.all.disable_ipv6=1
swapon -a
"""
SHOW = """
for folder in /etc /root /opt /var/lib /boot; do
    find $folder -printf '%p %y %m %U:%G %l\\n' 2>/dev/null | sort
    find $folder -type f -exec sha256sum {} + 2>/dev/null | sort
done
iptables-save | grep -v '^#' | sed 's/ \\[.*//'
ipset save
ip -o route; ip -o link | sed 's/ qlen.*//'; ip -o -4 addr
/usr/sbin/sysctl -e net.ipv4.ip_forward net.ipv4.conf.all.rp_filter net.ipv4.conf.the-device.rp_filter net.ipv6.conf.all.disable_ipv6
cat /proc/swaps /proc/self/mountinfo; hostname
"""
LEAST = 29
"""Steps that are known to change something there."""
FOR_GOOD = {"foreign-network-leftovers 5"}
"""Nothing brings it back, and an undo says so."""
# What stands for names that evidence would give, and what there is on this machine.
THERE = {
    "the-folder/": "/etc/cni/net.d/",
    "the-file": "10-calico.conflist",
    "the-rule": "INPUT -p tcp -m tcp --dport 22 -j ACCEPT",
    "the-route": "10.98.0.0/24",
}


@pytest.fixture
def prepared():
    machine = Machine("birch-2")
    for path, text in FILES.items():
        machine.write(path, text)
    for name, does in OWN.items():
        machine.write(f"/opt/bin/{name}", f"#!/bin/sh\n{does}\n")
        machine.file(f"/opt/bin/{name}").chmod(0o755)
    machine.run("sh", "-c", "chmod 640 /etc/fstab; chown 12:34 /etc/ufw/user.rules; ln -s mine /root/link")
    machine.run("sh", "-c", f"export PATH=/opt/bin:$PATH\n{SETUP}")
    yield machine
    machine.close()


@pytest.fixture
def nothing_found() -> Diagnosis:
    from calivet.engines.engine import load_knowledge

    return diagnose(gather([]), *load_knowledge(()))


class Hosts(MachineHosts):
    """All nodes are this machine; what it has of its own goes before what is installed."""

    def __init__(self, machine: Machine) -> None:
        super().__init__(machine)
        self.machines |= {"birch-1": machine}

    def run(self, node, script, given, seconds):
        return super().run(node, f"PATH=/opt/bin:$PATH\n{script}", given, seconds)


def list_plans() -> list[Plan]:
    """Each command once, on one node; those that ask the API server too are for a real one."""
    found: dict[str, Plan] = {}
    for cause in CATALOGUE.causes:
        plan = plan_for(cause, "manifest")
        for planned in plan.steps:
            step = planned.parts[0].step if planned.parts else planned.step
            able = planned.kind in (Kind.CHANGE, Kind.DECIDE) and "ssh " in step.run
            if able and "kubectl" not in step.run + step.save + step.undo:
                part = replace(planned.parts[0], step=put_there(step))
                one = replace(planned, parts=[part])
                found.setdefault(step.run, replace(plan, steps=[one], verify=[], control_plane=[]))
    return list(found.values())


def put_there(step: Step) -> Step:
    """The step about what the machine has."""
    commands = {name: str(getattr(step, name)) for name in ("run", "save", "undo")}
    for sample, there in THERE.items():
        commands = {name: command.replace(sample, there) for name, command in commands.items()}
    return replace(step, precheck=None, **commands)


def show(machine: Machine) -> list[str]:
    return machine.run("sh", "-c", SHOW).splitlines()


def test_what_is_done_on_a_machine_can_be_taken_back(prepared, tmp_path, monkeypatch, nothing_found):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    before, changed, wrong = show(prepared), [], {}
    hosts = Hosts(prepared)
    for plan in list_plans():
        tools = make_tools(FakeApi(tmp_path / "objects.json"), hosts)
        (planned,) = plan.steps
        journal, console = begin(), Obedient(lambda key: key != "fix.ask.undo")
        choices = Choices(yes=True, wait=0.0, steps=[planned.number])
        Fix(tools, plan, console, choices, lambda _: nothing_found, nothing_found).run(journal)
        name = f"{plan.cause} {planned.number}"
        if list(journal.find(HostIntended)) and show(prepared) != before:
            changed.append(name)
        state = Undo(tools, open_journal(journal.id)).undo_all()
        left = sorted(set(show(prepared)) ^ set(before))
        is_back = state == AS_BEFORE and not left
        is_said = state != AS_BEFORE and (name in FOR_GOOD or not left)
        if not is_back and (not is_said or name in set(changed) - FOR_GOOD):
            wrong[name] = [state, *left[:6], *console.told[-2:]]
        before = show(prepared) if left else before
    assert not wrong, wrong
    assert len(changed) >= LEAST, changed

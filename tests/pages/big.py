"""A cluster of any size as kubectl, calicoctl and its logs show it: a directory of files with what each command prints."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

from tests.e2e.scenarios.names import ending
from tests.layouts.printing import table

TAKEN = datetime(2025, 5, 6, 14, 30, tzinfo=UTC)
"""When the evidence was taken; ages count back from here."""
PROMPT = "kim@desk:~$ "
RETRIES = 6_000
"""Lines that each of the long logs repeats."""

_FIRST_ADDRESS = ip_address("172.24.0.11")
_CHANGED = timedelta(hours=5, minutes=40)
"""So long ago somebody changed the AS numbers."""
_OLD_KERNEL, _NEW_KERNEL = "5.15.0-105-generic", "6.8.0-31-generic"
_NO_SETS = """
[INFO][42] felix/driver.go 85: Using internal (linux) dataplane driver.
[ERROR][42] felix/ipsets.go 569: Bad return code from 'ipset list'. error=exit status 1 family="inet" stderr="ipset v7.11: Cannot open session to kernel.\\n"
[ERROR][42] felix/ipsets.go 272: Failed to load IP sets from dataplane, retrying. error=exit status 1 family="inet"
[PANIC][42] felix/ipsets.go 288: Failed to load IP sets from dataplane after retries. family="inet"
"""


@dataclass(frozen=True)
class Machine:
    """A node of the cluster."""

    number: int
    zone: str
    fault: str = ""
    """crashing (Felix without its kernel module), refused (its AS number is not what its peers expect), or none."""

    @property
    def name(self) -> str:
        return f"mill-{self.number:04}"

    @property
    def address(self) -> str:
        return str(_FIRST_ADDRESS + self.number)

    @property
    def pod(self) -> str:
        return f"calico-node-{ending(self.name, length=1)}{self.number:04x}"


def machines(count: int, zones: int) -> list[Machine]:
    """One in fifty crashes, wherever it stands; in the last zone one in eight is refused."""
    made = []
    for number in range(count):
        zone = number * zones // count
        refused = zone == zones - 1 and number % 8 == 3
        fault = "crashing" if number % 50 == 7 else "refused" if refused else ""
        made.append(Machine(number, f"north-1{chr(ord('a') + zone)}", fault))
    return made


def write_big(folder: Path, nodes: int = 200, zones: int = 4, seen_from: int = 6) -> Path:
    """Write the evidence into the folder; `seen_from` nodes were asked for their BGP sessions."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files(machines(nodes, zones), seen_from):
        (folder / name).write_text(text, "utf-8")
    return folder


def files(cluster: list[Machine], seen_from: int) -> Iterator[tuple[str, str]]:
    """Name and content of each file."""
    crashing = [one for one in cluster if one.fault == "crashing"]
    refused = [one for one in cluster if one.fault == "refused"]
    yield "date.txt", f"{PROMPT}date -u\n{TAKEN:%a %b %e %H:%M:%S} UTC {TAKEN:%Y}\n"
    yield "nodes.txt", _printed("kubectl get nodes -o wide -L topology.kubernetes.io/zone", _node_rows(cluster))
    yield "pods.txt", _printed("kubectl get pods -n kube-system -o wide", _pod_rows(cluster))
    yield "events.txt", _printed("kubectl get events -n kube-system -o wide", _event_rows(crashing, refused))
    watching = cluster[:: max(1, len(cluster) // seen_from)][:seen_from]
    for machine in [*watching, *refused[:1]]:
        yield f"{machine.name}-node-status.txt", _node_status(machine, cluster)
    for machine in crashing[:3]:
        yield f"{machine.pod}.log", _crash_log(machine)
    for machine in refused[:2]:
        yield f"{machine.name}-bird.txt", _retry_log(machine, cluster[0])


def _printed(command: str, rows: list[list[str]]) -> str:
    return f"{PROMPT}{command}\n{table(rows).decode()}"


def _node_rows(cluster: list[Machine]) -> list[list[str]]:
    header = "NAME STATUS ROLES AGE VERSION INTERNAL-IP EXTERNAL-IP OS-IMAGE KERNEL-VERSION CONTAINER-RUNTIME ZONE"
    rows = [header.split()]
    for one in cluster:
        crashes = one.fault == "crashing"
        status, kernel = ("NotReady", _NEW_KERNEL) if crashes else ("Ready", _OLD_KERNEL)
        row = [one.name, status, "<none>", "211d", "v1.29.4", one.address, "<none>"]
        rows.append([*row, "Ubuntu 22.04.4 LTS", kernel, "containerd://1.7.16", one.zone])
    return rows


def _pod_rows(cluster: list[Machine]) -> list[list[str]]:
    states = {
        "": ("1/1", "Running", "0"),
        "refused": ("0/1", "Running", "0"),
        "crashing": ("0/1", "CrashLoopBackOff", "214 (3m11s ago)"),
    }
    header = [*"NAME READY STATUS RESTARTS AGE IP NODE".split(), "NOMINATED NODE", "READINESS GATES"]
    rows = [[one.pod, *states[one.fault], "18h", one.address, one.name, "<none>", "<none>"] for one in cluster]
    return [header, *rows]


def _event_rows(crashing: list[Machine], refused: list[Machine]) -> list[list[str]]:
    header = ["LAST SEEN", "TYPE", "REASON", "OBJECT", "SUBOBJECT", "SOURCE", "MESSAGE", "FIRST SEEN", "COUNT", "NAME"]
    rows = [header]
    for place, one in enumerate(crashing):
        said = f"Back-off restarting failed container calico-node in pod {one.pod}_kube-system"
        rows.append(_event(one, f"{place % 50}s", "BackOff", said, "18h", 4_817 + place))
    for place, one in enumerate(refused):
        said = (
            "Readiness probe failed: calico/node is not ready: BIRD is not ready: BGP not established with 172.24.0.11"
        )
        rows.append(_event(one, f"{place % 50}s", "Unhealthy", said, "5h40m", 2_034 + place))
    return rows


def _event(one: Machine, last: str, reason: str, message: str, first: str, count: int) -> list[str]:
    about = [f"pod/{one.pod}", "spec.containers{calico-node}", f"kubelet, {one.name}"]
    name = f"{one.pod}.17cce5{one.number:08x}"
    return [last, "Warning", reason, *about, message, first, str(count), name]


def _node_status(machine: Machine, cluster: list[Machine]) -> str:
    """All the others as this one sees them."""
    line = "+--------------+-------------------+-------+------------+----------------------------+"
    rows = []
    for other in cluster:
        if other is not machine:
            state, since, info = _session(machine, other)
            rows.append(f"| {other.address:<12} | node-to-node mesh | {state:<5} | {since:<10} | {info:<26} |")
    head = f"root@{machine.name}:~# calicoctl node status\nCalico process is running.\n\nIPv4 BGP status\n"
    title = "| PEER ADDRESS |     PEER TYPE     | STATE |   SINCE    |            INFO            |"
    return "\n".join([f"{head}{line}", title, line, *rows, line, "", "IPv6 BGP status", "No IPv6 peers found.", ""])


def _session(machine: Machine, other: Machine) -> tuple[str, str, str]:
    """Those with the wrong number understand each other; nobody answers where calico-node crashes."""
    if other.fault == "crashing":
        return "start", "2025-05-05", "Connect"
    if machine.fault == other.fault:
        return "up", "2025-05-05", "Established"
    since = f"{TAKEN - _CHANGED:%H:%M:%S}"
    return "start", since, "Idle Received: Bad peer AS" if machine.fault else "Idle Error: Bad peer AS"


def _crash_log(machine: Machine) -> str:
    """Felix tries, panics and is started again, every five minutes for a day."""
    said = _NO_SETS.strip().splitlines()
    begun = TAKEN - timedelta(hours=18)
    lines = [f"{PROMPT}kubectl logs -n kube-system {machine.pod} -c calico-node"]
    for attempt in range(RETRIES // len(said)):
        moment = begun + timedelta(seconds=attempt * 64_000 / (RETRIES / len(said)))
        lines += [f"{moment + timedelta(seconds=step):%Y-%m-%d %H:%M:%S}.118 {text}" for step, text in enumerate(said)]
    return "\n".join([*lines, ""])


def _retry_log(machine: Machine, peer: Machine) -> str:
    """BIRD's own log, as runit keeps it on the node."""
    begun, session = TAKEN - _CHANGED, f"Mesh_{peer.address.replace('.', '_')}"
    lines = [f"root@{machine.name}:~# cat /var/log/calico/bird/current"]
    for attempt in range(RETRIES):
        moment = begun + timedelta(seconds=attempt * 3.4)
        lines.append(f"{moment:%Y-%m-%d_%H:%M:%S}.40211 bird: {session}: Received: Bad peer AS")
    return "\n".join([*lines, ""])

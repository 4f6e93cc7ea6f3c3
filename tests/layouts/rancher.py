"""Rancher's log collector on RKE2 and k3s: one machine's system, and the whole cluster where it is a server."""

from __future__ import annotations

from tests.layouts.cluster import INIT_CONTAINERS, Incident, Machine, agent_name
from tests.layouts.noise import noise
from tests.layouts.printing import (
    Files,
    as_text,
    daemonset_table,
    described_node,
    described_pod,
    event_table,
    node_table,
    pod_table,
)

SYSTEM = {
    "systeminfo/hostname": "hostname",
    "systeminfo/hostnamefqdn": "hostname -f",
    "systeminfo/date": "date",
    "systeminfo/freem": "free -m",
    "systeminfo/uptime": "uptime",
    "systeminfo/uname": "uname -a",
    "systeminfo/sysctla": "sysctl -a",
    "systeminfo/lsmod": "lsmod",
    "systeminfo/dfh": "df -h",
    "networking/iptablessave": "iptables-save",
    "networking/ipaddrshow": "ip addr",
    "networking/iproute": "ip route",
    "networking/sstunlp4": "ss -tunlp",
}


def collected(machine: Machine, incident: Incident, distribution: str, *, named_folder: bool = True) -> Files:
    """The archive of one machine. Older collectors wrote no folder of their own, so that only the archive bears the name."""
    root = f"{archive_name(machine)}/" if named_folder else ""
    files = {f"{root}{name}": machine.commands[command].encode() for name, command in SYSTEM.items()}
    files[f"{root}systeminfo/etchosts"] = machine.files["/etc/hosts"].encode()
    files[f"{root}networking/cni/10-calico.conflist"] = machine.files["/etc/cni/net.d/10-calico.conflist"].encode()
    files[f"{root}collector-output.log"] = (
        b"2025-03-11 10:21:07: Detecting OS... rhel 9.3\n2025-03-11 10:21:08: Collecting system info\n"
    )
    files |= _kubelet(machine, root, distribution)
    if machine.short == "larch":
        files |= _server(incident, f"{root}{distribution}/")
    else:
        files |= _agent(machine, incident, f"{root}{distribution}/")
    return files | noise(root, "systemlogs", 120)


def archive_name(machine: Machine) -> str:
    return f"{machine.short}-2025-03-11_10_21_07"


def _kubelet(machine: Machine, root: str, distribution: str) -> Files:
    """RKE2 keeps kubelet's words in a file, k3s in its own journal."""
    own = machine.journals["kubelet"]
    if distribution == "k3s":
        return {f"{root}journald/k3s": as_text([line.replace(" kubelet[", " k3s[") for line in own])}
    return {
        f"{root}rke2/agent-logs/kubelet.log": as_text([line.split("]: ", 1)[1] for line in own if " kubelet[" in line]),
        f"{root}journald/rke2-server": as_text(
            [f'Mar 11 10:00:00 {machine.short} rke2[901]: time="2025-03-11T10:00:00Z" level=info msg="Running kubelet"']
        ),
    }


def _server(incident: Incident, base: str) -> Files:
    own = [pod for pod in incident.pods if pod["metadata"]["namespace"] == incident.namespace]
    files = {
        f"{base}kubectl/nodes": node_table(incident.nodes),
        f"{base}kubectl/nodesdescribe": b"\n\n".join(described_node(node) for node in incident.nodes),
        f"{base}kubectl/pods": pod_table(incident.pods),
        f"{base}kubectl/events": event_table(incident.events),
        f"{base}kubectl/daemonsets": daemonset_table(incident.daemonsets),
        f"{base}kubectl/helmcharts": b'error: the server doesn\'t have a resource type "helmcharts"\n',
        f"{base}kubectl/poddescribe/{incident.namespace}": b"\n\n".join(
            described_pod(pod, incident.events) for pod in own
        ),
    }
    for pod in own:
        name = pod["metadata"]["name"]
        containers = [*INIT_CONTAINERS, pod["spec"]["containers"][0]["name"]]
        lines = [line for container in containers for line in incident.logs.get((name, container), [])]
        earlier = [line for container in containers for line in incident.previous.get((name, container), [])]
        gone = [
            f'Error from server (BadRequest): previous terminated container "{containers[-1]}" in pod "{name}" not found'
        ]
        files[f"{base}podlogs/{incident.namespace}-{name}"] = as_text(lines)
        files[f"{base}podlogs/{incident.namespace}-{name}-previous"] = as_text(earlier or gone)
    return files


def _agent(machine: Machine, incident: Incident, base: str) -> Files:
    """Without the API server only the machine's own log files are to be had."""
    name = agent_name(machine.short)
    folder = f"{base}podlogs/{incident.namespace}_{name}_0f1e2d3c-aaaa-4bbb-8ccc-123456789abc/calico-node/"
    files = {}
    for attempt, lines in enumerate(
        [incident.previous.get((name, "calico-node"), []), incident.logs[name, "calico-node"]], 8
    ):
        if lines:
            files[f"{folder}{attempt}.log"] = as_text(
                [f"2025-03-11T09:58:20.{number:09}Z stdout F {line}" for number, line in enumerate(lines)]
            )
    return files

"""A sosreport of one machine; on the control plane it also holds what kubectl showed."""

from __future__ import annotations

from tests.layouts.cluster import Incident, Machine, agent_name
from tests.layouts.noise import noise
from tests.layouts.printing import Files, as_json, as_text, event_table, node_table, plain_list, pod_table

COMMANDS = {
    "host/hostname": "hostname",
    "host/hostname_-f": "hostname -f",
    "host/uptime": "uptime",
    "kernel/uname_-a": "uname -a",
    "kernel/lsmod": "lsmod",
    "kernel/sysctl_-a": "sysctl -a",
    "memory/free_-m": "free -m",
    "networking/ip_-d_address": "ip addr",
    "networking/ip_-o_addr": "ip -o addr",
    "networking/ip_route_show_table_all": "ip route",
    "networking/ss_-peaonmi": "ss -tunlp",
    "containerd/containerd_config_dump": "containerd config dump",
    "kubernetes/systemctl_status_kubelet": "systemctl status kubelet",
    "containerd/systemctl_status_containerd": "systemctl status containerd",
    "filesys/df_-al_-x_autofs": "df -h",
}
LINKS = {
    "hostname": "sos_commands/host/hostname",
    "ip_addr": "sos_commands/networking/ip_-o_addr",
    "ip_route": "sos_commands/networking/ip_route_show_table_all",
    "lsmod": "sos_commands/kernel/lsmod",
    "free": "sos_commands/memory/free_-m",
    "uptime": "sos_commands/host/uptime",
}
KUBECTL = "kubectl_--kubeconfig_.etc.kubernetes.admin.conf"


def root_of(machine: Machine) -> str:
    return f"sosreport-{machine.short}-2025-03-11-kqwzrtx/"


def sosreport(machine: Machine, incident: Incident) -> Files:
    root = root_of(machine)
    files = {f"{root}sos_commands/{name}": machine.commands[command].encode() for name, command in COMMANDS.items()}
    for unit, plugin in (("kubelet", "kubernetes"), ("containerd", "containerd")):
        files[f"{root}sos_commands/{plugin}/journalctl_--no-pager_--unit_{unit}"] = as_text(machine.journals[unit])
    files |= {f"{root}{path.removeprefix('/')}": content.encode() for path, content in machine.files.items()}
    files[f"{root}sos_commands/logs/journalctl_--no-pager"] = as_text(
        [line for lines in machine.journals.values() for line in lines]
    )
    name = agent_name(machine.short)
    for attempt, lines in enumerate(
        [incident.previous.get((name, "calico-node"), []), incident.logs[name, "calico-node"]], 8
    ):
        stamped = [f"2025-03-11T09:58:20.{number:09}Z stdout F {line}" for number, line in enumerate(lines)]
        folder = f"{incident.namespace}_{name}_0f1e2d3c-aaaa-4bbb-8ccc-123456789abc"
        files[f"{root}var/log/pods/{folder}/calico-node/{attempt}.log"] = as_text(stamped) if lines else b""
    files[f"{root}version.txt"] = b"sos report: 4.8.0\n"
    files[f"{root}sos_logs/sos.log"] = (
        b"2025-03-11 10:21:07,511 INFO: [plugin:networking] collecting path '/etc/hosts'\n" * 40
    )
    files[f"{root}sos_commands/selinux/ps_auxZww"] = b"LABEL USER PID %CPU %MEM VSZ RSS TTY STAT START TIME COMMAND\n"
    if machine.short == "larch":
        files |= _cluster(root, incident)
    return files | noise(root, "sos_commands/warehouse") | noise(root, "etc/warehouse.d", 80)


def _cluster(root: str, incident: Incident) -> Files:
    folder = f"{root}sos_commands/kubernetes/cluster-info/"
    files = {
        f"{folder}{KUBECTL}_get_nodes": node_table(incident.nodes),
        f"{folder}{KUBECTL}_get_-o_json_nodes": as_json(plain_list(incident.nodes)),
        f"{folder}{KUBECTL}_get_--all-namespaces_true_pods": pod_table(incident.pods),
        f"{folder}{KUBECTL}_get_--all-namespaces_true_events": event_table(incident.events),
        f"{folder}{KUBECTL}_get_--raw_.metrics": b"# HELP apiserver_audit_event_total Counter\n# TYPE apiserver_audit_event_total counter\napiserver_audit_event_total 0\n",
    }
    for (pod, container), lines in incident.logs.items():
        namespace = incident.pod(pod)["metadata"]["namespace"]
        command = f"{KUBECTL}_--namespace_{namespace}_logs_{pod}_-c_{container}"
        files[f"{folder}{namespace}/podlogs/{pod}/{command}"] = as_text(lines)
    return files

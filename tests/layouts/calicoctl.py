"""`calicoctl cluster diags`, as it is and as it was, and `calicoctl node diags`."""

from __future__ import annotations

from tests.layouts.cluster import INIT_CONTAINERS, Incident, Machine, Object, agent_name, node_name
from tests.layouts.noise import noise
from tests.layouts.printing import Files, as_text, as_yaml, described_pod, node_table, plain_list, pod_table

OLD_COMMANDS = {
    "iptables-save.txt": "iptables-save",
    "iproute.txt": "ip route",
    "ipaddr.txt": "ip addr",
}
NEW_COMMANDS = {
    "iptables-legacy-save.txt": "iptables-save",
    "ip-route.txt": "ip route",
    "ip-addr.txt": "ip addr",
}
NODE_COMMANDS = {
    "date": "date",
    "hostname": "hostname",
    "netstat": "netstat -a -n",
    "ipv4_route": "ip route",
    "ipv4_addr": "ip addr",
    "ipv4_tables": "iptables-save",
}


def cluster_diags(incident: Incident) -> Files:
    """calicoctl 3.28 and later: a folder for each node, everything else under cluster/."""
    root = "calico-diagnostics-20250311_102107/"
    files: Files = {
        f"{root}cluster/version.yaml": b"clientVersion:\n  gitVersion: v1.28.8\nserverVersion:\n  gitVersion: v1.28.8\n"
    }
    kinds = {"pods": incident.pods, "nodes": incident.nodes, "daemonsets": incident.daemonsets}
    for name, items in kinds.items():
        files[f"{root}cluster/kubernetes/{name}.yaml"] = as_yaml(plain_list(items))
    files[f"{root}cluster/kubernetes/pods.txt"] = pod_table(incident.pods)
    files[f"{root}cluster/kubernetes/nodes.txt"] = node_table(incident.nodes)
    for name, items in incident.resources.items():
        files[f"{root}cluster/crd/{name}.crd.projectcalico.org.yaml"] = as_yaml(plain_list(items))
    for short, machine in incident.machines.items():
        folder = f"{root}nodes/{node_name(short)}/"
        files |= {f"{folder}{name}": machine.commands[command].encode() for name, command in NEW_COMMANDS.items()}
        files[f"{folder}cni.log.log"] = (
            b"2025-03-11 10:01:02.003 [INFO][7001] cni-plugin/plugin.go 326: Calico CNI found existing endpoint\n"
        )
        name = agent_name(short)
        files[f"{folder}{incident.namespace}/{name}.log"] = _all_logs(incident, name)
        files[f"{folder}{incident.namespace}/{name}.txt"] = described_pod(incident.pod(name), incident.events)
    return files | noise(root, "cluster/third-party")


def old_cluster_diags(incident: Incident) -> Files:
    """calicoctl 3.17 to 3.22: the folders under nodes/ bear the names of pods."""
    root = "calico-diagnostics/"
    own = [pod for pod in incident.pods if pod["metadata"]["namespace"] == incident.namespace]
    files: Files = {
        f"{root}namespaces.txt": b"NAME              STATUS   AGE\ncalico-system     Active   36d\nkube-system       Active   36d\n",
        f"{root}calico-system.txt": _all_of(own),
        f"{root}nodes.txt": node_table(incident.nodes),
        f"{root}nodes.yaml": as_yaml(plain_list(incident.nodes)),
        f"{root}tigera-operator.logs": b'{"level":"info","ts":1741687267.1,"logger":"status_manager.calico","msg":"Status manager is ready"}\n',
        f"{root}operator.tigera.io/compliances.yaml": b'error: the server doesn\'t have a resource type "compliances"\n',
    }
    for short, machine in incident.machines.items():
        name = agent_name(short)
        folder = f"{root}nodes/{name}/"
        files |= {f"{folder}{file}": machine.commands[command].encode() for file, command in OLD_COMMANDS.items()}
        files[f"{folder}{name}.log"] = as_text(incident.logs[name, "calico-node"])
        files[f"{folder}{name}-describe.txt"] = described_pod(incident.pod(name), incident.events)
    return files | noise(root, "typhas", 20)


def node_diags(machine: Machine, incident: Incident) -> Files:
    """One machine with docker or containerd; the host's name is the content of a file."""
    root = "diagnostics/"
    commands = {"netstat -a -n": ""} | machine.commands
    files = {f"{root}{name}": commands[command].encode() for name, command in NODE_COMMANDS.items()}
    files[f"{root}journalctl_calico_node"] = b"-- No entries --\n"
    files[f"{root}ipsets"] = b"Name: cali40all-ipam-pools\nType: hash:net\nRevision: 6\nMembers:\n192.168.0.0/16\n"
    name = agent_name(machine.short)
    files[f"{root}logs/k8s_calico-node_{name}_{incident.namespace}_0f1e2d3c-aaaa-4bbb-8ccc-123456789abc_9.log"] = (
        as_text(incident.logs[name, "calico-node"])
    )
    for number, lines in enumerate([incident.previous.get((name, "calico-node"))]):
        if lines:
            files[
                f"{root}logs/k8s_calico-node_{name}_{incident.namespace}_0f1e2d3c-aaaa-4bbb-8ccc-123456789abc_{8 - number}.log"
            ] = as_text(lines)
    files[f"{root}logs/cni/cni.log"] = (
        b"2025-03-11 10:01:02.003 [INFO][7001] cni-plugin/plugin.go 326: Calico CNI found existing endpoint\n"
    )
    return files


def _all_logs(incident: Incident, pod: str) -> bytes:
    """As `kubectl logs --all-containers` strings them together."""
    return b"".join(as_text(incident.logs[pod, container]) for container in (*INIT_CONTAINERS, "calico-node"))


def _all_of(pods: list[Object]) -> bytes:
    """As `kubectl get all -o wide` prints pods: without their namespace, with their kind before the name."""
    rows = [line.split(None, 1)[1] for line in pod_table(pods).decode().splitlines()]
    return "\n".join([rows[0].replace("NAME", "NAME    "), *(f"pod/{row}" for row in rows[1:])]).encode() + b"\n"

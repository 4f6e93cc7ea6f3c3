"""A support bundle of troubleshoot.sh, with lists of objects as it writes them now and as bare arrays as it did before."""

from __future__ import annotations

from tests.layouts.cluster import Incident, node_name
from tests.layouts.noise import noise
from tests.layouts.printing import Files, as_json, as_text, as_yaml, object_list

ROOT = "support-bundle-2025-03-11T10_21_07/"


def support_bundle(incident: Incident) -> Files:
    return _bundle(incident, old=False)


def old_support_bundle(incident: Incident) -> Files:
    return _bundle(incident, old=True)


def host_bundle(incident: Incident, short: str) -> Files:
    """Run on a machine itself; only the file about its system says which."""
    machine = incident.machines[short]
    system = {"name": node_name(short), "kernelVersion": "5.14.0-362", "platformVersion": "9.3", "platform": "redhat"}
    run = {
        "journald/kubelet": ("/usr/bin/journalctl -u kubelet -n 5000 --no-pager", as_text(machine.journals["kubelet"])),
        "run-host/addresses": ("/usr/sbin/ip addr", machine.commands["ip addr"].encode()),
        "run-host/containerd": ("/usr/bin/containerd config dump", machine.commands["containerd config dump"].encode()),
        "run-host/kubelet-config": (
            "/usr/bin/cat /var/lib/kubelet/config.yaml",
            machine.files["/var/lib/kubelet/config.yaml"].encode(),
        ),
    }
    files = {f"{ROOT}version.yaml": VERSION, f"{ROOT}host-collectors/system/hostos_info.json": as_json(system, 1)}
    for name, (command, output) in run.items():
        info = {"command": command, "exitCode": "0", "error": "", "outputDir": "", "input": "", "env": None}
        files[f"{ROOT}host-collectors/{name}.txt"] = output
        files[f"{ROOT}host-collectors/{name}-info.json"] = as_json(info, None)
    return files | _machine(incident, short, f"{ROOT}host-collectors/system/")


VERSION = b"apiVersion: troubleshoot.sh/v1beta2\nkind: SupportBundle\nspec:\n  versionNumber: 0.107.1\n"


def _bundle(incident: Incident, *, old: bool) -> Files:
    base = f"{ROOT}cluster-resources/"
    files: Files = {
        f"{ROOT}version.yaml": VERSION,
        f"{ROOT}cluster-info/cluster_version.json": as_json(
            {"info": {"major": "1", "minor": "28", "gitVersion": "v1.28.8"}, "string": "v1.28.8"}, 2
        ),
        f"{base}pods-errors.json": b"null\n",
        f"{base}nodes-errors.json": b"[]\n",
        f"{base}auth-cani-list/market.json": as_json(
            [{"verbs": ["get", "list"], "apiGroups": [""], "resources": ["pods"]}], 2
        ),
    }

    def listed(kind, items):
        made = object_list(kind, items, bare=old)
        return as_json(made["items"] if old else made, 2)

    files[f"{base}nodes.json"] = listed("NodeList", incident.nodes)
    kinds = {
        "pods": ("PodList", incident.pods),
        "events": ("EventList", incident.events),
        "daemonsets": ("DaemonSetList", incident.daemonsets),
    }
    for namespace in dict.fromkeys([incident.namespace, "kube-system", "market"]):
        for name, (kind, items) in kinds.items():
            own = [item for item in items if item["metadata"]["namespace"] == namespace]
            files[f"{base}{name}/{namespace}.json"] = listed(kind, own)
    for name, items in incident.resources.items():
        files[f"{base}custom-resources/{name}.crd.projectcalico.org.json"] = as_json(items, 2)
        files[f"{base}custom-resources/{name}.crd.projectcalico.org.yaml"] = as_yaml(items)
    for logs, ending in ((incident.logs, ".log"), (incident.previous, "-previous.log")):
        for (pod, container), lines in logs.items():
            namespace = incident.pod(pod)["metadata"]["namespace"]
            files[f"{base}pods/logs/{namespace}/{pod}/{container}{ending}"] = as_text(lines)
    files[f"{ROOT}host-collectors/system/node_list.json"] = as_json(
        {"nodes": [node_name(short) for short in incident.machines]}, None
    )
    for short in incident.machines:
        files |= _machine(incident, short, f"{ROOT}host-collectors/system/{node_name(short)}/")
    return files | noise(ROOT, "podlogs/warehouse", 120)


def _machine(incident: Incident, short: str, folder: str) -> Files:
    commands = incident.machines[short].commands
    keys = [line.split(" = ") for line in commands["sysctl -a"].splitlines()]
    modules = [line.split() for line in commands["lsmod"].splitlines()[1:]]
    active = "activating" if "auto-restart" in commands["systemctl status kubelet"] else "active"
    services = [
        {
            "Unit": "kubelet.service",
            "Load": "loaded",
            "Active": active,
            "Sub": "auto-restart" if active != "active" else "running",
        }
    ]
    return {
        f"{folder}memory.json": b'{"total":33442693120}',
        f"{folder}cpu.json": b'{"logicalCount":8,"physicalCount":4,"flags":["fpu","sse4_2","popcnt"],"machineArch":"x86_64"}',
        f"{folder}time.json": b'{"timezone":"UTC","ntp_synchronized":true,"ntp_active":true}',
        f"{folder}sysctl.json": as_json(dict(keys), None),
        f"{folder}kernel_modules.json": as_json(
            {name: {"size": int(size), "instances": 1, "status": "loaded"} for name, size, *_ in modules}, None
        ),
        f"{folder}systemctl_services.json": as_json(
            [*services, {"Unit": "containerd.service", "Load": "loaded", "Active": "active", "Sub": "running"}], None
        ),
        f"{folder}ipv4Interfaces.json": as_json(
            [{"Index": 2, "MTU": 1500, "Name": "ens192", "HardwareAddr": "AFBWqgIR", "Flags": 51}], None
        ),
    }

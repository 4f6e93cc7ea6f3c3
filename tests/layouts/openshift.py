"""`oc adm must-gather`: objects by group, logs by container, the journals of all control plane machines in one file."""

from __future__ import annotations

from tests.layouts.cluster import INIT_CONTAINERS, Incident, Object
from tests.layouts.noise import noise
from tests.layouts.printing import Files, as_text, as_yaml, object_list

ROOT = "must-gather.local.551208/quay-io-openshift-release-dev-ocp-v4-0-art-dev-sha256-0a1b2c3d4e5f/"


def must_gather(incident: Incident) -> Files:
    files: Files = {
        f"{ROOT}version": b"openshift/must-gather\n4.15.0-202403051808\n",
        f"{ROOT}timestamp": b"2025-03-11 10:21:07.123456789 +0000 UTC m=+0.1\n2025-03-11 10:29:07.123456789 +0000 UTC m=+480.1\n",
        f"{ROOT}event-filter.html": b'<!doctype html><html><head><title>Events</title></head><body><table id="events"><tr><td>Normal</td></tr></table></body></html>\n',
    }
    for node in incident.nodes:
        files[f"{ROOT}cluster-scoped-resources/core/nodes/{node['metadata']['name']}.yaml"] = b"---\n" + as_yaml(node)
    for name, items in incident.resources.items():
        for item in items:
            files[f"{ROOT}cluster-scoped-resources/crd.projectcalico.org/{name}/{item['metadata']['name']}.yaml"] = (
                b"---\n" + as_yaml(item)
            )
    for namespace in dict.fromkeys([incident.namespace, "kube-system", "market"]):
        files |= _namespace(incident, namespace)
    services = {"kubelet": "kubenswrapper", "crio": "crio"}
    for unit, program in services.items():
        lines = [line for machine in incident.machines.values() for line in machine.journals.get(unit, [])]
        files[f"{ROOT}host_service_logs/masters/{unit}_service.log"] = (
            as_text(sorted(_precise(line, program) for line in lines)) if lines else b""
        )
    return files | noise(ROOT, "namespaces/warehouse", 200)


def _namespace(incident: Incident, namespace: str) -> Files:
    base = f"{ROOT}namespaces/{namespace}/"
    kinds = {
        "core/pods": ("PodList", incident.pods),
        "core/events": ("EventList", incident.events),
        "core/configmaps": ("ConfigMapList", []),
        "apps/daemonsets": ("DaemonSetList", incident.daemonsets),
    }
    files = {}
    for name, (kind, items) in kinds.items():
        own = [item for item in items if item["metadata"]["namespace"] == namespace]
        files[f"{base}{name}.yaml"] = b"---\n" + as_yaml(object_list(kind, own, bare=False))
    for pod in incident.pods:
        if pod["metadata"]["namespace"] == namespace:
            files |= _pod(incident, pod, f"{base}pods/{pod['metadata']['name']}/")
    return files


def _pod(incident: Incident, pod: Object, base: str) -> Files:
    name = pod["metadata"]["name"]
    files = {f"{base}{name}.yaml": b"---\n" + as_yaml(pod)}
    for container in (*INIT_CONTAINERS, pod["spec"]["containers"][0]["name"]):
        for log, file in ((incident.logs, "current"), (incident.previous, "previous")):
            if container in INIT_CONTAINERS and (name, container) not in log:
                continue
            lines = [
                f"2025-03-11T09:58:20.{number:09}Z {line}" for number, line in enumerate(log.get((name, container), []))
            ]
            files[f"{base}{container}/{container}/logs/{file}.log"] = as_text(lines) if lines else b""
    return files


def _precise(line: str, program: str) -> str:
    """The kubelet prints journals with microseconds; on OpenShift its own process has another name."""
    return f"{line[:15]}.511208{line[15:]}".replace(" kubelet[", f" {program}[")

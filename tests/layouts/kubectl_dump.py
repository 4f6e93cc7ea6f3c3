"""`kubectl cluster-info dump`, into a directory and to standard output."""

from __future__ import annotations

from tests.layouts.cluster import INIT_CONTAINERS, Incident, Object
from tests.layouts.noise import noise
from tests.layouts.printing import Files, as_json, object_list


def dump_directory(incident: Incident) -> Files:
    files = {f"cluster-state/{name}": content for name, content in _parts(incident)}
    return files | noise("cluster-state/", "market", 60)


def dump_stream(incident: Incident) -> Files:
    """Everything one after the other, as it is printed without a directory."""
    return {"dump.txt": b"".join(content for _, content in _parts(incident))}


def _parts(incident: Incident) -> list[tuple[str, bytes]]:
    parts = [("nodes.json", as_json(object_list("NodeList", incident.nodes)))]
    for namespace in dict.fromkeys(["kube-system", incident.namespace, "market"]):
        kinds = {
            "events": ("EventList", incident.events),
            "services": ("ServiceList", []),
            "daemonsets": ("DaemonSetList", incident.daemonsets),
            "pods": ("PodList", incident.pods),
        }
        for name, (kind, items) in kinds.items():
            own = [item for item in items if item["metadata"]["namespace"] == namespace]
            parts.append((f"{namespace}/{name}.json", as_json(object_list(kind, own))))
        own = [pod for pod in incident.pods if pod["metadata"]["namespace"] == namespace]
        parts += [(f"{namespace}/{pod['metadata']['name']}/logs.txt", _logs(incident, pod)) for pod in own]
    return parts


def _logs(incident: Incident, pod: Object) -> bytes:
    name, namespace = pod["metadata"]["name"], pod["metadata"]["namespace"]
    text = []
    for container in (*INIT_CONTAINERS, pod["spec"]["containers"][0]["name"]):
        lines = incident.logs.get((name, container))
        if container not in INIT_CONTAINERS or lines:
            text.append(f"==== START logs for container {container} of pod {namespace}/{name} ====")
            text += lines or ["Request log error: container is waiting to start"]
            text.append(f"==== END logs for container {container} of pod {namespace}/{name} ====")
    return ("\n".join(text) + "\n").encode()

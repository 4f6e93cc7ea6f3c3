"""The cluster in good health, in which an application crashes, as applications do."""

from __future__ import annotations

from tests.layouts import words
from tests.layouts.cluster import (
    ADDRESSES,
    INIT_CONTAINERS,
    Incident,
    Object,
    agent,
    agent_name,
    daemonset,
    event,
    node,
    pod,
)

PROXY = "registry.k8s.io/kube-proxy:v1.28.8"
CNI_DONE = 'time="2025-03-01T09:00:03Z" level=info msg="Done configuring CNI.  Sleep= false"'


def healthy(namespace: str) -> Incident:
    """Calico is well on every machine."""
    made = Incident(namespace, [node(short) for short in ADDRESSES])
    for short in ADDRESSES:
        proxy = pod(
            f"kube-proxy-{short[:2]}4tz", "kube-system", short, "kube-proxy", PROXY, ("DaemonSet", "kube-proxy")
        )
        proxy["status"]["podIP"] = ADDRESSES[short]
        made.pods += [agent(short, namespace), proxy]
        made.logs |= {(agent_name(short), container): [CNI_DONE] for container in INIT_CONTAINERS}
        made.logs[agent_name(short), "calico-node"] = words.agent_log(short)
        made.machines[short] = words.machine(short)
    made.daemonsets = [daemonset(namespace, 3)]
    made.resources = {
        "ippools": [
            calico("IPPool", "default-ipv4-ippool", cidr="192.168.0.0/16", ipipMode="Always", natOutgoing=True)
        ],
        "felixconfigurations": [calico("FelixConfiguration", "default", logSeverityScreen="Info")],
        "clusterinformations": [calico("ClusterInformation", "default", calicoVersion="v3.27.3", datastoreReady=True)],
    }
    _open_market(made)
    return made


def _open_market(made: Incident) -> None:
    """An application with one pod that crashes."""
    for number, short in enumerate([*ADDRESSES] * 4):
        name, owner = f"stall-6d9c7f5b8-{number:05}", ("ReplicaSet", "stall-6d9c7f5b8")
        stall = pod(name, "market", short, "stall", f"registry.example/stall:{number}", owner)
        stall["status"]["podIP"] = stall["status"]["podIP"].replace(".66", f".{70 + number}")
        made.pods.append(stall)
    fail(stall, "CrashLoopBackOff", exit_code=1, restarts=14)
    made.logs[name, "stall"] = ["FATAL: could not load price list: unexpected end of JSON input"]
    made.events = [
        event("Pod", name, "market", "BackOff", "Back-off restarting failed container stall in pod", short, 61),
        event("Pod", name, "market", "Pulled", "Container image already present on machine", short),
    ]


def calico(kind: str, name: str, **spec: object) -> Object:
    return {"apiVersion": "crd.projectcalico.org/v1", "kind": kind, "metadata": {"name": name}, "spec": spec}


def fail(sick: Object, reason: str, *, exit_code: int, restarts: int) -> None:
    """The container ended and is not started again for a while."""
    (status,) = sick["status"]["containerStatuses"]
    status |= {
        "lastState": {
            "terminated": {
                "exitCode": exit_code,
                "finishedAt": "2025-03-11T10:18:40Z",
                "reason": "Error",
                "startedAt": "2025-03-11T10:18:20Z",
            }
        },
        "ready": False,
        "restartCount": restarts,
        "started": False,
        "state": {"waiting": {"message": "back-off 5m0s restarting failed container", "reason": reason}},
    }

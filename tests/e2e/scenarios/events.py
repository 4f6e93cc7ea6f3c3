"""Events as the kubelet and the controllers record them."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from tests.e2e.scenarios.moments import written

NORMAL = {
    "Created",
    "Started",
    "Pulled",
    "Pulling",
    "Scheduled",
    "Killing",
    "SuccessfulCreate",
    "SandboxChanged",
    "NodeReady",
}
SCHEDULER = {"Scheduled", "FailedScheduling"}
CONTROLLERS = {"FailedCreate", "SuccessfulCreate", "NodeNotReady", "TaintManagerEviction"}
EVERY = timedelta(seconds=10)


def event(about: dict[str, Any], reason: str, message: str, times: int, last: datetime, number: int) -> dict[str, Any]:
    """One event that was seen so many times, ten seconds apart."""
    metadata = about["metadata"]
    name, namespace = metadata["name"], metadata.get("namespace")
    involved = {"kind": about["kind"], "name": name, "apiVersion": about["apiVersion"], "uid": f"uid-of-{name}"}
    component = "kubelet"
    if reason in SCHEDULER:
        component = "default-scheduler"
    elif reason in CONTROLLERS:
        component = f"{about['kind'].lower()}-controller"
    host = about.get("spec", {}).get("nodeName") if about["kind"] == "Pod" else name
    return {
        "apiVersion": "v1",
        "kind": "Event",
        "metadata": {"name": f"{name}.{number:016x}", "namespace": namespace or "default"},
        "involvedObject": involved | ({"namespace": namespace} if namespace else {}),
        "reason": reason,
        "message": message,
        "type": "Normal" if reason in NORMAL else "Warning",
        "count": times,
        "firstTimestamp": written(last - EVERY * (times - 1)),
        "lastTimestamp": written(last),
        "source": {"component": component} | ({"host": host} if component == "kubelet" else {}),
    }

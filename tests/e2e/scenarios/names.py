"""Names with the endings that controllers give, the same each time for the same pod."""

from __future__ import annotations

import hashlib
from typing import Any

LETTERS = "bcdfghjklmnpqrstvwxz2456789"


def ending(*parts: str, length: int = 5) -> str:
    """Letters and digits as Kubernetes draws them."""
    digest = hashlib.sha256("/".join(parts).encode()).digest()
    return "".join(LETTERS[byte % len(LETTERS)] for byte in digest[:length])


def pod_name(workload: dict[str, Any], node: str) -> tuple[dict[str, Any] | None, str]:
    """The owner of a pod of this workload, and its name: static pods are named after their node."""
    kind, name = workload["kind"], workload["metadata"]["name"]
    if kind == "Pod":
        return None, f"{name}-{node}"
    if kind == "DaemonSet":
        return _owner("apps/v1", kind, name), f"{name}-{ending(name, node)}"
    replicas = f"{name}-{ending(name, 'replicas', length=9)}"
    return _owner("apps/v1", "ReplicaSet", replicas), f"{replicas}-{ending(name, node)}"


def _owner(version: str, kind: str, name: str) -> dict[str, Any]:
    digest = hashlib.sha256(f"{kind}/{name}".encode()).hexdigest()
    uid = f"{digest[:8]}-{digest[8:12]}-4{digest[13:16]}-a{digest[17:20]}-{digest[20:32]}"
    return {
        "apiVersion": version,
        "kind": kind,
        "name": name,
        "uid": uid,
        "controller": True,
        "blockOwnerDeletion": True,
    }

"""What the accounts of Calico may do, as its manifest grants it."""

from __future__ import annotations

from typing import Any

from tests.e2e.scenarios.manifest import manifest

RBAC = "rbac.authorization.k8s.io"
ACCOUNTS = {"calico-node": "node", "calico-cni-plugin": "plugin"}


def roles(namespace: str) -> list[dict[str, Any]]:
    """A role for each account, and the binding that gives it to it."""
    rules = manifest("calico-roles")
    found = []
    for account, part in ACCOUNTS.items():
        found.append(role(account, rules[part]))
        found.append(binding(account, account, namespace))
    return found


def role(name: str, rules: list[dict[str, Any]]) -> dict[str, Any]:
    """Any ClusterRole."""
    return {"apiVersion": f"{RBAC}/v1", "kind": "ClusterRole", "metadata": {"name": name}, "rules": rules}


def binding(name: str, account: str, namespace: str) -> dict[str, Any]:
    """The ClusterRole of that name, for this account."""
    return {
        "apiVersion": f"{RBAC}/v1",
        "kind": "ClusterRoleBinding",
        "metadata": {"name": name},
        "roleRef": {"apiGroup": RBAC, "kind": "ClusterRole", "name": name},
        "subjects": [{"kind": "ServiceAccount", "name": account, "namespace": namespace}],
    }

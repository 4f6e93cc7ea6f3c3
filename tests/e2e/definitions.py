"""CustomResourceDefinitions with the least schema that the API server takes: any object of the kind is valid."""

from __future__ import annotations

from typing import Any

from tests.e2e.kinds import CUSTOM, VERSIONS, Kind

PATH = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"


def definitions(group: str) -> list[dict[str, Any]]:
    """All of one group."""
    return [_definition(group, name, kind) for name, kind in CUSTOM[group].items()]


def _definition(group: str, name: str, kind: Kind) -> dict[str, Any]:
    schema = {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": True}}
    version = {"name": VERSIONS[group], "served": True, "storage": True, "schema": schema}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{kind.plural}.{group}"},
        "spec": {
            "group": group,
            "scope": "Namespaced" if kind.namespaced else "Cluster",
            "names": {"kind": name, "listKind": f"{name}List", "plural": kind.plural, "singular": name.lower()},
            "versions": [version],
        },
    }

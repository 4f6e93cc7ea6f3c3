"""The manifests for a Job and a CronJob: taken by a real API server, and with no more rights than the role has."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.e2e.bed.client import Client
from tests.project.scripts import shared

DEPLOY = Path(__file__).parents[2] / "deploy"
PATHS = {
    "Namespace": "/api/v1/namespaces",
    "ServiceAccount": "/api/v1/namespaces/{namespace}/serviceaccounts",
    "ClusterRole": "/apis/rbac.authorization.k8s.io/v1/clusterroles",
    "ClusterRoleBinding": "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
    "Job": "/apis/batch/v1/namespaces/{namespace}/jobs",
    "CronJob": "/apis/batch/v1/namespaces/{namespace}/cronjobs",
}
STRICT = "?dryRun=All&fieldValidation=Strict"
# What is there in every cluster: an object is checked only where its namespace exists.
NAMESPACE = "default"


def read(*names: str) -> list[dict[str, Any]]:
    return [document for name in names for document in yaml.safe_load_all((DEPLOY / name).read_text("utf-8"))]


def validate(client: Client, documents: list[dict[str, Any]]) -> list[str]:
    """Shows each to the server as if it were made, and gives their kinds."""
    for document in documents:
        if "namespace" in document["metadata"]:
            document["metadata"]["namespace"] = NAMESPACE
        path = PATHS[document["kind"]].format(namespace=NAMESPACE)
        client.send("POST", path + STRICT, document)
    return [document["kind"] for document in documents]


def pod_of(document: dict[str, Any]) -> dict[str, Any]:
    spec = document["spec"]["jobTemplate"]["spec"] if document["kind"] == "CronJob" else document["spec"]
    found: dict[str, Any] = spec["template"]["spec"]
    return found


@pytest.mark.parametrize("kind", ["Job", "CronJob"])
def test_an_api_server_takes_it(bed, kind):
    documents = read("clusterrole.yaml", f"{kind.lower()}.yaml")
    assert validate(bed.client, documents) == ["ClusterRole", "Namespace", "ServiceAccount", "ClusterRoleBinding", kind]


@pytest.mark.parametrize("name", ["job.yaml", "cronjob.yaml"])
def test_it_runs_without_rights_on_the_node(name):
    pod = pod_of(read(name)[-1])
    (container,) = pod["containers"]
    assert pod["securityContext"]["runAsNonRoot"]
    assert container["securityContext"]["readOnlyRootFilesystem"]
    assert container["securityContext"]["capabilities"] == {"drop": ["ALL"]}
    assert pod["volumes"] == [{"name": "tmp", "emptyDir": {"sizeLimit": "256Mi"}}]
    assert pod["hostNetwork"], "where Calico is broken, no other pod gets an address"
    assert container["image"] == f"localhost/calivet:{shared('packing').read_version()}"


def test_both_bind_the_one_role_that_only_reads():
    for name in ("job.yaml", "cronjob.yaml"):
        binding = next(document for document in read(name) if document["kind"] == "ClusterRoleBinding")
        assert binding["roleRef"]["name"] == read("clusterrole.yaml")[0]["metadata"]["name"]
    verbs = {verb for rule in read("clusterrole.yaml")[0]["rules"] for verb in rule["verbs"]}
    assert verbs == {"get", "list"}


def test_the_chart_has_the_version_of_calivet():
    version = shared("packing").read_version()
    (chart,) = read("chart/Chart.yaml")
    assert (chart["version"], chart["appVersion"]) == (version, version)

"""The manifests for a Job and a CronJob: taken by a real API server, and with no more rights than the role has."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.cli.running import calivet
from tests.e2e.asking import answer_of
from tests.e2e.bed.client import Client
from tests.e2e.scenarios.seeds import three_faults_at_once
from tests.project.scripts import shared

DEPLOY = Path(__file__).parents[2] / "deploy"
PATHS = {
    "Namespace": "/api/v1/namespaces",
    "ServiceAccount": "/api/v1/namespaces/{namespace}/serviceaccounts",
    "ClusterRole": "/apis/rbac.authorization.k8s.io/v1/clusterroles",
    "ClusterRoleBinding": "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
    "Role": "/apis/rbac.authorization.k8s.io/v1/namespaces/{namespace}/roles",
    "RoleBinding": "/apis/rbac.authorization.k8s.io/v1/namespaces/{namespace}/rolebindings",
    "Pod": "/api/v1/namespaces/{namespace}/pods",
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


RIGHTS = ("ServiceAccount", "ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding")


@contextmanager
def granted(client: Client) -> Iterator[str]:
    """The ServiceAccount of the Job with all its rights and no others, as a path; and without them afterwards."""
    made: dict[str, str] = {}
    for document in [*read("clusterrole.yaml"), *read("job.yaml")]:
        if document["kind"] in RIGHTS:
            for each in (document["metadata"], *document.get("subjects", [])):
                if "namespace" in each:
                    each["namespace"] = NAMESPACE
            path = PATHS[document["kind"]].format(namespace=NAMESPACE)
            client.send("POST", path, document)
            made[document["kind"]] = f"{path}/{document['metadata']['name']}"
    yield made["ServiceAccount"]
    for path in made.values():
        client.send("DELETE", path, None)


def pod_of(document: dict[str, Any]) -> dict[str, Any]:
    spec = document["spec"]["jobTemplate"]["spec"] if document["kind"] == "CronJob" else document["spec"]
    found: dict[str, Any] = spec["template"]["spec"]
    return found


@pytest.mark.parametrize("kind", ["Job", "CronJob"])
def test_an_api_server_takes_it(bed, kind):
    documents = read("clusterrole.yaml", f"{kind.lower()}.yaml")
    rights = ["ClusterRoleBinding", "Role", "RoleBinding"]
    assert validate(bed.client, documents) == ["ClusterRole", "Namespace", "ServiceAccount", *rights, kind]


def test_an_api_server_takes_a_look_at_a_node(bed):
    namespace, pod = yaml.safe_load_all((DEPLOY / "node.yaml").read_text("utf-8").replace("NODE", "worker-7"))
    assert validate(bed.client, [namespace, pod]) == ["Namespace", "Pod"]
    (container,) = pod["spec"]["containers"]
    assert not pod["spec"]["automountServiceAccountToken"]
    assert container["image"] == pod_of(read("job.yaml")[-1])["containers"][0]["image"]
    assert all(mount["readOnly"] for mount in container["volumeMounts"] if mount["name"] == "host")


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


def test_beside_it_only_events_of_its_own_namespace_may_be_made():
    for name in ("job.yaml", "cronjob.yaml"):
        found = {document["kind"]: document for document in read(name)}
        assert found["Role"]["rules"] == [{"apiGroups": [""], "resources": ["events"], "verbs": ["create"]}]
        assert found["Role"]["metadata"]["namespace"] == found["ServiceAccount"]["metadata"]["namespace"]
        assert found["RoleBinding"]["roleRef"]["name"] == found["Role"]["metadata"]["name"]


def test_the_chart_has_the_version_of_calivet():
    version = shared("packing").read_version()
    (chart,) = read("chart/Chart.yaml")
    assert (chart["version"], chart["appVersion"]) == (version, version)


def test_what_it_found_is_an_event_on_its_pod(bed, filler):
    filler.fill(three_faults_at_once.build())
    options = ["--kubeconfig", bed.kubeconfig(), "--as", f"system:serviceaccount:{NAMESPACE}:calivet", "-o", "json"]
    with granted(bed.client), own_pod(bed.client) as uid:
        ran = calivet("diagnose", "--event", f"{NAMESPACE}/calivet-1", *options)
        elsewhere = calivet("diagnose", "--event", "kube-system/calivet-1", *options)
        events = f"/api/v1/namespaces/{NAMESPACE}/events?fieldSelector=involvedObject.uid={uid}"
        (event,) = bed.client.get(events)["items"]
    answer = answer_of(ran)
    assert (event["reason"], event["type"]) == ("CalivetFault", "Warning")
    assert all(f"({cause})" in event["message"] for cause in answer.causes())
    assert "no Event" not in ran.err
    assert answer_of(elsewhere).findings == answer.findings
    assert "no Event was made on the pod kube-system/calivet-1: " in elsewhere.err


@contextmanager
def own_pod(client: Client) -> Iterator[str]:
    """The pod that calivet would run in, as its uid."""
    path = f"/api/v1/namespaces/{NAMESPACE}/pods"
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "calivet-1"}, "spec": pod_of(read("job.yaml")[-1])}
    yield client.send("POST", path, pod)["metadata"]["uid"]
    client.send("DELETE", f"{path}/calivet-1?gracePeriodSeconds=0", None)

"""The bed is what it says: a real API server whose nodes, users and faults behave as a cluster's do."""

from __future__ import annotations

import http.client
import json
import ssl
import threading
from datetime import timedelta

import pytest

from tests.e2e.bed.apiserver import ISSUER
from tests.e2e.bed.bed import Bed
from tests.e2e.bed.client import Client, RequestError
from tests.e2e.bed.fault import broken, busy, cut, outlived, silent, small_pages
from tests.e2e.bed.users import ADMIN, NOBODY, VIEWER, User
from tests.e2e.fill import Filler
from tests.e2e.scenarios.healthy import healthy
from tests.e2e.scenarios.moments import ago

PODS = "/api/v1/namespaces/kube-system/pods"


@pytest.fixture(scope="module")
def cluster(filler: Filler):
    made = healthy(workers=2)
    sick = made.agent("worker-2")
    sick["calico-node"].crash(
        "[INFO][9] startup/startup.go 431: Early log level set to info\nthe end", times=4, code=137
    )
    stuck = made.agent("plane-1").hold("install-cni")
    stuck.wait("ImagePullBackOff", "Back-off pulling image")
    filler.fill(made)
    yield made
    filler.empty()


@pytest.fixture
def as_user(bed: Bed):
    clients: list[Client] = []

    def connect(user: User = ADMIN, server: str | None = None) -> Client:
        made = Client(server or bed.apiserver.url, bed.certificates.ca, user.token)
        clients.append(made)
        return made

    yield connect
    for client in clients:
        client.close()


@pytest.fixture
def through(bed: Bed, as_user):
    """A client behind the injector, with these faults."""

    def connect(*faults):
        bed.injector.faults = list(faults)
        return as_user(ADMIN, bed.injector.url)

    yield connect
    bed.injector.reset()


def refusal(client: Client, path: str) -> int:
    with pytest.raises(RequestError) as caught:
        client.text(path)
    return caught.value.status


def test_objects_have_the_ages_they_were_given(bed, cluster):
    pod = bed.client.get(f"{PODS}/{cluster.agent('worker-1').name}")
    assert pod["metadata"]["creationTimestamp"][:10] == f"{ago(days=21):%Y-%m-%d}"
    assert pod["status"]["containerStatuses"][0]["ready"] is True


def test_a_log_comes_from_the_kubelet_of_its_node(bed, cluster):
    name = cluster.agent("worker-1").name
    assert "Determined node name: worker-1" in bed.client.text(f"{PODS}/{name}/log?container=calico-node")
    assert bed.kubelets.asked[-1][0] == "worker-1"


def test_a_log_can_be_bounded(bed, cluster):
    path = f"{PODS}/{cluster.agent('worker-1').name}/log?container=calico-node"
    assert len(bed.client.text(f"{path}&tailLines=2").splitlines()) == 2
    assert len(bed.client.text(f"{path}&limitBytes=50")) == 50
    assert len(bed.client.text(f"{path}&sinceSeconds=3600").splitlines()) == 2
    assert bed.client.text(f"{path}&tailLines=1&timestamps=true").count("Z 20") == 1


def test_a_crashed_container_has_a_log_before(bed, cluster):
    path = f"{PODS}/{cluster.agent('worker-2').name}/log?container=calico-node"
    assert bed.client.text(f"{path}&previous=true").endswith("the end\n")
    assert bed.client.text(path).endswith("the end\n")


@pytest.mark.parametrize(
    ("node", "query", "words"),
    [
        ("worker-1", "container=calico-node&previous=true", "previous terminated container"),
        ("plane-1", "container=install-cni", "trying and failing to pull image"),
        ("plane-1", "container=calico-node", "is waiting to start: PodInitializing"),
    ],
)
def test_there_is_not_always_a_log(bed, cluster, node, query, words):
    status, body = bed.client.request("GET", f"{PODS}/{cluster.agent(node).name}/log?{query}")
    assert status == 400
    assert words in json.loads(body)["message"]


def test_a_kubelet_tells_of_itself(bed, cluster):
    proxy = "/api/v1/nodes/worker-1/proxy"
    assert bed.client.get(f"{proxy}/configz")["kubeletconfig"]["cgroupDriver"] == "systemd"
    assert bed.client.get(f"{proxy}/stats/summary")["node"]["nodeName"] == "worker-1"
    assert bed.client.text(f"{proxy}/healthz") == "ok"
    assert "<pre>" in bed.client.text(f"{proxy}/logs/?query=kubelet")


def test_a_kubelet_may_show_its_journal(bed, cluster):
    cluster.nodes["worker-1"].kubelet.journal = "one\ntwo\nthree\n"
    assert bed.client.text("/api/v1/nodes/worker-1/proxy/logs/?query=kubelet&tailLines=2") == "two\nthree\n"


def test_a_node_that_is_down_is_told_so(bed, cluster):
    log = f"{PODS}/{cluster.agent('worker-2').name}/log?container=calico-node"
    for reach, words in (("refused", "connection refused"), ("no route", "no route to host")):
        cluster.nodes["worker-2"].kubelet.reach = reach
        for path in (log, "/api/v1/nodes/worker-2/proxy/healthz"):
            status, body = bed.client.request("GET", path)
            assert status >= 500
            assert f"dial tcp 10.20.0.22:10250: connect: {words}" in body.decode()


def test_a_node_that_is_cut_off_never_answers(bed, cluster, as_user):
    cluster.nodes["worker-2"].kubelet.reach = "silent"
    client = as_user()
    client.timeout = 0.5
    with pytest.raises(TimeoutError):
        client.text("/api/v1/nodes/worker-2/proxy/healthz")


def test_the_viewer_sees_pods_and_nodes_only(cluster, as_user):
    viewer = as_user(VIEWER)
    assert viewer.get(PODS)["items"]
    assert viewer.get("/api/v1/nodes")["items"]
    name = cluster.agent("worker-1").name
    for path in (f"{PODS}/{name}/log", "/api/v1/events", "/apis/crd.projectcalico.org/v1/ippools"):
        assert refusal(viewer, path) == 403


def test_nobody_is_known_and_sees_nothing(cluster, as_user):
    nobody = as_user(NOBODY)
    assert refusal(nobody, PODS) == 403
    assert nobody.get("/version")["gitVersion"].startswith("v1.")


def test_a_token_that_has_expired_is_refused(bed, cluster):
    token = bed.certificates.service_account_token(ISSUER, "kube-system/reader", timedelta(days=-1))
    client = Client(bed.apiserver.url, bed.certificates.ca, token)
    assert refusal(client, PODS) == 401
    client.close()


def test_a_client_certificate_is_known_until_it_expires(bed, cluster):
    valid = bed.certificates.issue("someone", groups="system:masters")
    client = Client(bed.apiserver.url, bed.certificates.ca, certificate=valid)
    assert client.get(PODS)["items"]
    client.close()
    expired = bed.certificates.issue("somebody", groups="system:masters", until=timedelta(days=-2))
    client = Client(bed.apiserver.url, bed.certificates.ca, certificate=expired)
    assert refusal(client, PODS) == 401
    client.close()


def test_another_authority_is_not_trusted(bed):
    client = Client(bed.apiserver.url, bed.certificates.stranger, ADMIN.token)
    with pytest.raises(ssl.SSLCertVerificationError):
        client.text("/version")


def test_a_busy_server_says_when_to_come_back(cluster, through):
    client = through(busy(PODS, times=1), broken(PODS, times=2))
    assert refusal(client, PODS) == 429
    assert refusal(client, PODS) == 500
    assert refusal(client, PODS) == 500
    assert client.get(PODS)["items"]


def test_an_answer_can_be_cut(cluster, through):
    client = through(cut(PODS, after=2000, times=1))
    with pytest.raises((ConnectionError, http.client.IncompleteRead)):
        client.text(PODS)
    assert client.get(PODS)["items"]


def test_an_answer_can_stay_away(cluster, through):
    client = through(silent(PODS))
    client.timeout = 0.5
    with pytest.raises(TimeoutError):
        client.text(PODS)


def test_a_list_can_outlive_its_snapshot(bed, cluster, through):
    nodes = "/api/v1/nodes"
    client = through(small_pages(nodes, 2), outlived(nodes, bed.etcd.compact))
    first = client.get(f"{nodes}?limit=500")
    assert len(first["items"]) == 2
    rest = f"{nodes}?limit=500&continue={first['metadata']['continue']}"
    status, body = client.request("GET", rest)
    assert status == 410
    token = json.loads(body)["metadata"]["continue"]
    assert len(client.get(f"{nodes}?limit=500&continue={token}")["items"]) == 1


def test_an_api_server_can_die_in_the_middle(bed, cluster):
    """It is killed while it waits for a kubelet: that request is cut, and the next ones are refused."""
    doomed, dead = bed.another_apiserver("doomed"), threading.Event()

    def kill(node: str, path: str) -> None:
        doomed.kill()
        dead.set()

    bed.kubelets.on_request = kill
    client = Client(doomed.url, bed.certificates.ca, ADMIN.token)
    with pytest.raises((ConnectionError, http.client.HTTPException)):
        client.text("/api/v1/nodes/worker-1/proxy/configz")
    dead.wait()
    with pytest.raises(ConnectionRefusedError):
        client.text(PODS)
    bed.kubelets.on_request = None


def test_nothing_is_left_when_it_is_emptied(bed, filler):
    filler.fill(healthy(workers=1))
    filler.empty()
    for path in ("/api/v1/pods", "/api/v1/nodes", "/apis/apps/v1/daemonsets", "/apis/crd.projectcalico.org/v1/ippools"):
        assert bed.client.get(path)["items"] == []


def test_threads_can_share_a_client(bed, cluster):
    answers: list[int] = []
    threads = [threading.Thread(target=lambda: answers.append(len(bed.client.get(PODS)["items"]))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(answers)) == 1

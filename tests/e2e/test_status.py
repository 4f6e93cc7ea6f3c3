"""The one-screen view: once, again and again with what changed marked, and until all is well."""

from __future__ import annotations

import threading
import time

import pytest

from calivet.live.connection import Access, connect
from calivet.live.objects import find_pods_version, wait_for_change
from tests.cli.running import calivet, process
from tests.e2e.bed.users import ADMIN, READER
from tests.e2e.on_a_terminal import Terminal
from tests.e2e.scenarios.places import all_is_well
from tests.e2e.scenarios.reaching import kube_proxy_is_down


@pytest.fixture
def sick(filler):
    filler.fill(kube_proxy_is_down.build())


@pytest.fixture
def well(filler):
    filler.fill(all_is_well.build())


def test_each_part_has_its_line(bed, sick):
    run = calivet("status", "--kubeconfig", bed.kubeconfig())
    lines = run.out.splitlines()
    assert run.code == 1
    assert any(line.startswith(" ✗ calico-node") and "worker-3" in line for line in lines)
    assert any(line.startswith(" ✗ kube-proxy") for line in lines)
    assert any("service-vip-unreachable" in line for line in lines)
    assert len(lines) < 24


def test_a_healthy_cluster(bed, well):
    run = calivet("status", "--kubeconfig", bed.kubeconfig(), "--lang", "zh")
    assert run.code == 0
    assert "正常" in run.out


def test_waiting_ends_when_all_is_well(bed, filler, sick):
    """The repair happens once the sick state has been shown."""
    with Terminal("status", "--kubeconfig", bed.kubeconfig(), "--wait", "10m", "--every", "200ms") as terminal:
        terminal.until(lambda screen: "FAULT" in screen)
        filler.fill(all_is_well.build())
        assert terminal.end() == 0
    assert "HEALTHY" in terminal.screen


def test_waiting_ends_after_its_time(bed, sick):
    run = process("status", "--kubeconfig", bed.kubeconfig(), "--wait", "1s", "--every", "200ms")
    assert run.code == 1
    assert "not healthy after 1 s" in run.err


def test_waiting_outlasts_an_api_server_that_is_away(bed, well):
    run = process("status", "--kubeconfig", bed.kubeconfig(server="https://127.0.0.1:1"), "--wait", "1s")
    assert run.code == 3
    assert "not healthy after 1 s" in run.err


def test_watching_refreshes_in_place_and_marks_what_changed(bed, filler, sick):
    with Terminal("status", "--kubeconfig", bed.kubeconfig(), "--watch", "--every", "200ms") as terminal:
        terminal.until(lambda screen: "FAULT" in screen)
        filler.fill(all_is_well.build())
        # While the cluster changes it may be seen half-way, with pods that are ready and logs that cannot be read yet.
        screens = terminal.until(lambda screen: "HEALTHY" in screen)
    marked = [line for line in screens.splitlines() if "*" in line[:20]]
    assert any("calico-node" in line for line in marked)


def test_where_nobody_looks_only_news_is_written(bed, sick):
    """Into a pipe the same state is written once, however often it is seen."""
    run = process("status", "--kubeconfig", bed.kubeconfig(), "--wait", "3s", "--every", "100ms")
    assert run.out.count("FAULT") == 1


def test_ctrl_c_gives_the_answer_from_what_has_arrived(bed, sick):
    """Pressed when the first log is asked for, which then does not come."""
    asked, enough = threading.Event(), threading.Event()

    def hold(_node: str, path: str) -> None:
        if "containerLogs" in path:
            asked.set()
            enough.wait(60)

    bed.kubelets.on_request = hold
    try:
        with Terminal("diagnose", "--kubeconfig", bed.kubeconfig()) as terminal:
            terminal.until(lambda _screen: asked.is_set())
            terminal.press_interrupt()
            code = terminal.end()
    finally:
        enough.set()
        bed.kubelets.on_request = None
    assert code in (1, 2)
    assert "the answer is based on what has arrived so far" in terminal.screen
    assert "kube-proxy" in terminal.screen
    assert "Traceback" not in terminal.screen


def find_calico_pod(client):
    pods = client.get("/api/v1/pods?labelSelector=k8s-app%3Dcalico-node")["items"]
    return pods[0]["metadata"]


def wait_on(bed, user, namespace: str, seconds: float) -> float:
    """How long a wait took that began now."""
    connection = connect(Access(kubeconfig=str(bed.kubeconfig(user))))
    version = find_pods_version(connection)
    began = time.monotonic()
    wait_for_change(connection, [namespace], version, seconds)
    return time.monotonic() - began


def test_nothing_is_read_anew_while_nothing_changes(bed, well):
    assert wait_on(bed, ADMIN, find_calico_pod(bed.client)["namespace"], 2) >= 2


def test_a_pod_that_changes_ends_the_wait(bed, well):
    pod = find_calico_pod(bed.client)
    path = f"/api/v1/namespaces/{pod['namespace']}/pods/{pod['name']}"
    over = threading.Event()

    def touch() -> None:
        """Again and again, for nobody knows when the wait begins."""
        times = 0
        while not over.wait(0.5):
            times += 1
            label = {"metadata": {"labels": {"touched": str(times)}}}
            bed.client.send("PATCH", path, label, "application/merge-patch+json")

    touching = threading.Thread(target=touch)
    touching.start()
    try:
        assert wait_on(bed, ADMIN, pod["namespace"], 60) < 30
    finally:
        over.set()
        touching.join()


def test_who_may_not_watch_looks_again_after_the_pause(bed, well):
    assert wait_on(bed, READER, find_calico_pod(bed.client)["namespace"], 60) < 10

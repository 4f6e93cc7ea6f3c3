"""Reachability tests: pods across nodes, services and node ports."""

from __future__ import annotations

import pytest

from tests.facts.drawing import nodes, pods, sightings

CLUSTER = nodes("birch-1 Ready 10.71.0.11", "birch-2 Ready 10.71.0.12") + pods(
    "calico-node-7tq4n 1/1 Running 0 9d 10.71.0.12 birch-2",
    "wiki-7d9c6bb9d8-pjw4s 1/1 Running 0 9d 10.244.43.9 birch-1",
)


def ping(target, received=0, host="birch-2"):
    loss = 100 - received * 100 // 3
    return (
        f"[root@{host} ~]# ping -c 3 -W 2 {target}\nPING {target} ({target}) 56(84) bytes of data.\n\n"
        f"--- {target} ping statistics ---\n3 packets transmitted, {received} received, {loss}% packet loss, time 2000ms\n\n"
    )


def curl(url, answer, host="birch-2"):
    return f"[root@{host} ~]# curl -m 5 http://{url}/\n{answer}\n"


TIMEOUT = "curl: (28) Connection timed out after 5003 milliseconds"
REFUSED = "curl: (7) Failed connect to {}; Connection refused"


class TestPodTraffic:
    @pytest.mark.parametrize("test", [ping("10.244.43.9"), curl("10.244.43.9:8080", TIMEOUT)], ids=["ping", "curl"])
    def test_a_pod_that_does_not_answer(self, test):
        (seen,) = sightings("pod-traffic-lost", CLUSTER + test)
        assert seen.node == "birch-2"
        assert seen.values["target"].startswith("10.244.43.9")

    def test_an_address_of_the_pool_counts_like_a_pod(self):
        pool = "[root@bastion ~]# calicoctl get ippool -o wide\nNAME      CIDR            NAT    IPIPMODE   VXLANMODE   DISABLED\nmain      10.244.0.0/16   true   Always     Never       false\n"
        assert len(sightings("pod-traffic-lost", pool + ping("10.244.99.9"))) == 1

    @pytest.mark.parametrize(
        "test", [ping("10.244.43.9", received=3), curl("10.244.43.9:8080", "<html>ok</html>"), ping("10.71.0.12"), ping("10.9.9.9")],
        ids=["answers ping", "answers curl", "a node", "a stranger"],
    )  # fmt: skip
    def test_silent(self, test):
        assert sightings("pod-traffic-lost", CLUSTER + test) == []

    def test_a_node_is_no_pod_even_where_only_its_pods_were_listed(self):
        rows = pods("calico-node-7tq4n 1/1 Running 0 9d 10.71.0.12 birch-2")
        assert sightings("pod-traffic-lost", rows + curl("10.71.0.12:31180", TIMEOUT, host="birch-1")) == []


SERVICE = "[root@bastion ~]# kubectl -n wiki get svc\nNAME   TYPE       CLUSTER-IP      EXTERNAL-IP   PORT(S)        AGE\nwiki   NodePort   10.105.71.233   <none>        80:31180/TCP   88d\nhead   ClusterIP  None            <none>        80/TCP         88d\n"


class TestService:
    @pytest.mark.parametrize(
        ("test", "outcome"),
        [
            (curl("10.105.71.233:80", TIMEOUT), "timeout"),
            (curl("10.71.0.12:31180", TIMEOUT), "timeout"),
            (curl("10.71.0.12:31180", REFUSED.format("10.71.0.12:31180")), "refused"),
        ],
        ids=["cluster IP", "node port", "refused"],
    )
    def test_fires(self, test, outcome):
        (seen,) = sightings("service-unreachable", CLUSTER + SERVICE + test)
        assert (seen.node, seen.values["outcome"]) == ("birch-2", outcome)

    @pytest.mark.parametrize(
        "test", [curl("10.105.71.233:80", "<html>ok</html>"), curl("10.71.0.12:8080", TIMEOUT), curl("10.71.0.12:32768", TIMEOUT)],
        ids=["answers", "some port", "above the node ports"],
    )  # fmt: skip
    def test_silent(self, test):
        assert sightings("service-unreachable", CLUSTER + SERVICE + test) == []

    @pytest.mark.parametrize(("port", "fires"), [(29999, False), (30000, True), (32767, True)])
    def test_the_range_of_node_ports(self, port, fires):
        assert bool(sightings("service-unreachable", curl(f"10.71.0.12:{port}", TIMEOUT))) is fires

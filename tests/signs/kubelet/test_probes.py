"""How probes fail, and how they are set."""

from __future__ import annotations

import pytest

from tests.facts.drawing import pods, sightings

ROWS = pods("calico-node-7tq4n 0/1 Running 4 9d 10.71.0.12 birch-2")


def events(*messages, pod="calico-node-7tq4n", seen="12s (x9 over 3m)"):
    head = "[root@bastion ~]# kubectl -n kube-system get events\nLAST SEEN   TYPE   REASON   OBJECT   MESSAGE\n"
    return head + "".join(f"{seen}   Warning   Unhealthy   pod/{pod}   {message}\n" for message in messages)


class TestFailedWithoutAWord:
    @pytest.mark.parametrize(
        ("message", "kind"),
        [
            ("Readiness probe failed:", "Readiness"),
            ("Readiness probe failed: ", "Readiness"),
            ("Liveness probe failed:", "Liveness"),
            ('Readiness probe failed: command "/bin/calico-node -bird-ready -felix-ready" timed out', "Readiness"),
            ('Liveness probe failed: command timed out: "/bin/calico-node -felix-live" timed out after 1s', "Liveness"),
            ("(combined from similar events): Readiness probe failed:", "Readiness"),
        ],
    )
    def test_fires(self, message, kind):
        (seen,) = sightings("probe-failed-empty", ROWS + events(message))
        assert (seen.node, seen.values["kind"], seen.count) == ("birch-2", kind, 9)

    @pytest.mark.parametrize(
        "message",
        [
            "Readiness probe failed: calico/node is not ready: BIRD is not ready: BGP not established with 10.71.0.11",
            "Readiness probe failed: calico/node is not ready: felix is not ready: readiness probe reporting 503",
            "Liveness probe failed: Get http://localhost:9099/liveness: dial tcp 127.0.0.1:9099: connect: connection refused",
        ],
    )
    def test_stays_silent_where_the_probe_says_why(self, message):
        assert sightings("probe-failed-empty", ROWS + events(message)) == []

    @pytest.mark.parametrize(
        "pod", ["coredns-78fcd69978-5vq7l", "calico-kube-controllers-85b5b5888d-mx2zf", "etcd-birch-1"]
    )
    def test_stays_silent_on_other_parts_of_the_cluster(self, pod):
        assert sightings("probe-failed-empty", events("Readiness probe failed:", pod=pod)) == []

    def test_stays_silent_on_applications(self):
        assert sightings("probe-failed-empty", events("Liveness probe failed:", pod="redis-84c6b9d7f5-9hxkt")) == []

    def test_an_event_whose_pod_was_cut_off_counts(self):
        text = (
            "Events:\n  Type     Reason     Age               From              Message\n"
            "  ----     ------     ----              ----              -------\n"
            "  Warning  Unhealthy  12s (x9 over 3m)  kubelet, birch-2  Readiness probe failed:\n"
        )
        assert [seen.node for seen in sightings("probe-failed-empty", text)] == ["birch-2"]


def probe(line):
    return (
        "[root@bastion ~]# kubectl -n kube-system describe pod calico-node-7tq4n\nName: calico-node-7tq4n\n"
        "Node: birch-2/10.71.0.12\nStatus: Running\nContainers:\n  calico-node:\n    Image: calico/node:v3.19.1\n"
        f"    State: Running\n    Ready: False\n    Restart Count: 3\n    {line}\n"
    )


class TestOneSecond:
    @pytest.mark.parametrize("kind", ["Liveness", "Readiness"])
    def test_fires_on_the_default(self, kind):
        line = f"{kind}:   exec [/bin/calico-node -felix-live] delay=10s timeout=1s period=10s #success=1 #failure=6"
        (seen,) = sightings("probe-timeout-one-second", probe(line))
        assert (seen.node, seen.values["kind"]) == ("birch-2", kind.lower())

    @pytest.mark.parametrize(
        "line",
        [
            "Liveness:   exec [/bin/calico-node -felix-live] delay=10s timeout=10s period=10s #success=1 #failure=6",
            "Liveness:   http-get http://localhost:9099/liveness delay=10s timeout=1s period=10s #success=1 #failure=6",
            "Liveness:   exec [/usr/bin/redis-cli ping] delay=10s timeout=1s period=10s #success=1 #failure=6",
        ],
    )
    def test_stays_silent(self, line):
        assert sightings("probe-timeout-one-second", probe(line)) == []


class TestSeldom:
    def test_a_few_in_many_days(self):
        told = events('Readiness probe failed: command "/bin/calico-node" timed out', seen="51m (x3 over 60d)")
        assert len(sightings("probes-fail-seldom", ROWS + told)) == 1

    @pytest.mark.parametrize("seen", ["12s (x9 over 3m)", "40s", "2m (x80 over 9d)"])
    def test_often_or_not_known(self, seen):
        told = events("Liveness probe failed:", seen="51m (x3 over 60d)") + events("Readiness probe failed:", seen=seen)
        assert sightings("probes-fail-seldom", ROWS + told) == []


class TestCutOffAtOneSecond:
    LIMITED = "Readiness: exec [/bin/calico-node -felix-ready -bird-ready] delay=0s timeout={}s period=10s #success=1"

    def test_fires_where_the_limit_and_the_silence_are_of_one_kind(self):
        text = probe(self.LIMITED.format(1)) + events("Readiness probe failed:")
        assert [seen.values["kind"] for seen in sightings("probe-cut-off-at-one-second", text)] == ["Readiness"]

    def test_stays_silent_for_a_longer_limit_or_another_probe(self):
        longer = probe(self.LIMITED.format(10)) + events("Readiness probe failed:")
        assert sightings("probe-cut-off-at-one-second", longer) == []
        other = probe(self.LIMITED.format(1)) + events("Liveness probe failed:")
        assert sightings("probe-cut-off-at-one-second", other) == []

"""Starts against the time their own liveness probe allows."""

from __future__ import annotations

import pytest

from tests.facts.drawing import pods, sightings

HEAD = "[root@bastion ~]# kubectl -n kube-system describe pod {pod}\nName: {pod}\nNamespace: kube-system\nNode: birch-2/10.71.0.12\n"
PROBE = "    Liveness:   {what} delay={delay}s timeout=1s period={period}s #success=1 #failure={failures}\n"
EXEC = "exec [/bin/calico-node -felix-live -bird-live]"


def probed(what=EXEC, delay=10, period=10, failures=6, container="calico-node", last=None):
    """A described pod with a liveness probe and, where given, the bounds of its last run."""
    ended = (
        f"""    Last State:     Terminated
      Reason:       Error
      Exit Code:    137
      Started:      Tue, 15 Mar 2022 {last[0]} +0100
      Finished:     Tue, 15 Mar 2022 {last[1]} +0100
"""
        if last
        else ""
    )
    return (
        HEAD.format(pod="calico-node-7tq4n") + f"Status:  Running\nContainers:\n  {container}:\n"
        "    Image:         docker.io/calico/node:v3.21.4\n    State:          Running\n" + ended +
        "    Ready:          False\n    Restart Count:  9\n" + PROBE.format(what=what, delay=delay, period=period, failures=failures)
    )  # fmt: skip


def log(seconds, last="Using node name: birch-2", level="INFO"):
    command = "[root@bastion ~]# kubectl -n kube-system logs calico-node-7tq4n -c calico-node --previous\n"
    return command + (
        "2022-03-15 09:00:00.000 [INFO][9] startup/startup.go 396: Early log level set to info\n"
        f"2022-03-15 09:{seconds // 60:02}:{seconds % 60:02}.000 [{level}][9] startup/startup.go 213: {last}\n"
    )


class TestStartAgainstBudget:
    @pytest.mark.parametrize(("seconds", "fires"), [(20, False), (55, False), (56, True), (70, True), (200, True)])
    def test_the_boundary_is_near_the_whole_budget(self, seconds, fires):
        # 10 s delay and six failures ten seconds apart: killed after 70 s.
        assert bool(sightings("start-slower-than-liveness-budget", probed() + log(seconds))) is fires

    def test_what_it_says(self):
        (seen,) = sightings("start-slower-than-liveness-budget", probed() + log(66))
        assert (seen.node, seen.values) == ("birch-2", {"took": "66", "budget": "70"})

    @pytest.mark.parametrize(
        ("settings", "budget"),
        [
            ({"delay": 0, "failures": 3}, "30"),
            ({"delay": 300, "failures": 6}, "360"),
            ({"what": "http-get http://:9099/liveness"}, "70"),
            ({"what": "http-get http://localhost:9099/liveness", "period": 20, "failures": 3}, "70"),
        ],
    )
    def test_the_budget_is_the_probes_own(self, settings, budget):
        (seen,) = sightings("start-slower-than-liveness-budget", probed(**settings) + log(700))
        assert seen.values["budget"] == budget

    def test_without_a_liveness_probe_there_is_no_budget(self):
        assert sightings("start-slower-than-liveness-budget", log(700)) == []
        assert (
            sightings("start-slower-than-liveness-budget", probed().replace("Liveness", "Readiness") + log(700)) == []
        )

    def test_the_probe_of_something_else_is_no_budget(self):
        other = probed(what="http-get http://:8080/healthz", container="orders")
        assert sightings("start-slower-than-liveness-budget", other + log(700)) == []

    @pytest.mark.parametrize(
        ("ended", "fires"),
        [("09:00:55", False), ("09:00:56", True), ("09:01:12", True), ("09:01:55", True), ("09:01:56", False)],
    )
    def test_killed_just_when_the_budget_is_spent(self, ended, fires):
        assert bool(sightings("killed-at-liveness-budget", probed(last=("09:00:00", ended)))) is fires

    def test_another_container_killed_at_that_time_does_not_count(self):
        text = probed() + probed(container="install-cni", last=("09:00:00", "09:01:12")).replace("[root", "\n[root", 1)
        assert sightings("killed-at-liveness-budget", text) == []


class TestLogCutShort:
    def test_a_start_that_just_stops(self):
        (seen,) = sightings(
            "start-log-cut-short", pods("calico-node-7tq4n 0/1 Running 4 9d 10.71.0.12 birch-2") + log(66)
        )
        assert seen.node == "birch-2"
        assert "Using node name" in seen.values["last"]

    @pytest.mark.parametrize(
        "text",
        [
            log(9, last="Calico node started successfully"),
            log(9, level="ERROR"),
            log(9, level="FATAL"),
            log(9, last="Terminating"),
        ],
    )
    def test_a_start_that_ended_in_words_did_not_just_stop(self, text):
        assert sightings("start-log-cut-short", text) == []

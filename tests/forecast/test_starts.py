"""Probe timings against starts as they were measured."""

from __future__ import annotations

import pytest

from tests.facts.drawing import pods
from tests.forecast.cluster import DESK, HERONS, evidence, troubles, whatif

PROBES = """
        livenessProbe:
          exec:
            command: [/bin/calico-node, -felix-live, -bird-live]
          initialDelaySeconds: 10
          periodSeconds: 10
          failureThreshold: 6
          timeoutSeconds: {timeout}
"""
THRESHOLD = "livenessProbe.failureThreshold="


def settings(timeout=10, startup=""):
    text = f"{DESK}kubectl -n kube-system get daemonset calico-node -o yaml\nkind: DaemonSet\nmetadata:\n  name: calico-node\n"
    text += "spec:\n  template:\n    spec:\n      containers:\n      - name: calico-node\n"
    return text + PROBES.format(timeout=timeout).lstrip("\n") + startup


def pod_of(node):
    return f"calico-node-{node[-1] * 5}"


def log(node, alive=None, last=None):
    """The log of a start that Felix joins after so many seconds, or that breaks off."""
    at = lambda seconds: f"2024-05-06 09:{seconds // 60:02}:{seconds % 60:02}.000"  # noqa: E731
    text = f"{DESK}kubectl -n kube-system logs {pod_of(node)} -c calico-node\n"
    text += f"{at(0)} [INFO][9] startup/startup.go 425: Early log level set to info\n"
    text += f"{at(0)} [INFO][9] startup/startup.go 94: Starting node {node} with version v3.28.2\n"
    if last is not None:
        text += f"{at(last)} [INFO][9] startup/startup.go 430: Hit error connecting to datastore - retry\n"
    if alive is not None:
        text += f"{at(alive)} [INFO][61] felix/daemon.go 400: Successfully loaded configuration.\n"
        text += f"{at(alive + 30)} [INFO][61] felix/int_dataplane.go 1836: Received interface update\n"
    return text


def cluster(*logs, more=""):
    running = pods(*(f"{pod_of(one.name)} 1/1 Running 0 9d {one.internal} {one.name}" for one in HERONS))
    return evidence(*HERONS, more=running + settings() + "".join(logs) + more)


@pytest.mark.parametrize(
    ("alive", "threshold", "before", "after"),
    [
        (20, 12, "survives", "survives"),
        # 10 s of delay and six failures ten seconds apart: killed between 60 and 70 s.
        (60, 6, "survives", "survives"),
        (65, 6, "close", "close"),
        (71, 6, "killed", "killed"),
        (95, 12, "killed", "survives"),
        (125, 12, "killed", "close"),
        (95, 3, "killed", "killed"),
        (35, 3, "survives", "close"),
        (45, 3, "survives", "killed"),
    ],
)
def test_a_start_outlives_its_probe_or_not(alive, threshold, before, after):
    outcome = whatif(f"{THRESHOLD}{threshold}", of=cluster(log("heron-1", alive)))
    (found,) = outcome.starts
    assert (found.start.node, found.start.seconds, found.start.finished) == ("heron-1", alive, True)
    assert (found.before, found.after) == (before, after)


def test_who_would_not_start():
    outcome = whatif(f"{THRESHOLD}2", of=cluster(*(log(f"heron-{n}", 10 * n) for n in (1, 2, 3))))
    assert troubles(outcome) == {"heron-3": ["start-close"]}
    assert outcome.verdict == "broken"


def test_a_start_that_was_cut_off_takes_longer_than_was_seen():
    outcome = whatif(f"{THRESHOLD}12", of=cluster(log("heron-1", last=66)))
    assert outcome.starts[0].after == "unknown"
    assert [(one.what, one.node, one.detail) for one in outcome.missing] == [("start-log", "heron-1", "66")]
    assert outcome.verdict == "unclear"


def test_a_start_that_was_cut_off_later_than_the_limit_is_killed_again():
    assert whatif(f"{THRESHOLD}3", of=cluster(log("heron-1", last=66))).starts[0].after == "killed"


def test_the_end_of_a_log_is_no_start():
    tail = log("heron-1", 95).splitlines(keepends=True)
    outcome = whatif(f"{THRESHOLD}12", of=cluster("".join((tail[0], *tail[3:]))))
    assert outcome.starts == []


@pytest.mark.parametrize(("minutes", "measured"), [(1, [80.0]), (45, [])])
def test_a_container_that_was_killed_early_was_still_starting(minutes, measured):
    described = (
        f"{DESK}kubectl -n kube-system describe pod {pod_of('heron-1')}\nName: {pod_of('heron-1')}\nNamespace: kube-system\n"
        "Node: heron-1/10.44.0.11\nStatus:  Running\nContainers:\n  calico-node:\n    State:          Running\n"
        "    Last State:     Terminated\n      Reason:       Error\n      Exit Code:    137\n"
        f"      Started:      Tue, 15 Mar 2022 10:00:00 +0100\n      Finished:     Tue, 15 Mar 2022 10:{minutes:02}:20 +0100\n"
    )
    outcome = whatif(f"{THRESHOLD}12", of=cluster(more=described))
    assert [one.start.seconds for one in outcome.starts] == measured


def test_more_time_harms_nobody_who_starts_now():
    assert whatif(f"{THRESHOLD}12", of=cluster()).verdict == "fine"


def test_with_less_time_every_start_must_be_known():
    outcome = whatif(f"{THRESHOLD}2", of=cluster(log("heron-1", 5)))
    assert [(one.what, one.node) for one in outcome.missing] == [("start-log", "heron-2"), ("start-log", "heron-3")]


def test_probes_that_were_not_seen_are_asked_for():
    outcome = whatif(f"{THRESHOLD}12", of=evidence(*HERONS))
    assert "probes" in {one.what for one in outcome.missing}


def test_a_startup_probe_stands_before_liveness():
    outcome = whatif(
        "startupProbe.failureThreshold=150", "startupProbe.periodSeconds=2", of=cluster(log("heron-1", 200))
    )
    assert (outcome.starts[0].before, outcome.starts[0].after) == ("killed", "survives")


class TestTimeout:
    EVENT = (
        DESK + "kubectl -n kube-system get events\n"
        "LAST SEEN   TYPE      REASON      OBJECT                  MESSAGE\n"
        "2m          Warning   Unhealthy   pod/calico-node-22222   Liveness probe failed: command timed out\n"
    )

    def test_a_shorter_limit_for_a_probe_that_is_cut_off_already(self):
        outcome = whatif("livenessProbe.timeoutSeconds=5", of=cluster(log("heron-2", 5), more=self.EVENT))
        assert troubles(outcome) == {"heron-2": ["probe-cut-off"]}

    def test_how_long_it_needs_was_never_measured(self):
        outcome = whatif("livenessProbe.timeoutSeconds=30", of=cluster(more=self.EVENT))
        assert [(one.what, one.node) for one in outcome.missing] == [("probe-duration", "heron-2")]

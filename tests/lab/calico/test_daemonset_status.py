"""The status of a DaemonSet as the lab writes it in place of its controller: checked without a lab."""

from __future__ import annotations

from typing import Any

from tests.lab.calico.cluster import MADE_FROM, count_pods, name_revision
from tests.lab.calico.pod import Pod

OLD, NEW = {"spec": {"hostNetwork": True}}, {"spec": {"hostNetwork": True, "env": "new"}}
DAEMONSET: dict[str, Any] = {"metadata": {"generation": 2}, "spec": {"template": NEW}}


def made_from(template: dict[str, Any], *, ready: bool) -> Pod:
    head = {"labels": {MADE_FROM: name_revision(template)}}
    pod = Pod.of({"metadata": head, "spec": {"containers": [{"name": "calico-node"}]}})
    pod.mains[0].ready = ready
    return pod


def test_a_rollout_that_stands_still_shows():
    pods = [made_from(OLD, ready=True), made_from(NEW, ready=False), made_from(OLD, ready=True)]
    status = count_pods(DAEMONSET, pods, wanted=3, elsewhere=0)
    assert (status["desiredNumberScheduled"], status["numberReady"], status["numberUnavailable"]) == (3, 2, 1)
    assert (status["updatedNumberScheduled"], status["observedGeneration"]) == (1, 2)


def test_the_pod_of_a_node_that_is_gone_counts_as_scheduled():
    status = count_pods(DAEMONSET, [made_from(NEW, ready=True)], wanted=2, elsewhere=1)
    assert (status["currentNumberScheduled"], status["numberReady"], status["numberUnavailable"]) == (2, 1, 1)

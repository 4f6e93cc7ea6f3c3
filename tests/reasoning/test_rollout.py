from __future__ import annotations

import pytest

from calivet.reasoning.short_workloads import describe_rollout
from tests.facts.drawing import picture_of

SHOWN = """\
$ kubectl get daemonsets -A
NAMESPACE     NAME          DESIRED   CURRENT   READY   UP-TO-DATE   AVAILABLE   NODE SELECTOR            AGE
kube-system   calico-node   3         3         {ready}       {ready}            {ready}           kubernetes.io/os=linux   48d
$ kubectl get pods -n kube-system -o wide
NAME                READY   STATUS    RESTARTS   AGE    IP           NODE
calico-node-aaaaa   1/1     Running   0          48d    10.20.0.11   cp-1
calico-node-bbbbb   0/1     {status}   {restarts}          {age}    10.20.0.21   w-1
calico-node-ccccc   1/1     Running   0          48d    10.20.0.22   w-2
"""


def described(status="Init:1/3", restarts="0", age="14s", ready="2"):
    return describe_rollout(picture_of(SHOWN.format(status=status, restarts=restarts, age=age, ready=ready)))


def test_pods_that_have_only_just_been_made_are_waited_for():
    words = described()
    assert "2 of 3 are ready" in words.en
    assert "--wait" in words.en
    assert "--wait" in words.zh


@pytest.mark.parametrize("given", [{"age": "14m"}, {"restarts": "4", "status": "CrashLoopBackOff"}])
def test_what_has_had_its_time_is_no_rollout(given):
    assert described(**given) is None

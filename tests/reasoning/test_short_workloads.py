"""A workload of Calico with fewer ready pods than it wants, in a table or as an object."""

from __future__ import annotations

import pytest

from calivet.reasoning.short_workloads import find_short_workloads
from tests.facts.drawing import picture_of, table

ROOT = "[root@bastion ~]# "
DEPLOYMENTS = "NAME READY UP-TO-DATE AVAILABLE AGE"
DAEMON_SETS = "NAME DESIRED CURRENT READY UP-TO-DATE AVAILABLE NODE~SELECTOR AGE"
OBJECT = """[root@bastion ~]# kubectl get ds calico-node -o yaml
apiVersion: apps/v1
kind: DaemonSet
metadata:
  name: calico-node
  namespace: kube-system
"""


def told(text):
    return [doubt.says.en for doubt in find_short_workloads(picture_of(text))]


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ("calico-kube-controllers 0/1 1 0 9d", ["calico-kube-controllers: 0 of 1 ready"]),
        ("calico-typha 3/3 3 3 9d", []),
        ("coredns 1/2 2 1 9d", ["coredns: 1 of 2 ready"]),
        ("shop-api 0/4 4 0 9d", []),
        ("calico-typha 0/0 0 0 9d", []),
    ],
)
def test_deployments(row, expected):
    assert told(f"{ROOT}kubectl get deploy -A\n{table(DEPLOYMENTS, row)}") == expected


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ("calico-node 3 3 2 3 2 kubernetes.io/os=linux 9d", ["calico-node: 2 of 3 ready"]),
        ("calico-node 3 3 3 3 3 kubernetes.io/os=linux 9d", []),
        ("kube-proxy 0 0 0 0 0 non-calico=true 9d", []),
        ("log-shipper 3 3 0 3 0 <none> 9d", []),
    ],
)
def test_daemon_sets(row, expected):
    assert told(f"{ROOT}kubectl get ds -A\n{table(DAEMON_SETS, row)}") == expected


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        ("status:\n  desiredNumberScheduled: 7\n  numberReady: 6\n", ["calico-node: 6 of 7 ready"]),
        ("status:\n  desiredNumberScheduled: 7\n", ["calico-node: 0 of 7 ready"]),
        ("status:\n  desiredNumberScheduled: 7\n  numberReady: 7\n", []),
        ("spec:\n  revisionHistoryLimit: 10\n", []),
    ],
)
def test_an_object_with_and_without_a_status(status, expected):
    assert told(OBJECT + status) == expected

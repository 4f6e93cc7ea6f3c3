from __future__ import annotations

import pytest

from calivet.signs.runtime.cgroup_drivers import find_killed_while_healthy
from tests.facts.drawing import picture_of

SHOWN = """\
$ kubectl get pods -n kube-system -o wide
NAME                READY   STATUS    RESTARTS   AGE    IP           NODE
calico-node-bbbbb   0/1     {status}   {restarts}   2h    10.20.0.21   w-1
$ kubectl logs -n kube-system calico-node-bbbbb -c calico-node
2026-11-15 09:12:03.500 [INFO][61] felix/health.go 336: Overall health status changed: live=true ready=true
"""


@pytest.mark.parametrize(("status", "restarts", "count"), [("Running", "0", 0), ("CrashLoopBackOff", "17", 1)])
def test_one_that_never_ended_is_not_being_ended(status, restarts, count):
    found = list(find_killed_while_healthy(picture_of(SHOWN.format(status=status, restarts=restarts))))
    assert len(found) == count

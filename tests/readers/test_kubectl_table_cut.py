"""A table that was cut in the middle of a row is told from one that ends."""

from __future__ import annotations

import pytest

from calivet.facts.kubernetes import CutRow
from tests.facts.drawing import picture_of

WHOLE = """[root@birch-1 ~]# kubectl get pods -A
NAMESPACE     NAME                READY   STATUS    RESTARTS   AGE
kube-system   calico-node-2bs6x   1/1     Running   0          30d
kube-system   calico-node-7tq4n   1/1     Running   0          30d
"""


@pytest.mark.parametrize(
    ("last", "cut"),
    [
        ("kube-system   calico-no", 1),
        ("kube-system   calico-node-9", 1),
        ("kube-sys", 1),
        ("", 0),
        ("kube-system   coredns-5d78c9869d-9hxkt   1/1     Running   0          30d", 0),
    ],
)
def test_the_last_row(last, cut):
    assert len(picture_of(WHOLE + last + "\n").all(CutRow)) == cut

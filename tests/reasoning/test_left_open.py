"""One node's fault does not hide another node's: what no finding explains is named, with what to look at."""

from __future__ import annotations

from calivet.evidence.artifact import Evidence
from calivet.pipeline import diagnose
from calivet.reports.diagnosis.text import to_text
from calivet.reports.layout.terminal import Layout
from calivet.signs.sign_detector import prepare_detector
from tests.facts.drawing import artifacts_of

SHOWN = """\
$ kubectl get nodes -o wide
NAME    STATUS     ROLES           AGE   VERSION   INTERNAL-IP
cp-1    Ready      control-plane   2h    v1.33.5   10.20.0.11
w-1     Ready      <none>          2h    v1.33.5   10.20.0.21
w-3     {status}   <none>          2h    v1.33.5   10.20.0.23
$ kubectl get pods -n kube-system -o wide
NAME                READY   STATUS    RESTARTS   AGE   IP           NODE
calico-node-aaaaa   1/1     Running   0          2h    10.20.0.11   cp-1
calico-node-bbbbb   0/1     Running   0          2h    10.20.0.21   w-1
calico-node-ddddd   1/1     Running   0          2h    10.20.0.23   w-3
$ kubectl logs -n kube-system calico-node-bbbbb -c calico-node
2026-11-16 15:44:16.961 [INFO][9] startup/autodetection_methods.go 103: Using autodetected IPv4 address on interface docker0: 172.17.0.1/16
2026-11-16 18:10:00.111 [WARNING][5000] node/health.go 151: calico/node is not ready: BIRD is not ready: BGP not established with 10.20.0.11
"""


def answer(status: str):
    return diagnose(Evidence(artifacts_of(SHOWN.format(status=status))), *prepare_detector())


def test_a_sick_node_beside_anothers_fault_is_a_second_question():
    diagnosis = answer("NotReady")
    assert [found.nodes for found in diagnosis.findings] == [["w-1"]]
    assert [doubt.says.en for doubt in diagnosis.doubts] == ["w-3 is NotReady"]
    assert any(item.run == "kubectl describe node w-3" for item in diagnosis.next)
    assert "w-3 is NotReady" in to_text(diagnosis, Layout("en", 120, colour=False))


def test_where_the_finding_explains_all_nothing_is_left():
    diagnosis = answer("Ready   ")
    assert [found.nodes for found in diagnosis.findings] == [["w-1"]]
    assert diagnosis.doubts == []

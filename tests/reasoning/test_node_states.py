"""Which nodes are said to be sick, and which healthy."""

from __future__ import annotations

from calivet.evidence.artifact import Document
from calivet.evidence.gather import gather_documents
from calivet.pipeline import diagnose
from calivet.signs.sign_detector import prepare_detector

NODES = "[root@birch-1 ~]# kubectl get nodes\nNAME      STATUS   ROLES    AGE   VERSION\n"
PODS = "[root@birch-1 ~]# kubectl -n kube-system get pods -o wide\nNAME                READY   STATUS    RESTARTS   AGE   IP           NODE      NOMINATED NODE   READINESS GATES\n"


def node(name, status):
    return f"{name}   {status}    <none>   9d    v1.28.4\n"


def pod(name, ready, on):
    return f"{name}   {ready}     Running   0          9d    10.71.0.12   {on}   <none>           <none>\n"


def states(text):
    answer = diagnose(gather_documents([Document("session.txt", text.splitlines())]), *prepare_detector())
    return answer.sick_nodes, answer.healthy_nodes


def test_a_ready_calico_node_makes_a_healthy_one():
    assert states(PODS + pod("calico-node-7tq4n", "1/1", "birch-1")) == ([], ["birch-1"])


def test_ready_alone_says_too_little():
    assert states(NODES + node("birch-1", "Ready")) == ([], [])


def test_what_was_sick_once_is_not_healthy():
    first = PODS + pod("calico-node-7tq4n", "0/1", "birch-1")
    assert states(first + PODS + pod("calico-node-7tq4n", "1/1", "birch-1")) == (["birch-1"], [])


def test_not_ready_is_sick_whatever_runs_there():
    text = NODES + node("birch-1", "NotReady") + PODS + pod("calico-node-7tq4n", "1/1", "birch-1")
    assert states(text) == (["birch-1"], [])

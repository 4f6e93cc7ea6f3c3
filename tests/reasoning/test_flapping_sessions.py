"""Sessions that are lost and come back are an effect; what else is seen tells of which cause."""

from __future__ import annotations

import pytest

from calivet.evidence.artifact import Document
from calivet.evidence.gather import gather_documents
from calivet.pipeline import diagnose
from calivet.reasoning.graph import Graph
from calivet.signs.sign_detector import SignDetector
from tests.facts.drawing import picture_of
from tests.shipped import load_shipped_catalogue

CATALOGUE = load_shipped_catalogue()
EFFECT = "bgp-flapping"


@pytest.mark.parametrize(
    "cause", ["node-overload", "mtu-mismatch", "conntrack-full", "node-unreachable", "firewall-on-host", "host-oom"]
)
def test_it_follows_from_what_keeps_keepalives_away(cause):
    assert Graph(CATALOGUE).leads(cause, EFFECT)


def test_it_follows_from_no_fault_that_never_lets_a_session_up():
    for cause in ("bgp-as-mismatch", "bgp-password-mismatch", "bgp-config-wrong", "bird-not-running"):
        assert EFFECT not in CATALOGUE.causes[cause].leads_to


def test_a_session_that_expired_is_seen_and_names_no_cause():
    text = "bird: Mesh_10_4_9_8: Error: Hold timer expired\nbird: Mesh_10_4_9_8: BGP session established\n"
    seen = SignDetector(CATALOGUE).look(picture_of({"bird.log": text}))
    assert EFFECT in {key.owner for key in seen}
    document = Document("bird.log", text.split("\n"))
    assert not diagnose(gather_documents([document]), CATALOGUE, SignDetector(CATALOGUE)).findings


LOST = "bird: Mesh_10_4_9_8: Error: Hold timer expired\nbird: Mesh_10_4_9_8: BGP session established\n"
LOGS = "$ kubectl logs -n kube-system calico-node-5l9ps\n"
WELL = """
$ kubectl get nodes
NAME     STATUS   ROLES    AGE   VERSION
ford-1   Ready    worker   88d   v1.29.3
ford-2   Ready    worker   88d   v1.29.3
$ kubectl -n kube-system get pods -o wide -l k8s-app=calico-node
NAME                READY   STATUS    RESTARTS   AGE    IP          NODE
calico-node-5l9ps   1/1     Running   0          88d    10.4.9.7    ford-1
calico-node-b2x7q   1/1     Running   0          88d    10.4.9.8    ford-2
"""


@pytest.mark.parametrize(("times", "verdict"), [(1, "healthy"), (3, "insufficient")])
def test_a_cluster_with_sessions_that_come_and_go_is_not_called_healthy(times, verdict):
    documents = [
        Document(name, text.split("\n")) for name, text in (("state.txt", WELL), ("bird.log", LOGS + LOST * times))
    ]
    assert diagnose(gather_documents(documents), CATALOGUE, SignDetector(CATALOGUE)).verdict == verdict

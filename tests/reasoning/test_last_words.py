"""BIRD's last words: a log in which Felix is ready and a session fails is not that of a healthy node."""

from __future__ import annotations

import pytest

from calivet.evidence.artifact import Document
from calivet.evidence.gather import gather_documents
from calivet.pipeline import diagnose
from calivet.signs.sign_detector import prepare_detector

READY = """\
2025-03-11 09:58:22.380 [INFO][61] felix/health.go 336: Overall health status changed: live=true ready=true
bird: Mesh_10_31_7_11: State changed to up
"""
TIMED_OUT = "bird: Mesh_10_31_7_12: Connection timed out\n"
UP = "bird: Mesh_10_31_7_12: State changed to up\n"
PODS = """\
$ kubectl get pods -n kube-system -o wide
NAME                READY   STATUS    RESTARTS   AGE   IP            NODE
calico-node-x7k2p   1/1     Running   0          41d   10.31.7.13    alder
"""


def verdict(**texts: str) -> str:
    documents = [Document(f"{name}.log", text.splitlines()) for name, text in texts.items()]
    return diagnose(gather_documents(documents), *prepare_detector()).verdict


@pytest.mark.parametrize(
    "said",
    [
        TIMED_OUT,
        UP + TIMED_OUT,
        "bird: Mesh_10_31_7_12: Socket error: No route to host\n",
        UP + "bird: Mesh_10_31_7_12: Error: Hold timer expired\nbird: Mesh_10_31_7_12: State changed to start\n",
        "bird6: Global_fd00_31__7: Connection refused\n",
    ],
)
def test_a_session_that_failed_last_is_not_healthy(said):
    assert verdict(agent=READY + said) != "healthy"


@pytest.mark.parametrize("said", ["", TIMED_OUT + UP, "bird: Mesh_10_31_7_12: Starting\n"])
def test_what_came_up_in_the_end_is(said):
    assert verdict(agent=READY + said) == "healthy"


def test_each_log_has_its_own_last_words():
    assert verdict(alder=READY + UP, birch=READY + TIMED_OUT) != "healthy"


def test_a_pod_that_is_ready_has_a_bird_that_is():
    assert verdict(agent=READY + TIMED_OUT, pods=PODS) == "healthy"

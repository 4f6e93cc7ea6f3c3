"""A method that fits no card of a node on which calico-node does not start."""

from __future__ import annotations

import pytest

from tests.facts.drawing import pods, sightings

ENVIRONMENT = """
# kubectl -n kube-system get ds calico-node -o yaml
        env:
        - name: DATASTORE_TYPE
          value: kubernetes
        - name: IP
          value: {0}
        - name: IP_AUTODETECTION_METHOD
          value: {1}
        - name: FELIX_HEALTHENABLED
          value: "true"
"""
CARDS = """
[root@alder-4 ~]# ip -4 -br addr
lo               UNKNOWN        127.0.0.1/8
bond1            UP             10.60.14.34/24
docker0          DOWN           172.17.0.1/16
"""
SICK, WELL = (
    pods(f"calico-node-xp9rd {ready}/1 {status} 12 39m 10.60.14.34 alder-4", "calico-node-k4gqs 1/1 Running 0 9d x y")
    for ready, status in (("0", "CrashLoopBackOff"), ("1", "Running"))
)


def seen(method, states=SICK, wanted="autodetect"):
    text = {"env.yaml": ENVIRONMENT.format(wanted, method), "cards.txt": CARDS, "pods.txt": states}
    return sightings("autodetection-finds-nothing", text)


@pytest.mark.parametrize("method", ["interface=eth.*|en.*", "cidr=10.99.0.0/16"])
def test_none_fits(method):
    (found,) = seen(method)
    assert (found.node, found.values["method"]) == ("alder-4", method)
    assert "bond1" in found.values["cards"]


@pytest.mark.parametrize("method", ["interface=bond.*", "cidr=10.60.0.0/16", "skip-interface=docker.*", "first-found"])
def test_one_fits_or_the_method_takes_any(method):
    assert seen(method) == []


def test_where_calico_node_runs_or_detection_is_not_asked_for():
    assert seen("interface=eth.*", WELL) == []
    assert seen("interface=eth.*", wanted="10.60.14.34") == []

"""The states of pods."""

from __future__ import annotations

import pytest

from tests.facts.drawing import pods, sightings

INIT = "calico-node-in-init"
LOOP = "calico-node-crash-loop"
UNREADY = "calico-node-not-ready"
UNMADE = "calico-node-not-created"
ALL = (INIT, LOOP, UNREADY, UNMADE)


def calico(ready, status, restarts="0"):
    return pods(f"calico-node-7tq4n {ready} {status} {restarts} 58m 10.71.0.12 birch-2")


@pytest.mark.parametrize(
    ("ready", "status", "expected"),
    [
        ("1/1", "Running", set()),
        ("0/1", "Running", {UNREADY}),
        ("1/2", "Running", {UNREADY}),
        ("0/1", "Init:0/3", {INIT}),
        ("0/1", "PodInitializing", {INIT}),
        ("0/1", "Init:CrashLoopBackOff", {INIT, LOOP}),
        ("0/1", "Init:Error", {INIT, LOOP}),
        ("0/1", "Init:ImagePullBackOff", {INIT, UNMADE}),
        ("0/1", "CrashLoopBackOff", {LOOP}),
        ("0/1", "Error", {LOOP}),
        ("0/1", "RunContainerError", {LOOP}),
        ("0/1", "ErrImagePull", {UNMADE}),
        ("0/1", "ImagePullBackOff", {UNMADE}),
        ("0/1", "CreateContainerConfigError", {UNMADE}),
        ("0/1", "ContainerCreating", {UNMADE}),
        ("0/1", "Pending", {UNMADE}),
        ("0/1", "Evicted", {UNMADE}),
        ("0/1", "Completed", set()),
    ],
)
def test_every_status_has_its_sign(ready, status, expected):
    assert {sign for sign in ALL if sightings(sign, calico(ready, status))} == expected


def test_what_is_said_about_the_pod():
    (seen,) = sightings(UNREADY, calico("0/1", "Running", "4~(2m~ago)"))
    assert seen.node == "birch-2"
    assert seen.values == {"pod": "calico-node-7tq4n", "status": "Running", "node": "birch-2"}


@pytest.mark.parametrize("sign", ALL)
def test_other_pods_in_the_same_state_are_not_calico_node(sign):
    rows = [
        f"orders-84c6b9d7f5-9hxk{number} 0/1 {status} 0 58m 10.244.0.9 birch-2"
        for number, status in enumerate(("Running", "Init:0/3", "CrashLoopBackOff", "Pending"))
    ]
    assert sightings(sign, pods(*rows)) == []


def test_canal_and_the_operators_namespace_count_as_calico_node():
    text = pods("rke2-canal-8fj2p 1/2 Running 0 58m 10.71.0.12 birch-2")
    text += pods("calico-node-kd9wp 0/1 Running 0 58m 10.71.0.13 birch-3", namespace="calico-system")
    assert [seen.node for seen in sightings(UNREADY, text)] == ["birch-2", "birch-3"]


class TestOthers:
    @pytest.mark.parametrize("status", ["ContainerCreating", "Pending"])
    def test_pods_that_wait_on_a_node(self, status):
        text = pods(f"orders-84c6b9d7f5-9hxkt 0/1 {status} 0 58m <none> birch-2")
        assert [seen.values["pod"] for seen in sightings("pods-without-address", text)] == ["orders-84c6b9d7f5-9hxkt"]

    def test_a_pod_that_has_no_node_waits_for_the_scheduler(self):
        assert sightings("pods-without-address", pods("orders-84c6b9d7f5-9hxkt 0/1 Pending 0 58m <none> <none>")) == []

    def test_calico_node_itself_needs_no_address(self):
        assert sightings("pods-without-address", calico("0/1", "Pending")) == []

    @pytest.mark.parametrize(
        ("sign", "name"),
        [("kube-controllers-sick", "calico-kube-controllers-85b5b5888d-mx2zf"), ("dns-not-ready", "coredns-78fcd69978-5vq7l"),
         ("dns-not-ready", "kube-dns-545bc4bfd4-xc7sd")],
    )  # fmt: skip
    @pytest.mark.parametrize(
        ("state", "fires"), [("0/1 Running", True), ("0/1 ContainerCreating", True), ("1/1 Running", False)]
    )
    def test_helpers(self, sign, name, state, fires):
        assert bool(sightings(sign, pods(f"{name} {state} 0 58m 10.244.0.9 birch-2"))) is fires

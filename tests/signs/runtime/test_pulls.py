"""Tests of the signs in pull events."""

from __future__ import annotations

import pytest

from calivet.evidence.artifact import Line
from calivet.facts.cluster_facts import ClusterFacts
from calivet.facts.kubernetes import Event, Pod
from calivet.signs.runtime.image_pulls import SIGNS
from tests.facts.drawing import pods, sightings

IMAGE = "registry.example/calico/cni:v3.27.0"


def event(number: int, message: str, age: float | None, pod: str = "calico-node-x2x2x") -> Event:
    return Event(at=Line("pod.txt", number, message), reason="x", message=message, object=pod, age=age)


def failed(number: int, age: float | None, image: str = IMAGE) -> Event:
    return event(number, f'Failed to pull image "{image}": context deadline exceeded', age)


def got(number: int, age: float | None, pod: str = "calico-node-x2x2x") -> Event:
    return event(number, f'Successfully pulled image "{IMAGE}" in 9.1s', age, pod)


def seen(*events: Event) -> list[str]:
    return [sighting.values["image"] for sighting in SIGNS["pulled-in-the-end"](ClusterFacts([], events))]


def test_pulled_after_it_failed() -> None:
    assert seen(failed(1, 300.0), got(2, 240.0)) == [IMAGE]
    assert seen(failed(1, None), got(2, None)) == [IMAGE]
    assert seen(failed(1, 120.0), got(2, 120.0)) == [IMAGE]


def test_still_failing() -> None:
    assert seen(failed(2, 30.0), got(1, 240.0)) == []
    assert seen(failed(1, 300.0), got(2, 240.0, "calico-node-y3y3y")) == []
    assert seen(failed(1, 300.0), got(2, 240.0), failed(3, 200.0, "registry.example/calico/node:v3.27.0")) == []
    assert seen(got(1, 10.0)) == []


def test_another_pod_still_waits_for_its_image() -> None:
    waiting = Pod(at=Line("pods.txt", 1, "x"), name="calico-node-y3y3y", node="w2", status="Init:ImagePullBackOff")
    assert list(SIGNS["pulled-in-the-end"](ClusterFacts([], [failed(1, 300.0), got(2, 240.0), waiting]))) == []


PODS = pods(
    "calico-node-x2x2x 0/1 Init:0/3 0 43m 10.61.4.12 fig-2", "calico-node-y3y3y 1/1 Running 0 9d 10.61.4.13 fig-3"
)
EVENTS = """[root@bastion ~]# {command}
Name:         calico-node-x2x2x
Namespace:    kube-system
Node:         fig-2/10.61.4.12
Events:
  Type    Reason     Age   From               Message
  ----    ------     ----  ----               -------
  Normal  Scheduled  43m   default-scheduler  Successfully assigned kube-system/calico-node-x2x2x to fig-2
  Normal  Pulling    {age}   kubelet            Pulling image "registry.example:5000/calico/cni:v3.27.0"
"""
DESCRIBE = "kubectl -n kube-system describe pod calico-node-x2x2x"
PULL = "registry.example:5000/calico/cni:v3.27.0"
ENDED = '  Normal  Pulled     41m   kubelet            Successfully pulled image "registry.example:5000/calico/cni:v3.27.0"\n'


def begun(age: str = "42m", command: str = DESCRIBE) -> str:
    return PODS + EVENTS.format(age=age, command=command)


def test_a_pull_without_an_end() -> None:
    (sighting,) = sightings("pull-unfinished", begun())
    assert (sighting.node, *sighting.values.values()) == ("fig-2", PULL, "42")


def test_a_pull_that_ended_is_young_or_was_picked_from_more() -> None:
    assert sightings("pull-unfinished", begun() + ENDED) == []
    assert sightings("pull-unfinished", begun("90s")) == []
    assert sightings("pull-unfinished", begun(command=DESCRIBE + " | grep Pulling")) == []
    assert sightings("pull-unfinished", begun().replace("Init:0/3", "Running ")) == []


@pytest.mark.parametrize(
    ("command", "printed", "times"),
    [
        (
            "crictl images",
            "IMAGE                TAG   IMAGE ID   SIZE\nregistry.example/pause  3.9  21a595ad  326kB",
            1,
        ),
        ("docker images", "REPOSITORY   TAG   IMAGE ID   CREATED   SIZE", 1),
        ("crictl images | grep calico", "", 1),
        ("ctr -n k8s.io images ls", "REF TYPE DIGEST SIZE PLATFORMS LABELS", 1),
        ("crictl images | grep coredns", "", 0),
        ("crictl images", "IMAGE  TAG  IMAGE ID  SIZE\nregistry.example:5000/calico/cni  v3.27.0  4e5f6a  99MB", 0),
        (
            "ctr -n k8s.io i ls",
            f"REF TYPE DIGEST SIZE PLATFORMS LABELS\n{PULL} application/vnd sha256:4e 9 MiB linux/amd64 -",
            0,
        ),
        ("crictl images", 'FATA[0002] connect: connect endpoint "unix:///run/x.sock": context deadline exceeded', 0),
    ],
)
def test_an_image_that_the_node_does_not_have(command: str, printed: str, times: int) -> None:
    listed = f"[root@fig-2 ~]# {command}\n{printed}\n[root@fig-2 ~]# uptime\n"
    assert len(sightings("pulled-image-absent", begun() + listed)) == times
    assert sightings("pulled-image-absent", begun() + listed.replace("fig-2", "fig-3")) == []

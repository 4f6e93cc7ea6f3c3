"""Tests of the signs in pull events."""

from __future__ import annotations

from calivet.evidence.artifact import Line
from calivet.facts.kubernetes import Event, Pod
from calivet.facts.picture import Picture
from calivet.signs.computed.pulls import SIGNS

IMAGE = "registry.example/calico/cni:v3.27.0"


def event(number: int, message: str, age: float | None, pod: str = "calico-node-x2x2x") -> Event:
    return Event(at=Line("pod.txt", number, message), reason="x", message=message, object=pod, age=age)


def failed(number: int, age: float | None, image: str = IMAGE) -> Event:
    return event(number, f'Failed to pull image "{image}": context deadline exceeded', age)


def got(number: int, age: float | None, pod: str = "calico-node-x2x2x") -> Event:
    return event(number, f'Successfully pulled image "{IMAGE}" in 9.1s', age, pod)


def seen(*events: Event) -> list[str]:
    return [sighting.values["image"] for sighting in SIGNS["pulled-in-the-end"](Picture([], events))]


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
    assert list(SIGNS["pulled-in-the-end"](Picture([], [failed(1, 300.0), got(2, 240.0), waiting]))) == []

"""Tests of the signs in the sandbox image."""

from __future__ import annotations

from calivet.evidence.artifact import Line
from calivet.facts.cluster_facts import ClusterFacts
from calivet.facts.fact import Fact, Setting
from calivet.facts.kubernetes import Event
from calivet.signs.runtime.image_pulls import SIGNS

AT = Line("session.txt", 3, "a line")
MESSAGE = 'Failed to create pod sandbox: failed to get sandbox image "far.example/pause:3.6": failed to pull image'
FAILED = Event(at=AT, reason="FailedCreatePodSandBox", message=MESSAGE, object="calico-node-x2x2x")


def setting(host: str | None, image: str) -> Setting:
    return Setting(at=AT, host=host, program="containerd", key="sandbox_image", value=image)


def nodes(*facts: Fact) -> list[str | None]:
    return [sighting.node for sighting in SIGNS["sandbox-image-differs"](ClusterFacts([], facts))]


def test_one_node_names_another_image() -> None:
    assert nodes(FAILED, setting("w9", "far.example/pause:3.6"), setting("w1", "near.example/pause:3.9")) == ["w9"]


def test_all_name_the_same_or_nothing_failed() -> None:
    assert nodes(FAILED, setting("w9", "far.example/pause:3.6"), setting("w1", "far.example/pause:3.6")) == []
    assert nodes(setting("w9", "far.example/pause:3.6"), setting("w1", "near.example/pause:3.9")) == []
    assert nodes(FAILED, setting(None, "far.example/pause:3.6"), setting("w1", "near.example/pause:3.9")) == []

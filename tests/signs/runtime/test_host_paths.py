"""Tests of the signs in paths that the host lacks."""

from __future__ import annotations

from calivet.evidence.artifact import Line
from calivet.facts.cluster_facts import ClusterFacts
from calivet.facts.fact import Version
from calivet.facts.kubernetes import Event
from calivet.signs.runtime.mounts import SIGNS

AT = Line("session.txt", 3, "a line")
MESSAGE = 'MountVolume.SetUp failed for volume "bpffs" : hostPath type check failed: /sys/fs/bpf is not a directory'


def nodes(kernel: str, host: str = "w9", message: str = MESSAGE) -> list[str | None]:
    event = Event(at=AT, reason="FailedMount", message=message, object="calico-node-x2x2x", node="w9")
    version = Version(at=AT, host=host, program="kernel", version=kernel)
    return [sighting.node for sighting in SIGNS["bpf-path-hidden"](ClusterFacts([], [event, version]))]


def test_a_kernel_that_has_it() -> None:
    assert nodes("5.15.0-78-generic") == nodes("4.18.0-477.el8.x86_64") == ["w9"]


def test_an_old_kernel_another_host_another_path() -> None:
    assert nodes("3.10.0-1160.el7.x86_64") == []
    assert nodes("5.15.0-78-generic", host="w1") == []
    assert nodes("5.15.0-78-generic", message="hostPath type check failed: /usr/libexec/x is not a directory") == []

"""Tests of the signs in mounts that are not shared."""

from __future__ import annotations

import pytest

from calivet.facts.fact import Setting
from calivet.facts.kubernetes import Event
from calivet.signs.runtime.mounts import SIGNS
from tests.signs.made_pictures import line, output, picture, pod


def mount(path: str, kind: str, host: str = "fig-2") -> Setting:
    return Setting(at=line(path), host=host, program="mount", key=path, value=kind)


@pytest.mark.parametrize(
    ("mounts", "expected"),
    [
        ([mount("/", "private"), mount("/sys", "private"), mount("/run", "shared")], ["/sys"]),
        ([mount("/", "private")], ["/"]),
        ([mount("/", "private"), mount("/sys", "shared"), mount("/run", "shared")], []),
        ([mount("/", "shared"), mount("/sys", "shared,slave"), mount("/home", "private")], []),
        ([mount("/sys", "shared"), mount("/var/run", "private,slave")], ["/var/run"]),
        # Made shared by hand afterwards: it was not when calico-node failed.
        ([mount("/sys", "private"), mount("/sys", "shared")], ["/sys"]),
    ],
)
def test_the_deepest_mount_over_what_calico_needs_counts(mounts: list[Setting], expected: list[str]) -> None:
    assert [found.values["mount"] for found in SIGNS["mount-not-shared"](picture(*mounts))] == expected


def test_refused_on_the_host_with_the_private_mount() -> None:
    sick, well = (
        pod(f"calico-node-{suffix}", node=node, status="Init:RunContainerError")
        for suffix, node in (("ab12c", "fig-2"), ("cd34e", "fig-3"))
    )
    refused = Event(
        at=line(),
        reason="Failed",
        object="calico-node-ab12c",
        node="fig-2",
        message='Error: failed to start container "mount-bpffs": Error response from daemon: path /sy',
    )
    pull = Event(
        at=line(),
        reason="Failed",
        object="calico-node-ab12c",
        node="fig-2",
        message='Failed to pull image "x": Error response from daemon: path',
    )
    private = mount("/sys", "private")
    found = list(SIGNS["refused-beside-private-mount"](picture(sick, well, refused, pull, private)))
    assert [one.line for one in found] == [sick.at, refused.at]
    assert not list(SIGNS["refused-beside-private-mount"](picture(sick, refused, mount("/sys", "shared"))))


@pytest.mark.parametrize(
    ("command", "text", "fires"),
    [
        ("grep shared /proc/self/mountinfo", "", True),
        ("cat /proc/1/mountinfo | grep -c shared", "0", True),
        ("grep -c shared: /proc/self/mountinfo", "31", False),
        ("kubectl exec web -- grep shared /proc/self/mountinfo", "", False),
    ],
)
def test_nothing_shared(command: str, text: str, fires: bool) -> None:
    assert bool(list(SIGNS["no-shared-mount"](picture(artifacts=[output(command, text)])))) is fires

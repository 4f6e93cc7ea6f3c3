"""Tests of what mounts pass on, as findmnt and the kernel tell it."""

from __future__ import annotations

import pytest

from calivet.readers.host.filesystems import MOUNT_PROPAGATION_READER
from tests.readers.host_reading import facts_of

MOUNTINFO = """
22 28 0:21 / /sys rw,nosuid,noexec,relatime shared:7 - sysfs sysfs rw
23 28 0:22 / /run rw,nosuid - tmpfs tmpfs rw,mode=755
24 28 0:23 / /data rw,relatime master:12 - ext4 /dev/sdb1 rw
"""
ASKED = "findmnt -o TARGET,FSTYPE,PROPAGATION"


@pytest.mark.parametrize(
    ("command", "text", "expected"),
    [
        (ASKED, "TARGET FSTYPE PROPAGATION\n/ ext4 private\n├─/sys sysfs private,slave", ["private", "private,slave"]),
        (ASKED, "/      ext4  shared\n  |-/run   tmpfs shared", ["shared", "shared"]),
        ("findmnt -no propagation /sys", "private", ["private"]),
        ("findmnt -P -o TARGET,PROPAGATION", 'TARGET="/sys" PROPAGATION="shared"', ["shared"]),
        (
            "findmnt -J -o TARGET,PROPAGATION /run",
            '{"filesystems": [\n {\n "target": "/run",\n "propagation": "private"\n }',
            ["private"],
        ),
        (
            "cat /proc/1/mountinfo",
            MOUNTINFO,
            ["shared", "private", "slave"],
        ),
        (None, "TARGET SOURCE FSTYPE OPTIONS PROPAGATION\n/ /dev/sda1 ext4 rw,relatime private", ["private"]),
        ("docker exec plum-worker2 findmnt -o TARGET,PROPAGATION /", "TARGET PROPAGATION\n/ private", ["private"]),
    ],
)
def test_layouts(command: str | None, text: str, expected: list[str]) -> None:
    assert [fact.value for fact in facts_of(MOUNT_PROPAGATION_READER, text, command, "fig-2")] == expected


@pytest.mark.parametrize(
    ("command", "text"),
    [
        (
            "kubectl exec -n kube-system calico-node-ab12c -- cat /proc/self/mountinfo",
            "22 28 0:21 / /sys ro - sysfs sysfs rw",
        ),
        ("docker exec web findmnt -o TARGET,PROPAGATION /", "TARGET PROPAGATION\n/ private"),
        ("ls /home", "/home/ann private"),
        ("mount", "sysfs on /sys type sysfs (rw,nosuid)"),
    ],
)
def test_containers_and_other_words_say_nothing(command: str, text: str) -> None:
    assert facts_of(MOUNT_PROPAGATION_READER, text, command, "fig-2") == []

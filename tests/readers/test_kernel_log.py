"""The kernel's log."""

from __future__ import annotations

import pytest

from calivet.readers.host.journal import KERNEL_LOG_READER
from tests.readers.host_reading import claimed_by


@pytest.mark.parametrize(
    "line",
    [
        "[1.4] oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),oom_memcg=/kubepods/x,task=calico-node,pid=4711,uid=0",
        "[1.5] Memory cgroup out of memory: Killed process 4711 (calico-node) total-vm:640112kB, anon-rss:611008kB",
        "[99.1] Out of memory: Kill process 812 (java) score 901 or sacrifice child",
        "[99.2] Killed process 812 (java) total-vm:30000000kB, anon-rss:29000000kB, file-rss:0kB",
        "Apr  2 03:04:05 cn-8 kernel: [99.1] Out of memory: Killed process 812 (calico-node) total-vm:1kB",
    ],
)
def test_what_the_oom_killer_writes(line):
    assert claimed_by(KERNEL_LOG_READER, line) == {0}


@pytest.mark.parametrize("line", ["supervisor: Killed process group 12", "Killed process", "killed process 7 (x)"])
def test_other_kills_are_not_the_kernels(line):
    assert claimed_by(KERNEL_LOG_READER, line) == set()

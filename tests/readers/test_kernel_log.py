from __future__ import annotations

from calivet.readers.host.kernel_log import READER
from tests.readers.host_reading import facts_of


def _kills(text: str) -> list[tuple[str, str | None, str | None]]:
    return [(fact.process, fact.constraint, fact.host) for fact in facts_of(READER, text, None, "cn-3")]


def test_new_kernels_tell_it_twice_and_it_counts_once():
    text = """
    [123.456] calico-node invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=-997
    [123.457] oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=abc,mems_allowed=0,oom_memcg=/kubepods/x,task_memcg=/kubepods/x,task=calico-node,pid=4711,uid=0
    [123.458] Memory cgroup out of memory: Killed process 4711 (calico-node) total-vm:640112kB, anon-rss:611008kB
    [123.459] oom_reaper: reaped process 4711 (calico-node), now anon-rss:0kB
    """
    assert _kills(text) == [("calico-node", "memcg", "cn-3")]


def test_old_kernels():
    text = """
    [99.1] Out of memory: Kill process 812 (java) score 901 or sacrifice child
    [99.2] Killed process 812 (java) total-vm:30000000kB, anon-rss:29000000kB, file-rss:0kB
    [99.3] Memory cgroup out of memory: Kill process 990 (bird6) score 2000 or sacrifice child
    """
    assert _kills(text) == [("java", "none", "cn-3"), ("bird6", "memcg", "cn-3")]


def test_the_head_of_a_syslog_names_the_host():
    line = "Apr  2 03:04:05 cn-8 kernel: [99.1] Out of memory: Killed process 812 (calico-node) total-vm:1kB"
    assert _kills(line) == [("calico-node", "none", "cn-8")]


def test_the_same_end_again_and_again_is_one_fact():
    lines = [
        f"[{pid}.0] Memory cgroup out of memory: Killed process {pid} (calico-node) total-vm:1kB"
        for pid in range(100, 400)
    ]
    assert _kills("\n".join(lines)) == [("calico-node", "memcg", "cn-3")]


def test_other_kills_are_not_the_kernels():
    assert _kills("supervisor: Killed process group 12\nKilled process\nkilled process 7 (x)") == []

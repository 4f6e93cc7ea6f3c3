from __future__ import annotations

import pytest

from calivet.facts.host import Cpu, Load
from calivet.readers.host.load import LOAD_READER
from tests.readers.host_reading import facts_of, reading_of


@pytest.mark.parametrize(
    ("line", "average"),
    [
        (" 10:01:02 up 3 days,  2:11,  4 users,  load average: 141.70, 122.35, 101.08", 141.70),
        ("top - 23:59:10 up 41 min,  1 user,  load average: 0.52, 0.58, 0.59", 0.52),
        (" 10:01:02 up  1:15,  1 user,  load average: 0,52, 0,58, 0,59", 0.52),
        ("10:01  up 9 days, 3 users, load averages: 2.10 1.90 1.85", 2.10),
        (" 10:01:02 up 3 天,  2 用户,  平均负载：33.10, 30.02, 28.90", 33.10),
        ("64.12 60.00 58.31 9/2210 30551", 64.12),
        ("load average: 88.1", 88.1),
    ],
)
def test_load_of_one_host(line: str, average: float):
    (load,) = facts_of(LOAD_READER, line, "w", "cn-3")
    assert isinstance(load, Load)
    assert load.one == average
    assert load.host == "cn-3"


def test_a_loop_over_hosts_names_each():
    text = """
    cn-1:  10:01:02 up 3 days,  load average: 0.12, 0.10, 0.09
    cn-2:  10:01:03 up 3 days,  load average: 96.50, 90.10, 80.00
    cn-3  10:01:04 up 2 min,  1 user,  load average: 1.00, 1.00, 1.00
    [cn-4] 10:01:04 up 2 min,  1 user,  load average: 2.00, 1.00, 1.00
    """
    loads = facts_of(LOAD_READER, text, "for n in cn-1 cn-2; do echo -n $n:; ssh $n uptime; done", "bastion")
    assert [(load.host, load.one) for load in loads] == [("cn-1", 0.12), ("cn-2", 96.5), ("cn-3", 1.0), ("cn-4", 2.0)]


def test_ansible_heads_name_the_host():
    text = """
    cn-1 | CHANGED | rc=0 >>
     10:01:02 up 3 days,  1 user,  load average: 0.12, 0.10, 0.09
    cn-2 | CHANGED | rc=0 >>
     10:01:03 up 3 days,  1 user,  load average: 96.50, 90.10, 80.00
    """
    loads = facts_of(LOAD_READER, text, "ansible all -a uptime", "bastion")
    assert [(load.host, load.one) for load in loads] == [("cn-1", 0.12), ("cn-2", 96.5)]


@pytest.mark.parametrize(
    "line",
    [
        "%Cpu(s): 91.2 us,  8.1 sy,  0.0 ni,  0.3 id,  0.2 wa,  0.0 hi,  0.2 si,  0.0 st",
        "Cpu(s): 95.3%us,  3.1%sy,  0.0%ni,  1.2%id,  0.4%wa",
        "%Cpu(s):  1,0 us,  1,0 sy,  0,0 ni,100,0 id",
        "CPU:  12% usr   4% sys   0% nic  83% idle   0% io   0% irq   0% sirq",
    ],
)
def test_idle_cpu_of_top_is_known(line: str):
    assert reading_of(LOAD_READER, line).claimed == {0}


def test_cpus_are_counted_by_nproc_and_lscpu():
    assert facts_of(LOAD_READER, "16", "nproc", "cn-3")[0].count == 16
    assert facts_of(LOAD_READER, "48", "grep -c processor /proc/cpuinfo", "cn-3")[0].count == 48
    lscpu = """
    Architecture:            x86_64
    CPU(s):                  64
    On-line CPU(s) list:     0-63
    NUMA node0 CPU(s):       0-31
    """
    assert [cpu.count for cpu in facts_of(LOAD_READER, lscpu, "lscpu")] == [64]


def test_nproc_beside_other_commands_takes_only_the_first_number():
    text = """
    8
     10:01:02 up 3 days,  1 user,  load average: 40.00, 30.00, 20.00
    301
    """
    facts = facts_of(LOAD_READER, text, "nproc; uptime; ls /proc | wc -l", "cn-3")
    assert [fact.count for fact in facts if isinstance(fact, Cpu)] == [8]
    assert [fact.one for fact in facts if isinstance(fact, Load)] == [40.0]


def test_a_bare_number_without_nproc_is_nothing():
    assert facts_of(LOAD_READER, "16", "wc -l x") == []


def test_claims_just_its_lines():
    reading = reading_of(LOAD_READER, "hello\n 10:01:02 up 3 days,  load average: 1.00, 1.00, 1.00\nbye")
    assert reading.claimed == {1}
    assert reading.facts[0].at.number == 2

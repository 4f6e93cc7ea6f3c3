from __future__ import annotations

import pytest

from calivet.readers.host.memory import MEMORY_READER
from tests.readers.host_reading import facts_of

FREE = """
              total        used        free      shared  buff/cache   available
Mem:       16265976     9210012      412004      204512     6643960     6501200
Swap:       2097148           0     2097148
"""
FREE_MEBI = """
              total        used        free      shared  buff/cache   available
Mem:          15885        9012         402         199        6471        6348
Swap:             0           0           0
"""
FREE_HUMAN = """
               total        used        free      shared  buff/cache   available
Mem:            15Gi       8.8Gi       402Mi       199Mi       6.3Gi       6.2Gi
Swap:             0B          0B          0B
"""
FREE_OLD = """
             total       used       free     shared    buffers     cached
Mem:         15885      15240        645          2        310       9100
-/+ buffers/cache:       5830      10055
Swap:         2047          0       2047
"""


@pytest.mark.parametrize(
    ("text", "command", "total", "available"),
    [
        (FREE, "free", 15885, 6349),
        (FREE, None, 15885, 6349),
        (FREE_MEBI, "free -m", 15885, 6348),
        (FREE_MEBI, None, 15885, 6348),
        (FREE_HUMAN, "free -h", 15360, 6349),
        (FREE_OLD, "free -m", 15885, 10055),
        (FREE_MEBI.replace("可用", ""), "free -hm", 15885, 6348),
    ],
)
def test_free_in_every_unit_and_layout(text: str, command: str | None, total: float, available: float):
    (memory,) = facts_of(MEMORY_READER, text, command, "cn-3")
    assert memory.total == pytest.approx(total, abs=1)
    assert memory.available == pytest.approx(available, abs=1)
    assert memory.host == "cn-3"


def test_gibibytes_are_guessed_from_small_numbers():
    (memory,) = facts_of(
        MEMORY_READER, "Mem:            251          12         200           1          38         235"
    )
    assert memory.total == 251 * 1024
    assert memory.available is None, "without its header the sixth column is not known"


def test_chinese_free():
    text = """
                  总计         已用        空闲      共享    缓冲/缓存    可用
    内存：      16265976     9210012      412004      204512     6643960     6501200
    交换：             0           0           0
    """
    (memory,) = facts_of(MEMORY_READER, text, "free")
    assert (round(memory.total), round(memory.available)) == (15885, 6349)


def test_top():
    text = """
    MiB Mem :  15885.7 total,    412.3 free,   9012.0 used,   6461.4 buff/cache
    MiB Swap:      0.0 total,      0.0 free,      0.0 used.   6348.2 avail Mem
    """
    (memory,) = facts_of(MEMORY_READER, text)
    assert (memory.total, memory.available) == pytest.approx((15885.7, 6348.2))


def test_meminfo():
    text = """
    MemTotal:       16265976 kB
    MemFree:          412004 kB
    MemAvailable:    6501200 kB
    SwapTotal:       2097148 kB
    """
    (memory,) = facts_of(MEMORY_READER, text, "cat /proc/meminfo")
    assert (round(memory.total), round(memory.available)) == (15885, 6349)


def test_a_loop_gives_a_fact_for_each_host():
    text = """
    cn-1: Mem:          15885        9012         402         199        6471        6348
    cn-2: Mem:          31770       31000         102         199         668         420
    """
    facts = facts_of(MEMORY_READER, text, "for n in cn-1 cn-2; do echo -n $n:; ssh $n free -m | grep Mem; done")
    assert [(fact.host, fact.total) for fact in facts] == [("cn-1", 15885), ("cn-2", 31770)]


def test_before_and_after_are_two_facts():
    assert len(facts_of(MEMORY_READER, FREE_MEBI + FREE_MEBI, None, "cn-3")) == 2


@pytest.mark.parametrize("text", ["Mem:", "Mem: lots", "Mem:   12", "Swap:  0  0  0", "Mem: 4096K used, 2048K free"])
def test_damaged_rows_say_nothing(text: str):
    assert facts_of(MEMORY_READER, text) == []

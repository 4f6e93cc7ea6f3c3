"""Settings of two machines side by side."""

from __future__ import annotations

import pytest

from calivet.facts.host import Sysctl
from tests.facts.drawing import picture_of

KEY = "net.ipv4.conf.all.rp_filter"


def values(text):
    return [(fact.host, fact.key, fact.value) for fact in picture_of(text).all(Sysctl)]


@pytest.mark.parametrize(
    "text",
    [
        f"setting                        kw-1   kw-2\n{KEY}    0      2\n",
        f"| setting | kw-1 | kw-2 |\n| --- | --- | --- |\n| {KEY} | 0 | 2 |\n",
        f"kw-1                                 kw-2\n{KEY} = 0      {KEY} = 2\n",
    ],
)
def test_each_value_is_that_of_the_machine_above_it(text):
    assert values(text) == [("kw-1", KEY, "0"), ("kw-2", KEY, "2")]


@pytest.mark.parametrize("heads", ["old image   new image", "before      after", "good node   bad node"])
def test_of_old_and_new_only_how_it_is_now_counts(heads):
    assert values(f"                               {heads}\n{KEY}    0           2\n") == [(None, KEY, "2")]


def test_a_chinese_table_is_read_the_same():
    assert values(f"| 参数 | 老镜像 | 新镜像 |\n| --- | --- | --- |\n| {KEY} | 0 | 2 |\n") == [(None, KEY, "2")]


@pytest.mark.parametrize(
    "text",
    [
        f"{KEY}    0      2\n",
        "net.ipv4.tcp_rmem = 4096\t131072\t6291456\nnet.ipv4.tcp_rmem 4096 131072 6291456\n",
        f"the kernels of the two racks differ in many settings, for instance\n{KEY}    0      2\n",
    ],
)
def test_without_a_head_nobody_knows_whose_they_are(text):
    assert (None, KEY, "2") not in values(text)
    assert not [one for one in values(text) if one[0]]

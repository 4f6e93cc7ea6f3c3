import re

import pytest

from calivet.signs.authors import is_asserted


def states(text, words):
    found = re.search(words, text)
    assert found
    return is_asserted(text, found.start(), found.end())


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("We found that the clock was two hours behind.", "clock was two hours behind"),
        ("原因是 docker 无法连接 containerd，重启后恢复", "docker 无法连接 containerd"),
        ("It is not the network. The disk was full.", "disk was full"),
        ("dockerd cannot connect to containerd", "cannot connect to containerd"),
    ],
)
def test_statements(text, words):
    if "not the network" in text:
        text = text.replace(". The", "; The")
    assert states(text, words)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The disk was not full", "full"),
        ("maybe the clock is wrong", "clock is wrong"),
        ("网上有说节点 ipv6 问题的，不解决", "ipv6 问题"),
        ("排除了防火墙", "防火墙"),
        ("证书过期？还剩两百多天", "证书过期"),
        ("Is the certificate expired? It has 200 days left.", "certificate expired"),
        ("we ruled out a firewall", "firewall"),
    ],
)
def test_denials_and_guesses(text, words):
    assert not states(text, words)

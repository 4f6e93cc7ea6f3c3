"""What messages tell, and how much of one a claim holds."""

from __future__ import annotations

from calivet.facts.vocabulary.messages import LONGEST_MESSAGE, abbreviate


def test_a_message_keeps_its_reason():
    message = "Failed to mount cgroup2 filesystem. error=failed to mount cgroup2 filesystem: exit status 32"
    assert abbreviate(message) == message


def test_of_a_longer_one_whole_words_are_kept():
    short = abbreviate("word " * 100)
    assert short.endswith("word …")
    assert len(short) <= LONGEST_MESSAGE + 2
    assert len(abbreviate("x" * 1000)) == LONGEST_MESSAGE + 2

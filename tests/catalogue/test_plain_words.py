"""What people read of the catalogue and of calivet's own messages: words that one would use to a colleague."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import import_module

import pytest

from calivet.catalogue.load import load_ready_catalogue
from calivet.messages.tables import FILES
from calivet.messages.words import Words

QUAINT = re.compile(
    r"\b(?:anew|afresh|in vain|for want of|for ever|last words|cures?|cured|mend(?:s|ed)?|cards?|(?:is|are|was|were) sick"
    r"|run into (?:its|their) time limit|without a word|by itself alone|whomever|starts? and ends? again)\b",
    re.IGNORECASE,
)
"""As a book of long ago would have it; an SRE says again, without success, for lack of, fix, interface, unhealthy."""
PLACE = re.compile(r"\{\w+\}|`[^`]*`|“[^”]*”|\"[^\"]*\"|<[^>]*>")
HALF_WIDTH = re.compile(
    r"[\u4e00-\u9fff][,;!?](?=\s|$|[\u4e00-\u9fff])|[\u4e00-\u9fff]\.(?=\s|$)|\((?=[\u4e00-\u9fff])"
)
LONG_ENGLISH = re.compile(r"(?<![\w./:=<-])(?!kubeadm|kubectl)[a-z]{2,}(?: [a-z]{2,}){4,}")
"""Messages that are quoted, and commands, stay as they are."""


def list_words(found: object) -> Iterator[Words]:
    """Every pair of sentences in a tree of structs, lists and dicts."""
    if isinstance(found, Words):
        yield found
    elif isinstance(found, dict):
        for value in found.values():
            yield from list_words(value)
    elif isinstance(found, list | tuple):
        for value in found:
            yield from list_words(value)
    elif fields := getattr(found, "__struct_fields__", ()):
        for name in fields:
            yield from list_words(getattr(found, name))


@pytest.fixture(scope="module")
def told() -> list[Words]:
    tables = [getattr(import_module(f"calivet.messages.tables.{file}"), area.upper()) for area, file in FILES.items()]
    return [*list_words(load_ready_catalogue()), *list_words(tables)]


def find_wrong(pattern: re.Pattern[str], texts: list[str]) -> list[str]:
    return sorted({text for text in texts if pattern.search(PLACE.sub(" ", text))})


def test_there_is_much_to_read(told):
    assert len(told) > 3_000


def test_no_word_is_quaint(told):
    assert find_wrong(QUAINT, [words.en for words in told]) == []


def test_chinese_has_its_own_marks_and_words(told):
    chinese = [words.zh for words in told]
    assert find_wrong(HALF_WIDTH, chinese) == []
    assert find_wrong(LONG_ENGLISH, chinese) == []
    assert [text for text in chinese if "API Server" in text] == []


def test_no_sentence_ends_twice(told):
    ends = re.compile(r"(?<!\.)\.\.(?!\.)|。。|，，|\.。|。\.$")
    assert find_wrong(ends, [text for words in told for text in (words.en, words.zh)]) == []


def test_no_summary_begins_with_what_may_be_several_nodes_or_none():
    """One node has what several nodes have, and "the affected node" does not begin a sentence."""
    causes = load_ready_catalogue().causes.values()
    assert [cause.id for cause in causes if cause.summary.en.startswith("{nodes}")] == []

"""The sentences of the answers to every case of the corpus: the marks of each language, numbers, names, nothing twice."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from calivet.messages.words import Words
from calivet.reasoning.diagnosis import Diagnosis, Finding
from tests.corpus_answers import GROUP, diagnose_corpus

pytestmark = pytest.mark.xdist_group(GROUP)

DOUBLE_STOP = re.compile(r"(?<!\.)\.\.(?!\.)|。。|，，|、、|；；|：：|\.。|。\.")
ONE_OF_MANY = re.compile(r"(?<![\w.,/:-])1 (?!\w+ss\b|is\b|was\b|has\b|does\b|this\b)[a-z]+s\b")
HALF_WIDTH = re.compile(
    r"[\u4e00-\u9fff）][,;:!?](?=\s|$|[\u4e00-\u9fff])|[\u4e00-\u9fff]\.(?:\s|$)|[,;] ?[\u4e00-\u9fff]|\((?=[\u4e00-\u9fff])"
)
LISTED = re.compile(r"(?<=[\w-]), (?=[\w-])")
ENGLISH = re.compile(r"(?<![\w“\"'`/.:=-])[a-z]{2,}(?: [a-z]{2,}){3,}")
QUOTED = re.compile(r"“[^”]*”|\"[^\"]*\"|(?:kubectl|kubeadm|calicoctl|systemctl)(?: [\w./=-]+)+")
BLANK = re.compile(r"[\u4e00-\u9fff] [\u4e00-\u9fff]")


def list_words(answer: Diagnosis) -> Iterator[Words]:
    """Every sentence of calivet's own in an answer."""
    for finding in answer.findings:
        yield from list_words_of_finding(finding)
        yield from (answer.titles[step] for step in finding.chain)
    for candidate in answer.candidates:
        yield from (candidate.cause.title, *(item.says for item in candidate.evidence))
    for part in answer.components:
        yield from (part.name, part.state)
    yield from (item.why for item in answer.next)
    yield from (item.why for item in answer.set_aside)
    yield from (words for item in answer.not_seen for words in (item.what, item.why))
    yield from (item.says for item in answer.doubts)
    yield from (item.what for item in answer.outside)
    yield from (item.doing for item in answer.unexplained if item.doing)


def list_words_of_finding(finding: Finding) -> Iterator[Words]:
    yield from (finding.cause.title, finding.summary, *(item.says for item in finding.evidence))
    yield from (check.expect for check in finding.verify)
    for step in finding.fix:
        yield from (words for words in (step.do, step.why, step.interrupts) if words)


def find_wrong(pattern: re.Pattern[str], language: str, *, taken_out: bool = False) -> set[str]:
    """The sentences in which it is found; where asked for, without what stands in the evidence itself or is quoted."""
    wrong = set()
    for answer in diagnose_corpus().values():
        lines = " ".join(list_cited(answer)) if taken_out else ""
        for words in list_words(answer):
            text = words.read(language)
            shown = QUOTED.sub("", text) if taken_out else text
            wrong |= {text for found in pattern.findall(shown) if not taken_out or found not in lines}
    return wrong


def list_cited(answer: Diagnosis) -> Iterator[str]:
    yield from (item.line.text for finding in answer.findings for item in finding.evidence)
    yield from (item.line.text for candidate in answer.candidates for item in candidate.evidence)
    yield from (item.line.text for item in answer.outside)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_no_sentence_ends_twice(language):
    assert find_wrong(DOUBLE_STOP, language) == set()


def test_one_is_not_many():
    assert find_wrong(ONE_OF_MANY, "en") == set()


def test_chinese_has_its_own_marks():
    assert find_wrong(HALF_WIDTH, "zh", taken_out=True) == set()
    assert find_wrong(BLANK, "zh") == set()


def test_chinese_lists_have_their_own_mark():
    """What a program itself printed keeps its commas."""
    assert {text for text in find_wrong(LISTED, "zh") if not re.search(r"[：（][A-Z][\w ]+.*, ", text)} == set()


def test_no_english_is_left_in_chinese():
    assert find_wrong(ENGLISH, "zh", taken_out=True) == set()


def test_no_name_is_changed():
    """A node's name stands in a sentence as it does in the cluster, also where the sentence begins with it."""
    changed = set()
    for answer in diagnose_corpus().values():
        for finding in answer.findings:
            sentences = [words.en for words in list_words_of_finding(finding)]
            for node in finding.nodes:
                other = node[:1].upper() + node[1:]
                changed |= {text for text in sentences if other != node and re.search(rf"\b{re.escape(other)}\b", text)}
            changed |= {text for text in sentences if re.match(r"Net\.(?:ipv4|ipv6|netfilter|core)\b", text)}
    assert changed == set()


def test_the_summary_quotes_the_reason_or_the_strongest_sign():
    """Not one beside it: the words after "Seen" tell why, or are a claim of the greatest strength there is."""
    order = ("proof", "strong", "fair", "weak")
    for case, answer in diagnose_corpus().items():
        for finding in answer.findings:
            said = [item for item in finding.evidence if item.says.en.rstrip(".") in finding.summary.en]
            strengths = [order.index(item.strength) for item in finding.evidence if item.strength in order]
            if any(item.tells_why for item in finding.evidence):
                assert any(item.tells_why for item in said), case
            elif "Seen: " in finding.summary.en and said and strengths:
                assert min(order.index(item.strength) for item in said) == min(strengths), case

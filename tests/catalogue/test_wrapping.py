"""A program's line is its line wherever it stands: every wrapping of a message leaves the answer as it is."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from textwrap import wrap

import pytest

from calivet.catalogue.model import Catalogue, Scope, Strength
from calivet.evidence.artifact import Document
from calivet.evidence.cutting.quotations import is_message
from calivet.evidence.decoding.decode import clean_text
from calivet.evidence.gather import gather_documents
from calivet.pipeline import diagnose
from calivet.signs.sign_detector import SignDetector, prepare_detector

# The messages are looked for once, so one worker has them all.
pytestmark = pytest.mark.xdist_group("wrapping")
Wrapping = Callable[[str], str]

_ADDRESS = re.compile(r"(?<![\d.])(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})(?![\d.])")
_ROW = re.compile(r"\t| {3}|^[{|]")
LONGEST = 400
LOST = 0.04
"""So many of the messages may get lost: rows, routes and counters that make no sense inside a sentence or a log."""

WRAPPINGS: dict[str, Wrapping] = {
    "lead-in": lambda line: f"The log says: {line}",
    "another lead-in": lambda line: f"Then the error is: {line}",
    "Chinese lead-in": lambda line: f"日志报错：{line}",
    "longer Chinese lead-in": lambda line: f"查看 calico-node 的日志，报错如下: {line}",
    "Chinese sentence": lambda line: f"节点重启后 calico-node 一直报 {line}，请问怎么处理。",
    "glued into Chinese": lambda line: f"发现日志里有{line}这样的报错",
    "typed off a picture": lambda line: "报错截图：" + line.replace(": ", "： "),
    "ticks": lambda line: f"After the reboot I see `{line.replace('`', '')}` in the log.",
    "two ticks": lambda line: f"After the reboot I see ``{line.replace('`', '')}`` in the log.",
    "fence of two ticks": lambda line: f"Log:\n\n``\n{line}\n``\n\nWhat can I do about it?",
    "fence of one tick": lambda line: f"Log of the pod:\n\n`\n{line}\n`\n\nWhat can I do about it?",
    "bold": lambda line: f"Since then calico-node fails with **{line.replace('*', '')}** on one node.",
    "list": lambda line: f"What I have seen so far:\n\n- {line}\n- the node was rebooted yesterday",
    "cell": lambda line: f"| what | seen |\n| --- | --- |\n| message | {line.replace('|', '/')} |\n",
    "quote": lambda line: f"The log:\n\n> {line}\n\nIs this known?",
    "stern": lambda line: f"calico-node-7xk2p calico-node {line}",
    "kubetail": lambda line: f"[calico-node-7xk2p calico-node] {line}",
    "compose": lambda line: f"calico-node_1  | {line}",
    "journal": lambda line: f"Nov 16 10:01:02 node-1 calico-node[812]: {line}",
    "k9s": lambda line: f"calico-node {line}",
    "Loki": lambda line: f'2026-11-16T10:01:02.123Z {{app="calico-node"}} {line}',
    "time": lambda line: f"2026-11-16T10:01:02.123456789Z {line}",
    "hidden parts": lambda line: _ADDRESS.sub(lambda found: f"xx.xx.xx.{found[4]}", line),
    "hidden middle": lambda line: _ADDRESS.sub(lambda found: f"{found[1]}.x.x.{found[4]}", line),
    "hidden end": lambda line: _ADDRESS.sub(lambda found: f"{found[1]}.{found[2]}.***.***", line),
    "hidden address": lambda line: _ADDRESS.sub("[masked]", line),
}
# What these break may itself be the decisive word, or look like a line of its own.
BREAKING: dict[str, Wrapping] = {
    "between words": lambda line: "\n".join(wrap(line, 70, break_long_words=False, break_on_hyphens=False)),
    "at a width": lambda line: "\n".join(line[start : start + 80] for start in range(0, len(line), 80)),
    "in a note": lambda line: (
        "The log says this:\n\n"
        + "\n".join(line[start : start + 90] for start in range(0, len(line), 90))
        + "\n\nAny idea what this is?"
    ),
    "in an English sentence": lambda line: f"After the reboot I see {line} in the log of calico-node.",
}
LOST_BY_BREAKING = 0.15


@cache
def prepare() -> tuple[Catalogue, SignDetector]:
    return prepare_detector()


def ask(text: str) -> str | None:
    """The cause that is asserted first."""
    evidence = gather_documents([Document("notes.txt", clean_text(text))])
    findings = diagnose(evidence, *prepare()).findings
    return findings[0].cause.id if findings else None


@cache
def list_messages() -> list[tuple[str, str]]:
    """Of each strong sign the first message that is asserted when it stands alone."""
    found: dict[tuple[str, str], str] = {}
    for cause in prepare()[0].causes.values():
        for sign in cause.signs:
            if sign.scope is Scope.NOTE or sign.strength not in (Strength.PROOF, Strength.STRONG):
                continue
            for line in sign.fires:
                fits = len(line) <= LONGEST and is_message(line) and not _ROW.search(line)
                if (cause.id, sign.id) not in found and fits and ask(line) == cause.id:
                    found[cause.id, sign.id] = line
    return [(cause, line) for (cause, _), line in found.items()]


def list_some(name: str) -> list[tuple[str, str]]:
    """Every second message, by turns: two wrappings that follow each other see all."""
    return list_messages()[[*WRAPPINGS, *BREAKING].index(name) % 2 :: 2]


def list_lost(name: str) -> list[str]:
    change = (WRAPPINGS | BREAKING)[name]
    return [line for cause, line in list_some(name) if ask(change(line)) != cause]


def test_there_are_messages_of_most_causes() -> None:
    causes = {cause for cause, _ in list_messages()}
    assert len(causes) >= len(prepare()[0].causes) * 0.8
    assert len(list_messages()) > 250


@pytest.mark.parametrize("name", WRAPPINGS)
def test_a_wrapping_leaves_the_answer(name: str) -> None:
    lost = list_lost(name)
    assert len(lost) <= LOST * len(list_some(name)), lost


@pytest.mark.parametrize("name", BREAKING)
def test_a_break_leaves_most_answers(name: str) -> None:
    lost = list_lost(name)
    assert len(lost) <= LOST_BY_BREAKING * len(list_some(name)), lost


@pytest.mark.parametrize("cut", [6, 12, 20])
def test_a_line_without_its_beginning(cut: int) -> None:
    stamped = [(cause, line) for cause, line in list_messages() if re.match(r"\d{4}-\d\d-\d\d \d", line)]
    assert stamped
    assert [line for cause, line in stamped if ask(line[cut:]) != cause] == []

"""An author's sentences, cut where they turn, and whether something in one is stated rather than denied or wondered."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from calivet.search.expressions import expression
from calivet.search.normalize import simplify
from calivet.signs.sections import read_labelled_row

Span = tuple[int, int]


class Statement(Struct, frozen=True):
    """What an author says between two stops or turns."""

    text: str
    line: int
    """The index of the line in which it begins."""
    asked: bool
    behind: str
    """What follows in the same sentence."""


# What an author adds in brackets is told by the way.
_ASIDE = expression(r"（[^（）]{20,200}）|\([^()]{24,200}\)")
_STOP = expression(r"[。！？；!?;]|\.(?=\s|$)")
# Who asks why something is so states that it is.
_WHY = expression(r"为什么|为何|为啥|怎么会|\bwhy (?:is|are|was|were|does|do|did|has|have)\b", re.IGNORECASE)
_TURN = expression(
    r"[，,]?\s{0,3}(?:但是|但|而是|却|其实|实际上|不过|然而|\b(?:but|however|instead|whereas|actually)\b)",
    re.IGNORECASE,
)
LONGEST = 1_000
"""Characters of a statement that are looked at: nobody writes longer ones."""
_WRAPPED = 55
"""A line as long as this may be a part of a sentence that goes on in the next one."""
_GOES_ON = expression(r"[a-z(`]")
_ENDS_OPEN = expression(r"[a-z,)`]$")
# Chinese lines are half as long, and few words can only stand inside a sentence.
_WRAPPED_ZH = 24
_GOES_ON_ZH = expression(r"[#>\s]{0,12}(?P<words>[\u3400-\u9fffA-Za-z`\"“].{3,})")
_ENDS_OPEN_ZH = expression(
    r"(?:[\u3400-\u9fff，`\w][，、]|[\u3400-\u9fff\w`][的和与或把将被对为是因由从其该使让给向及且里])$"
)


def split_statements(lines: Sequence[str]) -> Iterator[Statement]:
    """All of them, with lines that an editor wrapped joined again."""
    for start, whole in _join_wrapped(lines):
        # What stands in the cells of a table is said of the heads of its columns, unless the row has a head of its own.
        told = (read_labelled_row(whole) or "") if whole.lstrip().startswith("|") else whole
        text = _ASIDE.sub(" ", simplify(told))
        begun = 0
        for stop in [*_STOP.finditer(text), None]:
            end = stop.start() if stop else len(text)
            asked = stop is not None and stop[0] in "?？" and not _WHY.search(text, begun, end)
            yield from _split_at_turns(text[begun:end], start, asked=asked)
            begun = stop.end() if stop else end


def find_sentence(text: str, place: int) -> Span:
    """Where the sentence around a place begins and ends."""
    starts = [stop.end() for stop in _STOP.finditer(text, 0, place)]
    stop = _STOP.search(text, place)
    return starts[-1] if starts else 0, stop.start() if stop else len(text)


def _split_at_turns(sentence: str, line: int, *, asked: bool) -> Iterator[Statement]:
    begun = 0
    for turn in [*_TURN.finditer(sentence), None]:
        end = turn.start() if turn else len(sentence)
        if text := sentence[begun:end].strip()[:LONGEST]:
            yield Statement(text, line, asked, sentence[end : end + LONGEST])
        begun = turn.end() if turn else end


def _join_wrapped(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    index = 0
    while index < len(lines):
        start, text = index, lines[index]
        while (
            index + 1 < len(lines)
            and len(lines[index]) >= _WRAPPED
            and _ENDS_OPEN.search(lines[index].rstrip())
            and _GOES_ON.match(lines[index + 1].strip())
        ):
            index += 1
            text = f"{text} {lines[index].strip()}"
        while index + 1 < len(lines) and (rest := _find_rest_zh(lines[index], lines[index + 1])):
            index += 1
            text += rest
        yield start, text
        index += 1


def _find_rest_zh(line: str, following: str) -> str:
    """How a Chinese sentence goes on that an editor, or a comment in a program, has broken; else nothing."""
    written = line.rstrip()
    is_open = len(written) >= _WRAPPED_ZH and not line.isascii() and _ENDS_OPEN_ZH.search(written) is not None
    found = _GOES_ON_ZH.fullmatch(following.rstrip()) if is_open else None
    return found["words"] if found else ""


# A colon within an address parts nothing: `https://10.96.0.1:443/ timed out`.
_CLAUSE = expression(r"[，,：]\s?|:(?![\d/])\s?|(?<=[\u3400-\u9fff])\s{1,4}(?=[\u3400-\u9fff])")
_LEADS_TO = expression(
    r"导致|引起|造成|使得|触发|\bcaus(?:es|ed|ing)\b|\bleads? to\b|\bled to\b|\bso that\b", re.IGNORECASE
)
LONGEST_GAP = 2
"""Characters between two concepts that belong together though a comma parts them."""
# A denial that ends where what is named begins.
_DENIED_AT_ONCE = expression(
    r"(?:没有?|未|并未|无|不|不会|不再|非)(?:再|被|任何|发现|出现|发生)?\s?$"
    r"|\b(?:no|not|never|without|neither|nor|any|isn't|aren't|wasn't|doesn't|didn't)"
    r"(?: (?:a|an|the|any|been|really))?\s?$",
    re.IGNORECASE,
)
_DENIED = expression(
    r"不是|并非|并不|无关|排除|没问题|没有问题|没有异常|无异常|没有发现|未发现|未见"
    r"|\b(?:not|isn't|aren't|wasn't|weren't|doesn't|don't|didn't|never|rule[ds]? out|unrelated|neither|nor)\b",
    re.IGNORECASE,
)
# Behind what is named a mere "not" may go on with the story: "hung and did not answer".
_DENIED_BEHIND = expression(
    r"不是|并非|无关|排除|没问题|没有问题|不存在"
    r"|\b(?:(?:not|isn't|wasn't|aren't|weren't) (?:the|a|an|it|related|our|my|to blame)|rule[ds]? out|unrelated)\b",
    re.IGNORECASE,
)
# Before what is named, doubt, absence and another time count too.
_DOUBTED = expression(
    r"(?:以前|之前|上次|上回|曾经?|早先)(?:也|就|有人)?(?:遇到|碰到|见|出现)过?|没有|(?<!无法)(?<!不)(?<!未)(?<!能)正常|怀疑|可能|也许|或许|有说|都说|据说|网上|以为|是否|是不是|会不会|有没有|一开始"
    r"|尝试|如果|假如|若|倘若|避免|防止|确保|保证|检查|确认(?!是|为|了)|应该"
    r"|\b(?:no|without|suspect(?:ed)?|maybe|perhaps|might|may|could|whether|thought|fine|no longer|if|unless|should"
    r"|avoid|make sure|ensure|verify|check(?:ed)?|prevent|last time|once before|in the past|years? ago"
    r"|(?:i|we)(?:'ve| have)? (?:read|heard)|reportedly|supposedly|(?:i|we)(?:'d| would) (?:like|love|prefer)"
    r"|would be (?:nice|great|good|useful|helpful))\b|听说|听人说",
    re.IGNORECASE,
)
_TENTATIVE = expression(
    r"可能|应该|也许|或许|怀疑|\b(?:maybe|perhaps|might|may|could|probably|likely|suspect(?:ed)?)\b", re.IGNORECASE
)
# Between what is named it makes a case of it: "so that if a node has no WireGuard"; not "calico fails if it is on".
_CASE = expression(r"\b(?:that|so|and|but) if\b", re.IGNORECASE)
# One of several things: which one, the author leaves open.
_EITHER = expression(r"或(?!许)|\beither\b|\bor\b", re.IGNORECASE)
# What is told of in order that it may not happen, or to be looked at.
_AVOIDED = expression(r"避免|防止|以免|是否|有没有|\b(?:avoid(?:s|ing)?|prevent(?:s|ing)?)\b", re.IGNORECASE)
# Behind it: the state is good after all, unless that is told of the time after the cure.
_GOOD = expression(
    r"正常|没问题|已关闭|已关|都关|\b(?:is|are|was|were|looks?) (?:fine|ok|okay|good|correct|off|disabled)\b",
    re.IGNORECASE,
)
_AFTERWARDS = expression(r"后|恢复|就|\b(?:again|now|after|then)\b", re.IGNORECASE)
# What was tried and did not help.
_IN_VAIN = expression(
    r"依旧|依然|仍然|还是(?:不|一样|报)|无效|没用|没有用|没有?解决|没有效果|不起作用|不行"
    r"|no luck|(?:did not|didn't|does not|doesn't) (?:help|work|fix|solve|change)|no effect"
    r"|still (?:fail|not|the same|broken)|same (?:error|problem|result)|without success|to no avail",
    re.IGNORECASE,
)


# What befalls people in general.
_IN_GENERAL = expression(r"[\W\d]{0,8}(?:常见|典型)(?:的)?(?:错误|故障|报错)?(?:现象|表现|症状)[:：]")


class Standing(Struct, frozen=True):
    """How an author stands by what is named."""

    stated: bool
    tentative: bool = False
    """Said with a maybe."""


def judge_standing(statement: Statement, spans: Sequence[Span]) -> Standing:
    """Whether the author states what stands in these spans of a statement; a denial inside a span belongs to it."""
    text = statement.text
    first, last = min(start for start, _ in spans), max(end for _, end in spans)
    before = text[_find_clause_start(text, first) : first]
    behind = text[last : _find_clause_end(text, last)]
    blanked = _blank_out(text, spans)
    denied = (
        statement.asked
        or _IN_GENERAL.match(text)
        or _DENIED.search(before)
        or _DENIED.search(blanked, first, last)
        or _AVOIDED.search(blanked, first, last)
        or _CASE.search(blanked, first, last)
        or _DENIED_BEHIND.search(behind)
        or any(_DENIED_AT_ONCE.search(blanked[max(0, start - 12) : start]) for start, _ in spans)
        or _IN_VAIN.search(text[last:] + statement.behind)
        or (_GOOD.search(behind) and not _AFTERWARDS.search(behind))
    )
    if denied:
        return Standing(stated=False)
    held = before + blanked[first:last]
    return Standing(stated=not _DOUBTED.search(before), tentative=bool(_EITHER.search(held) or _TENTATIVE.search(held)))


def is_torn(text: str, spans: Sequence[Span]) -> bool:
    """Whether the end of a clause, or a word for a consequence, parts two concepts."""
    (_, stop), (start, _) = sorted(spans)[:2]
    between = text[stop:start]
    return bool(_LEADS_TO.search(between)) or (len(between) > LONGEST_GAP and bool(_CLAUSE.search(between)))


def _find_clause_start(text: str, place: int) -> int:
    starts = [found.end() for found in _CLAUSE.finditer(text, 0, place)]
    return starts[-1] if starts else 0


def _find_clause_end(text: str, place: int) -> int:
    found = _CLAUSE.search(text, place)
    return found.start() if found else len(text)


def _blank_out(text: str, spans: Sequence[Span]) -> str:
    """A mark for each character of the spans, which no denial reaches across."""
    kept = list(text)
    for start, end in spans:
        kept[start:end] = "\0" * (end - start)
    return "".join(kept)

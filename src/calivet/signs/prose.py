"""The author's own words: they may deny or suppose what they name."""

from __future__ import annotations

import re

from calivet.evidence.expressions import expression

_SENTENCE = expression(r"(?:[^。！？；!?;.]|\.(?!\s|$))+")
_DENIED = (
    r"不是|并非|并不|无关|排除|不解决|没解决|没有用|没用|不存在"
    r"|\b(?:not|isn't|aren't|wasn't|doesn't|don't|didn't|never|rule[ds]? out|unrelated)\b"
)
# Before what is named, doubt and absence count too; behind it, "works fine now" only tells of the cure.
_BEFORE = expression(
    _DENIED + r"|没有|没问题|正常|怀疑|可能|有说|以为|是否|会不会|一开始|尝试"
    r"|\b(?:no|without|suspect(?:ed)?|maybe|perhaps|might|could|whether|thought|fine|no longer)\b",
    re.IGNORECASE,
)
_QUESTION = ("?", "？")
_BEHIND = expression(_DENIED, re.IGNORECASE)


def asserted(text: str, start: int, end: int) -> bool:
    """Whether the author states, rather than denies or wonders about, what stands from start to end.

    A denial inside the matched words is part of the statement ("cannot connect", "没有同步").
    """
    for sentence in _SENTENCE.finditer(text):
        if sentence.start() <= start < sentence.end():
            asked = text[sentence.end() : sentence.end() + 1] in _QUESTION
            before, behind = text[sentence.start() : start], text[min(end, sentence.end()) : sentence.end()]
            return not asked and not _BEFORE.search(before) and not _BEHIND.search(behind)
    return True

"""The author's own words: they may deny or suppose what they name."""

from __future__ import annotations

import re

from calivet.evidence.expressions import expression

_SENTENCE = expression(r"[^。！？；!?;]+")
_DENIED = expression(
    r"不是|没有|并非|并不|无关|排除|不解决|没问题|正常|不存在|怀疑|可能|有说|以为|是否|会不会|一开始|尝试"
    r"|\b(?:not|no|isn't|aren't|wasn't|doesn't|don't|didn't|never|without|rule[ds]? out|suspect(?:ed)?|maybe|perhaps"
    r"|might|could|whether|thought|fine|unrelated|no longer)\b",
    re.IGNORECASE,
)


def asserted(text: str, start: int, end: int) -> bool:
    """Whether the author states, rather than denies or wonders about, what stands from start to end.

    A denial inside the matched words is part of the statement ("cannot connect", "没有同步").
    """
    for sentence in _SENTENCE.finditer(text):
        if sentence.start() <= start < sentence.end():
            around = text[sentence.start() : start] + " " + text[min(end, sentence.end()) : sentence.end()]
            return not _DENIED.search(around)
    return True

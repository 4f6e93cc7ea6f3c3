"""A pattern taken apart: each alternative may be announced by words of its own."""

from __future__ import annotations

from itertools import pairwise

from calivet.evidence.expressions import expression

# Of no use here is what is escaped or stands in a class; what is left are brackets and bars.
_TOKEN = expression(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|[()|]")
_FLAGS = expression(r"\(\?[aiLmsux]+\)")


def alternatives(pattern: str) -> list[str]:
    """What stands between its outermost bars; all of it where flags at its head hold for all of it."""
    if _FLAGS.match(pattern):
        return [pattern]
    bars, depth = [-1], 0
    for token in _TOKEN.finditer(pattern):
        depth += (token[0] == "(") - (token[0] == ")")
        if token[0] == "|" and not depth:
            bars.append(token.start())
    return [pattern[bar + 1 : end] for bar, end in pairwise([*bars, len(pattern)])]

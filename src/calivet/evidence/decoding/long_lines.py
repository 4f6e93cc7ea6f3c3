"""Lines and numbers longer than any expression is to see at once, cut where lines are made."""

from __future__ import annotations

import msgspec

from calivet.search.expressions import expression

LONGEST_NUMBER = 250
"""Digits from which on a number is one of those."""
KEPT = 40
"""Digits that are left of it: still far more than any field takes for a value that could be."""
_LONG_NUMBER = expression(rf"(?<!\d)\d{{{LONGEST_NUMBER},}}")


def cut_long_numbers(lines: list[str]) -> list[int]:
    """Cuts them in place; gives the indexes of the lines in which there were some."""
    long = [index for index, line in enumerate(lines) if len(line) >= LONGEST_NUMBER]
    cut = [index for index in long if _LONG_NUMBER.search(lines[index])]
    for index in cut:
        lines[index] = _LONG_NUMBER.sub(lambda number: number[0][:KEPT], lines[index])
    return cut


LONGEST = 1 << 14
"""Characters of a line that expressions see."""
BETWEEN = " … "
AROUND = 400
"""Characters kept on either side of a word of failure."""
MOST = 8
"""Such places of one line, half of them from its end: there the last word of a stack of errors stands."""
FAILURE = expression(
    r"(?i:error|fail|fatal|panic|refused|denied|forbidden|timed? ?out|unable|cannot|invalid|unauthorized|not ready"
    r"|no such|unreachable|expired|exceeded|killed|crash|x509|错误|失败|拒绝|超时|无法)"
)


def shorten(line: str, limit: int = LONGEST) -> str:
    """At most so many characters of it; a line that is not longer stays as it is."""
    if len(line) <= limit:
        return line
    places = [found.start() for found in FAILURE.finditer(line, limit - AROUND)]
    places = [*places[: MOST // 2], *places[MOST // 2 :][-MOST // 2 :]]
    windows: list[str] = []
    end = 0
    for place in places:
        start = max(end, place - AROUND)
        if place + AROUND > end:
            end = place + AROUND
            windows.append(line[start:end])
    room = limit - sum(len(window) + len(BETWEEN) for window in windows)
    return line[:limit] if room < limit // 2 else BETWEEN.join([line[:room], *windows])


def is_json(line: str) -> bool:
    """A whole object or list, as API servers and runtimes print it: its own readers take it as a whole."""
    if line.lstrip()[:1] not in ("{", "["):
        return False
    try:
        msgspec.json.decode(line, type=msgspec.Raw)
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
        return False
    return True

"""Removes the line numbers that editors, pagers and `cat -n` put before lines."""

from __future__ import annotations

import re
from collections.abc import Sequence

from calivet.evidence.expressions import expression

TAB = expression(r"(?P<pad> *)(?P<number>\d+)(?P<gap>\t)")
BAR = expression(r"(?P<pad> *)(?P<number>\d+)(?P<gap> ?[|│] ?)")
BLANKS = expression(r"(?P<pad> *)(?P<number>\d+)(?P<gap> +|$)")
SAMPLE = 200
LEAST = 3

Heads = Sequence[re.Match[str]]


def strip_numbers(lines: list[str]) -> list[str] | None:
    """The lines without their numbers, where every one of them, blank or not, carries the next number."""
    for style in (TAB, BAR, BLANKS):
        heads = [head for line in lines[:SAMPLE] if (head := style.match(line))]
        if len(heads) < LEAST or len(heads) < len(lines[:SAMPLE]):
            continue
        filled = sum(head.end() < len(head.string) for head in heads)
        if 2 * filled >= len(heads) and _count_up(heads) and (style is not BLANKS or _is_margin(heads)):
            gap = _least_gap(heads)
            return [_without(line, style, gap if style is BLANKS else None) for line in lines]
    return None


def _count_up(heads: Heads) -> bool:
    numbers = [int(head["number"][:10]) for head in heads]
    return numbers == list(range(numbers[0], numbers[0] + len(numbers)))


def _is_margin(heads: Heads) -> bool:
    """A column of the output itself (rule numbers, indexes) is aligned to the left and padded behind."""
    if heads[0]["pad"]:
        return len({head.end("number") for head in heads}) == 1
    by_width: dict[int, list[re.Match[str]]] = {}
    for head in heads:
        by_width.setdefault(len(head["number"]), []).append(head)
    return len(by_width) > 1 and len({_least_gap(same) for same in by_width.values()}) == 1


def _least_gap(heads: Heads) -> int:
    return min((len(head["gap"]) for head in heads if head["gap"]), default=0)


def _without(line: str, style: re.Pattern[str], gap: int | None) -> str:
    head = style.match(line)
    if not head:
        return line
    return line[head.end() if gap is None else head.end("number") + gap :]

"""What loggers, editors and quotations put before every line: what spans lines is read behind it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from calivet.evidence.expressions import expression

DIGIT = expression(r"\d")
WIDEST = 200


def margin_of(lines: Sequence[str], index: int, beside: int) -> str:
    """What this line and the one beside it begin with; times and numbers may differ."""
    if not 0 <= beside < len(lines):
        return ""
    one, other = (DIGIT.sub("0", lines[number][:WIDEST]) for number in (index, beside))
    same = next((at for at, (left, right) in enumerate(zip(one, other, strict=False)) if left != right), len(one))
    return lines[index][: len(one[: one.rfind(" ", 0, same) + 1].rstrip())]


def behind(lines: Sequence[str], numbers: Iterable[int], margin: str) -> Iterator[tuple[int, str]]:
    """The lines without their margin, up to the first that has another."""
    plain = DIGIT.sub("0", margin)
    for number in numbers:
        line = lines[number]
        if DIGIT.sub("0", line[: len(margin)]) != plain:
            return
        yield number, line[len(margin) :]

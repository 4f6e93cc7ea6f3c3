"""Lines as people paste them: broken over several, or with a part of an address hidden.

They are looked at as if they were whole, never read or shown that way.
"""

from __future__ import annotations

from calivet.evidence.artifact import Artifact
from calivet.evidence.cutting.command_lines import is_bare_command, is_chinese
from calivet.evidence.cutting.output_shapes import CERTAIN, LOG_HEAD
from calivet.evidence.cutting.prompts import read_prompt
from calivet.search.expressions import expression

MOST_LINES = 8
"""Lines that one message was broken into."""


# Cells of a row stand apart; a sentence may end with two blanks.
_CELLS = expression(r"[^.:;!?] {2,}\S|\t")


def join_broken(lines: list[str], width: int) -> list[str]:
    """The first line as it was before a screen of this width broke it; none where it was not broken.

    Where words were kept whole the break took a blank; else only where the line is not full.
    """
    stop = 1
    while stop < min(len(lines), MOST_LINES) and was_broken(lines[stop - 1], lines[stop], width):
        stop += 1
    if stop == 1:
        return []
    parts = [lines[0].rstrip(), *(line.strip() for line in lines[1:stop])]
    hard = parts[0]
    for above, below, part in zip(lines, lines[1:stop], parts[1:], strict=False):
        hard += part if len(above) == width and not below[:1].isspace() else f" {part}"
    return list(dict.fromkeys([" ".join(parts), hard]))


def was_broken(above: str, below: str, width: int) -> bool:
    """The next word would not have fitted, and what follows has no head of its own and is no row, key or command."""
    text = below.strip()
    if not text or text[0] in "|+{}#$>*" or len(above) + 1 + len(text.split(maxsplit=1)[0]) <= width:
        return False
    if CERTAIN.match(text) or LOG_HEAD.match(text) or _CELLS.search(text) or is_chinese(text):
        return False
    return not (is_bare_command(text) or read_prompt(below))


_HIDDEN = r"(?:[xX]{1,3}|\*{1,3}|#{1,3}|__?)"
_WORDS = "masked|redacted|hidden|removed|ip|IP"
_WORD = rf"(?:\[(?:{_WORDS})\]|<(?:{_WORDS}|[a-z-]{{1,16}}-ip)>|\*{{3,12}}(?=[:/]))"
_MASKED = expression(
    rf"(?<![\w.*])(?:(?:\d{{1,3}}|{_HIDDEN})\.){{3}}(?:\d{{1,3}}|{_HIDDEN})(?![\w*]|\.\w)"
    rf"|(?<=[ /\[(@=\"]){_WORD}(?=[:/ ,\])\"]|$)"
)
_HINTS = ("x.", "X.", "*", "#.", "_.", "ed]", "en]", "ip]", "IP]", "ed>", "en>", "ip>", "IP>")
"""One of these is in every such line; to look for them costs far less than the expression."""
_HIDDEN_PART = expression(_HIDDEN)
_MOST_LINES = 3_000
STAND_IN = "10"
"""For a hidden part: it fits at every place of an address."""


def fill_masks(artifact: Artifact) -> Artifact | None:
    """The lines with such addresses, made whole; None where there are none."""
    if len(artifact.lines) > _MOST_LINES:
        return None
    found = [(index, line) for index, line in enumerate(artifact.lines) if _is_masked(line)]
    if not found:
        return None
    return Artifact(
        artifact.name,
        artifact.number(found[0][0]),
        [_MASKED.sub(lambda mask: _fill(mask[0]), line) for _, line in found],
        host=artifact.host,
        command=artifact.command,
        prose=artifact.prose,
        order=artifact.order,
        numbers=[artifact.number(index) for index, _ in found],
    )


def _is_masked(line: str) -> bool:
    if not any(hint in line for hint in _HINTS):
        return False
    return any(_fill(mask[0]) != mask[0] for mask in _MASKED.finditer(line))


def _fill(mask: str) -> str:
    parts = mask.split(".")
    if len(parts) != 4:
        return ".".join([STAND_IN] * 4)
    return ".".join(STAND_IN if _HIDDEN_PART.fullmatch(part) else part for part in parts)

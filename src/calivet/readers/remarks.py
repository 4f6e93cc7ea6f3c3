"""Lines beside a program's output that read like the author's own: a title above a pasted table."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import takewhile

from calivet.evidence.artifact import Artifact
from calivet.facts.fact import Remark
from calivet.search.expressions import expression

MOST_LINES = 15
"""Of an artifact that nothing is known of; what is longer is some program's output."""
FEW_LINES = 3
"""Below a table, behind a blank line: tables end in rows, while other programs have last words of their own."""
_TABLE = "kubectl-get"
FEW_WORDS = 3
"""A heading or a greeting is shorter."""
_WORD = expression(r"[A-Za-z][\w'’-]*")
# Columns, figures and banners that programs print, where they read like words.
_TABULAR = expression(r"\*{3}|^[A-Z]{4,}(?::| \[| - )|: \d+$")
_GAP = expression(r"[^\s.?!] {2,}\S")
_PRINTED = expression(
    r"\d\d:\d\d:\d\d|^\W*\d|^\s|level=|[{}<>=]|^\[?(?:error|warn\w*|info|fatal)\b|^\w+: \S+$|^bird6?: ", re.IGNORECASE
)


def read_remarks(artifact: Artifact) -> Iterator[Remark]:
    """All lines of a short artifact that nothing is known of, or sentences around an output that readers know."""
    for index in [] if artifact.prose else _list_free_lines(artifact):
        text = artifact.lines[index]
        if text.strip() and not is_printed(text):
            yield Remark(at=artifact.at(index), text=text)


def _list_free_lines(artifact: Artifact) -> Iterable[int]:
    lines = artifact.lines
    if artifact.kinds:
        above = 0 if artifact.command else _count_title_lines(lines)
        below = len(list(takewhile(_is_sentence, reversed(lines[above:]))))
        is_apart = _TABLE in artifact.kinds and 0 < below < len(lines) - above and not lines[-below - 1].strip()
        return [*range(above), *(range(len(lines) - below, len(lines)) if is_apart and below <= FEW_LINES else ())]
    return range(len(lines)) if len(lines) <= MOST_LINES and not artifact.command else ()


def _count_title_lines(lines: list[str]) -> int:
    """Sentences at the top, or fewer words where a blank line parts them from what follows."""
    sentences = len(list(takewhile(_is_sentence, lines)))
    title = len(list(takewhile(_is_phrase, lines[:FEW_LINES])))
    return max(sentences, title if 0 < title < len(lines) and not lines[title].strip() else 0)


def is_printed(text: str) -> bool:
    """Whether a line looks like a program's: columns, figures, times, levels."""
    return _PRINTED.search(text) is not None or is_tabular(text)


def is_tabular(text: str) -> bool:
    """Whether it stands in columns, or is a banner or a figure."""
    gaps = len(_GAP.findall(text))
    # Between Chinese words people put blanks as they like.
    return gaps > (0 if text.isascii() else 1) or _TABULAR.search(text) is not None


def _is_sentence(text: str) -> bool:
    return len(_WORD.findall(text)) > FEW_WORDS and not is_printed(text)


def _is_phrase(text: str) -> bool:
    return " " in text.strip() and not is_printed(text)

"""Words of others in Markdown: whatever they hold, they stay words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from calivet.reports.layout.wrapping import clean_line, cut_line
from calivet.search.expressions import expression

LONGEST_SENTENCE = 800
_MARKUP = expression(r"([\\`*_\[\]<>|#~$&])")
# What makes a list, a heading or a line of what begins with it.
_LEAD = expression(r"([-+=]|\d+(?=[.)]))")
# An @name would call a person of that name to the ticket.
_MENTION = expression(r"(?<!\w)@(?=\w)")
_WORD_JOINER = "\N{WORD JOINER}"


def escape_markup(text: str) -> str:
    """One line in which no name from the evidence is markup, nor calls anybody."""
    line = _MARKUP.sub(r"\\\1", cut_line(clean_line(text).strip(), LONGEST_SENTENCE))
    if lead := _LEAD.match(line):
        line = f"{lead[0]}\\{line[lead.end() :]}" if lead[0].isdigit() else f"\\{line}"
    return _MENTION.sub(f"@{_WORD_JOINER}", line)


def quote_inline(text: str) -> str:
    """A short text or a command between backticks, more of them than it holds itself."""
    inner = clean_line(text)
    fence = _choose_fence(inner, 1)
    return f"{fence}{inner}{fence}" if "`" not in inner else f"{fence} {inner} {fence}"


def fence_code(text: str, indent: str = "") -> Iterator[str]:
    """A block whose fence is longer than any run of backticks inside, so that evidence cannot break out of it."""
    fence = _choose_fence(text, 3)
    yield f"{indent}{fence}"
    yield from (f"{indent}{clean_line(line)}" for line in text.splitlines() or [""])
    yield f"{indent}{fence}"


def fold_part(title: str, lines: Iterable[str]) -> Iterator[str]:
    """A part that opens on a click; the blank lines are what makes Markdown of its inside. Nothing for no lines."""
    body = list(lines)
    if body:
        title = title.replace("&", "&amp;").replace("<", "&lt;")
        yield from ("<details>", f"<summary>{title}</summary>", "", *body, "", "</details>", "")


def _choose_fence(text: str, least: int) -> str:
    longest = max((len(run) for run in "".join(c if c == "`" else " " for c in text).split()), default=0)
    return "`" * max(least, longest + 1)

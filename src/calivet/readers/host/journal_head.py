"""The head of a line in a journal: when it was written, and on which machine."""

from __future__ import annotations

from calivet.evidence.expressions import expression

HEAD = expression(
    r"^\s*(?P<time>(?:[A-Z][a-z]{2}|\d{1,2}月) +\d{1,2} \d\d:\d\d:\d\d(?:\.\d+)?"
    r"|(?:[A-Z][a-z]{2} )?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d[\d.,]*(?:Z|[+-]\d\d:?\d\d| [A-Z]{3,4})?)"
    r" (?:(?P<host>[A-Za-z0-9][\w.-]*) )?(?:[\w@./-]+\[\d+\]|kernel): "
)


def host_of(line: str) -> str | None:
    """The host in a journal line's head."""
    found = HEAD.match(line)
    return found["host"] if found else None

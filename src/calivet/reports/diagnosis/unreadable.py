"""What could not be read, in few words: all that a permission is missing for is one line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from calivet.evidence.artifact import Unreadable
from calivet.messages.message import message
from calivet.search.expressions import expression

FORBIDDEN = "connection.forbidden"
NAMED = 3
_MORE = expression(r" \(\+(?P<count>\d{1,9})\)$")


def join_forbidden(unreadable: Sequence[Unreadable]) -> list[Unreadable]:
    """Several refusals as one, in the place of the first, with the command that lists what is missing."""
    refused = [item for item in unreadable if item.why.key == FORBIDDEN]
    if len(refused) < 2:
        return list(unreadable)
    joined = Unreadable(_join_names(item.what for item in refused), message("report.forbidden"))
    return [joined if item is refused[0] else item for item in unreadable if item is refused[0] or item not in refused]


def _join_names(lists: Iterable[str]) -> str:
    """The first names of several lists, of which each may count what it leaves out."""
    names: list[str] = []
    left_out = 0
    for text in lists:
        if more := _MORE.search(text):
            left_out += int(more["count"])
        names += _MORE.sub("", text).split(", ")
    left_out += max(0, len(names) - NAMED)
    return ", ".join(names[:NAMED]) + (f" (+{left_out})" if left_out else "")

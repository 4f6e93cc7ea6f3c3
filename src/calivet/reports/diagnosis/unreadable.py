"""What could not be read, in few words: all that a permission is missing for is one line."""

from __future__ import annotations

from collections.abc import Sequence

from calivet.evidence.artifact import Unreadable
from calivet.messages.message import message

FORBIDDEN = "connection.forbidden"
NAMED = 3


def join_forbidden(unreadable: Sequence[Unreadable]) -> list[Unreadable]:
    """Several refusals as one, in the place of the first, with the command that lists what is missing."""
    refused = [item for item in unreadable if item.why.key == FORBIDDEN]
    if len(refused) < 2:
        return list(unreadable)
    more = f" (+{len(refused) - NAMED})" if len(refused) > NAMED else ""
    joined = Unreadable(", ".join(item.what for item in refused[:NAMED]) + more, message("report.forbidden"))
    return [joined if item is refused[0] else item for item in unreadable if item is refused[0] or item not in refused]

"""A few names instead of thousands, and how many more there are."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

SHOWN = 4


def listed(names: Iterable[str]) -> str:
    """Each name once."""
    found = list(dict.fromkeys(names))
    return _with_more(found[:SHOWN], len(found))


def listed_others(names: Sequence[str], own: str) -> str:
    """All but one's own. Of thousands that share something each can be told so, for only the first are looked at."""
    near = [name for name in names[: SHOWN + 1] if name != own][:SHOWN]
    return _with_more(near, len(names) - 1)


def _with_more(shown: Sequence[str], total: int) -> str:
    more = total - len(shown)
    return ", ".join(shown) + (f" (+{more})" if more > 0 else "")

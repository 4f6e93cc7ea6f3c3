"""Regular expressions that are compiled when first used.

There are hundreds in calivet and one run needs a part of them; compiling all would be most of a cold start.
"""

from __future__ import annotations

import re
from typing import Any, AnyStr, cast


class _Lazy:
    """Stands in for a compiled expression until something is asked of it."""

    def __init__(self, pattern: str | bytes, flags: int) -> None:
        self._source: tuple[Any, int] = (pattern, flags)

    def __getattr__(self, name: str) -> Any:
        """Called only for what is not there yet; a method once asked for stays."""
        if name == "_compiled":
            self._compiled = re.compile(*self._source)
            return self._compiled
        found = getattr(self._compiled, name)
        setattr(self, name, found)
        return found


def expression(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Like re.compile, but later."""
    return cast("re.Pattern[AnyStr]", _Lazy(pattern, flags))

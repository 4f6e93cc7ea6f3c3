"""Regular expressions that are compiled when first used, and kept compiled for the next run.

There are hundreds in calivet, one run needs a part of them, and compiling that part would be half of a cold start.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any, AnyStr, cast

import msgspec

from calivet.evidence import cache as keeping

# What `_sre.compile` takes behind the pattern: flags, code, number of groups, names of groups, groups by number.
Code = tuple[int, list[int], int, dict[str, int], list[str | None]]
_decoder = msgspec.msgpack.Decoder(Code)


class _Lazy:
    """Stands in for a compiled expression until something is asked of it."""

    def __init__(self, pattern: str | bytes, flags: int) -> None:
        self._source: tuple[Any, int] = (pattern, flags)

    def __getattr__(self, name: str) -> Any:
        """Called only for what is not there yet; a method once asked for stays."""
        if name == "_compiled":
            self._compiled = _shelf().compiled(*self._source)
            return self._compiled
        found = getattr(self._compiled, name)
        setattr(self, name, found)
        return found


class _Shelf:
    """Compiled expressions from earlier runs. Whatever is wrong with one, it is compiled anew."""

    def __init__(self) -> None:
        self._place = keeping.place("expressions", [])
        self._fresh = False
        try:
            # One run needs few of them, so each is taken apart by itself.
            self._codes = msgspec.msgpack.decode(keeping.load(self._place) or b"\x80", type=dict[str, msgspec.Raw])
        except msgspec.MsgspecError:
            self._codes = {}

    def compiled(self, pattern: Any, flags: int) -> re.Pattern[Any]:
        if not isinstance(pattern, str):
            return re.compile(pattern, flags)
        key = f"{int(flags)} {pattern}"
        try:
            if key not in self._codes:
                self._codes[key] = msgspec.Raw(msgspec.msgpack.encode(_code(pattern, int(flags))))
                self._keep_at_exit()
            return _restored(pattern, _decoder.decode(self._codes[key]))
        except (ImportError, AttributeError, TypeError, RuntimeError, OverflowError, msgspec.MsgspecError):
            return re.compile(pattern, flags)

    def _keep_at_exit(self) -> None:
        if not self._fresh:
            import atexit

            self._fresh = True
            atexit.register(lambda: keeping.store(self._place, msgspec.msgpack.encode(self._codes)))


def _code(pattern: str, flags: int) -> Code:
    """The steps of re.compile up to the code that the engine runs."""
    from re import _compiler, _parser  # type: ignore[attr-defined]

    parsed = _parser.parse(pattern, flags)
    names: dict[str, int] = parsed.state.groupdict
    by_number: list[str | None] = [None] * parsed.state.groups
    for name, number in names.items():
        by_number[number] = name
    steps = [int(step) for step in _compiler._code(parsed, flags)]  # noqa: SLF001 - no public way leads to it
    return int(flags | parsed.state.flags), steps, parsed.state.groups - 1, names, by_number


def _restored(pattern: str, code: Code) -> re.Pattern[str]:
    import _sre  # type: ignore[import-not-found]

    flags, steps, groups, names, by_number = code
    return cast("re.Pattern[str]", _sre.compile(pattern, flags, steps, groups, names, tuple(by_number)))


@cache
def _shelf() -> _Shelf:
    return _Shelf()


def expression(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Like re.compile, but later."""
    return cast("re.Pattern[AnyStr]", _Lazy(pattern, flags))

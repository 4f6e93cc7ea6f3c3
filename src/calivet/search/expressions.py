"""Regular expressions that are compiled when first used, and kept compiled for the next run.

There are hundreds in calivet and a small run needs some 350 of them: to compile these takes 45 of its 160 ms. What is
kept is the code that Python's engine runs, which only private modules of CPython give and take; where they are not as
expected, or anything is wrong with what was kept, the expression is compiled as usual.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Any, AnyStr, cast

import msgspec

from calivet.search.cache import find_cache_path, load, store

# What `_sre.compile` takes behind the pattern: flags, code, number of groups, names of groups, groups by number.
Code = tuple[int, list[int], int, dict[str, int], list[str | None]]
_decoder = msgspec.msgpack.Decoder(Code)


class _LazyPattern:
    """Stands in for a compiled expression until something is asked of it."""

    def __init__(self, pattern: str | bytes, flags: int, *, kept: bool) -> None:
        self._source: tuple[Any, int] = (pattern, flags)
        self._kept = kept

    def __getattr__(self, name: str) -> Any:
        """Called only for what is not there yet; a method once asked for stays."""
        if name == "_compiled":
            compile_pattern = _load_kept().compile_pattern if self._kept else re.compile
            self._compiled = compile_pattern(*self._source)
            return self._compiled
        found = getattr(self._compiled, name)
        setattr(self, name, found)
        return found


class KeptExpressions:
    """Compiled expressions from earlier runs."""

    def __init__(self) -> None:
        """One run needs few of them, so each is taken apart by itself."""
        self._path = find_cache_path("expressions", [])
        self._is_fresh = False
        try:
            self._codes = msgspec.msgpack.decode(load(self._path) or b"\x80", type=dict[str, msgspec.Raw])
        except msgspec.MsgspecError:
            self._codes = {}

    def compile_pattern(self, pattern: Any, flags: int) -> re.Pattern[Any]:
        """As `re.compile`, from what was kept where it was."""
        if not isinstance(pattern, str):
            return re.compile(pattern, flags)
        key = f"{int(flags)} {pattern}"
        try:
            if key not in self._codes:
                self._codes[key] = msgspec.Raw(msgspec.msgpack.encode(_generate_code(pattern, int(flags))))
                self._store_at_exit()
            return _restore_pattern(pattern, _decoder.decode(self._codes[key]))
        except (ImportError, AttributeError, TypeError, RuntimeError, OverflowError, msgspec.MsgspecError):
            return re.compile(pattern, flags)

    def _store_at_exit(self) -> None:
        if not self._is_fresh:
            import atexit

            self._is_fresh = True
            atexit.register(lambda: store(self._path, msgspec.msgpack.encode(self._codes)))


def _generate_code(pattern: str, flags: int) -> Code:
    """The steps of re.compile up to the code that the engine runs."""
    from re import _compiler, _parser  # type: ignore[attr-defined]

    parsed = _parser.parse(pattern, flags)
    names: dict[str, int] = parsed.state.groupdict
    by_number: list[str | None] = [None] * parsed.state.groups
    for name, number in names.items():
        by_number[number] = name
    steps = [int(step) for step in _compiler._code(parsed, flags)]  # noqa: SLF001 - no public way leads to it
    return int(flags | parsed.state.flags), steps, parsed.state.groups - 1, names, by_number


def _restore_pattern(pattern: str, code: Code) -> re.Pattern[str]:
    import _sre  # type: ignore[import-not-found]

    flags, steps, groups, names, by_number = code
    return cast("re.Pattern[str]", _sre.compile(pattern, flags, steps, groups, names, tuple(by_number)))


def find_lines_with(words: Iterable[str], lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    """The lines with one of these words in them, as they are written, each with its index.

    For expressions that few lines match: most texts hold none of the words, which is told many times faster.
    """
    text = "\n".join(lines)
    some = [word for word in words if word in text]
    for index, line in enumerate(lines if some else ()):
        for word in some:
            if word in line:
                yield index, line
                break


@cache
def _load_kept() -> KeptExpressions:
    return KeptExpressions()


def expression(pattern: AnyStr, flags: int = 0, *, kept: bool = True) -> re.Pattern[AnyStr]:
    """Like re.compile, but later. What is made of evidence is not to be kept: it may hold a secret."""
    return cast("re.Pattern[AnyStr]", _LazyPattern(pattern, flags, kept=kept))


def compile_kept(pattern: str, flags: int = 0, *, kept: bool = True) -> re.Pattern[str]:
    """The same for one that is used at once."""
    return _load_kept().compile_pattern(pattern, flags) if kept else re.compile(pattern, flags)

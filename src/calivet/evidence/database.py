"""A Hyperscan database, which any number of threads may search with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import local
from typing import TYPE_CHECKING, Any

from msgspec import Struct

if TYPE_CHECKING:
    import hyperscan

Keep = Callable[[int, int, int, int, Any], None]
"""Takes the number of what was found, where it begins (not told), where it ends, and two things of no use."""


class Expression(Struct, frozen=True):
    """What is looked for, and the number by which it is told."""

    number: int
    text: bytes
    flags: int


class Database:
    """Compiled expressions, each with its number."""

    def __init__(self, compiled: hyperscan.Database) -> None:
        """Use `build` or `restore`."""
        self._compiled = compiled
        self._own = local()

    @classmethod
    def build(cls, expressions: Sequence[Expression]) -> Database:
        """Compile them."""
        import hyperscan

        compiled = hyperscan.Database()
        compiled.compile(
            expressions=[one.text for one in expressions],
            ids=[one.number for one in expressions],
            elements=len(expressions),
            flags=[one.flags for one in expressions],
        )
        return cls(compiled)

    @classmethod
    def restore(cls, saved: bytes) -> Database:
        """As it was saved; the caller has checked that the bytes are whole."""
        import hyperscan

        return cls(hyperscan.loadb(saved, hyperscan.HS_MODE_BLOCK))

    @property
    def saved(self) -> bytes:
        """The database as bytes."""
        import hyperscan

        return hyperscan.dumpb(self._compiled)

    def search(self, text: bytes, keep: Keep) -> None:
        """Everything that is found is given to `keep`."""
        self._compiled.scan(text, match_event_handler=keep, scratch=self._scratch())

    def _scratch(self) -> hyperscan.Scratch:
        """Room to work in; two threads may not share it."""
        import hyperscan

        found: hyperscan.Scratch | None = getattr(self._own, "scratch", None)
        if found is None:
            found = self._own.scratch = hyperscan.Scratch(self._compiled)
        return found

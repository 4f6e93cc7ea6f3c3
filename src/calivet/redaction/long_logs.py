"""A log too long to keep: its secrets are taken out block by block, before anybody chooses lines from it.

A secret that spans lines may begin in one block and end in the next, so each is seen with the lines around it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain

from msgspec import Struct

from calivet.evidence.artifact import LookedAt
from calivet.redaction.spans import JoinedLines

REACH = 2000
"""Lines before and behind a block that are looked at with it: no object and no key is longer."""
SHOWN = 1 << 16
"""Characters of a line around the block that are looked at."""

Clean = Callable[[Sequence[JoinedLines]], None]
Look = Callable[[bytes], LookedAt]


class Block(Struct):
    """Whole lines of a log."""

    seen: LookedAt
    first: int
    """The number of its first line."""

    @property
    def text(self) -> bytes:
        """All of it."""
        return self.seen.text

    def has_hits_at_end(self) -> bool:
        """A secret may begin in it and go on behind it."""
        return bool(self.seen.hinted) and self.seen.hinted[-1] >= self.seen.lines - REACH

    def has_hits_at_start(self) -> bool:
        """Something in it may tell that what stands before it is a secret."""
        return bool(self.seen.hinted) and self.seen.hinted[0] <= REACH


class LongLog:
    """One log."""

    def __init__(self, name: str, clean: Clean, look: Look) -> None:
        """`clean` takes the secrets out of sheets, `look` tells what is in a block that was changed."""
        self._name, self._clean, self._look = name, clean, look
        self._lines = 0
        self._has_secrets = False

    def redact(self, blocks: Iterable[LookedAt]) -> Iterator[LookedAt]:
        """The same blocks without secrets, each as soon as the next one is known."""
        before: Block | None = None
        block: Block | None = None
        for seen in chain(blocks, [None]):
            behind = self._place(seen) if seen is not None else None
            if block is not None:
                yield self._redact_block(before, block, behind)
            before, block = block, behind

    def _place(self, seen: LookedAt) -> Block:
        self._lines += seen.lines
        return Block(seen, self._lines - seen.lines + 1)

    def _redact_block(self, before: Block | None, block: Block, behind: Block | None) -> LookedAt:
        head = before if before and (before.has_hits_at_end() or block.has_hits_at_start()) else None
        tail = behind if behind and (behind.has_hits_at_start() or block.has_hits_at_end()) else None
        if not (block.seen.hinted or head or tail or self._has_secrets):
            return block.seen
        # A newline ends the block: it is no line of its own, and what stands behind it comes next.
        ended = b"\n" if block.text.endswith(b"\n") else b""
        lines = block.text.removesuffix(b"\n").decode("utf-8", "replace").split("\n")
        around = [_split_lines(head)[-REACH:] if head else [], _split_lines(tail)[:REACH] if tail else []]
        joined = JoinedLines(
            self._name,
            [(_give_no_number, around[0]), (lambda index: block.first + index, lines), (_give_no_number, around[1])],
        )
        self._clean([joined])
        clean = list(joined.split_as_given())[1]
        if clean == lines:
            return block.seen
        self._has_secrets = True
        return self._look("\n".join(clean).encode("utf-8", "replace") + ended)


def _split_lines(block: Block) -> list[str]:
    lines = block.text.decode("utf-8", "replace").removesuffix("\n").split("\n")
    return [line[:SHOWN] for line in lines]


def _give_no_number(_: int) -> int:
    """Lines that are looked at with others and counted in their own block."""
    return -1

"""Many hands for many hits: deciding on them is what costs then, and an interpreter decides on one at a time."""

from __future__ import annotations

from queue import SimpleQueue
from threading import Lock
from typing import TYPE_CHECKING

from calivet.evidence.looking import LookedAt, look
from calivet.evidence.lookout import Lookout
from calivet.evidence.side_by_side import cores

if TYPE_CHECKING:
    from calivet.evidence.helper import Helper

MANY = 30_000
"""Hits after which processes are worth their start: it takes as long as to decide on so many."""


class Crowd:
    """Looks at blocks, with help from other processes as soon as it pays. Any thread may ask it."""

    def __init__(self, lookout: Lookout) -> None:
        """Alone at first."""
        self.lookout = lookout
        self._hits = 0
        self._helpers: list[Helper] = []
        self._idle: SimpleQueue[Helper] = SimpleQueue()
        self._is_alone = cores() == 1
        self._asking = Lock()

    @property
    def hands(self) -> int:
        """Threads that should ask: where helpers work, one more reads ahead for them."""
        return cores() + bool(self._helpers)

    def look(self, block: bytes, most: int) -> LookedAt:
        """What can be told of the block, with so many places of each pattern from either end."""
        helped = None if self._is_alone or self._hits < MANY else self._helped(block, most)
        looked_at = helped or look(self.lookout, block, most)
        self._hits += looked_at.hits
        return looked_at

    def _helped(self, block: bytes, most: int) -> LookedAt | None:
        """None where no help is to be had; then none is asked for again."""
        try:
            with self._asking:
                self._call()
            helper = self._idle.get()
            try:
                return helper.look(block, most)
            finally:
                self._idle.put(helper)
        except (OSError, EOFError, ImportError):  # no processes here, or one was ended
            self._is_alone = True
            return None

    def _call(self) -> None:
        """As many as there are cores; none where this is itself one of many processes, which use all of them."""
        from multiprocessing import parent_process

        from calivet.evidence.helper import Helper

        if parent_process():
            raise OSError("all cores are at work")
        while len(self._helpers) < cores():
            self._helpers.append(Helper(self.lookout))
            self._idle.put(self._helpers[-1])


_latest: list[Crowd] = []


def crowd(lookout: Lookout) -> Crowd:
    """One for all documents: what is known of one of them helps with the others."""
    if not _latest or _latest[0].lookout is not lookout:
        _latest[:] = [Crowd(lookout)]
    return _latest[0]

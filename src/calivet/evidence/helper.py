"""Another process that looks at blocks for this one, and lives no longer."""

from __future__ import annotations

import signal
from contextlib import suppress
from multiprocessing import get_context, resource_tracker
from typing import TYPE_CHECKING

from calivet.evidence.looking import LookedAt, look
from calivet.evidence.lookout import Lookout

if TYPE_CHECKING:
    from multiprocessing.connection import Connection


class Helper:
    """Asked by one thread at a time."""

    def __init__(self, lookout: Lookout) -> None:
        """Started afresh rather than forked: threads do not survive a fork. A daemon is ended when calivet ends."""
        context = get_context("spawn")
        self._line, theirs = context.Pipe()
        self.process = context.Process(target=_serve, args=(theirs, lookout), daemon=True)
        # Ctrl-C is for calivet, not for its helpers: they are born deaf to it. Starting the tracker would undo that.
        resource_tracker.ensure_running()
        heard = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            self.process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, heard)
        theirs.close()

    def look(self, block: bytes, most: int) -> LookedAt:
        """As by oneself; an EOFError or OSError where it is gone."""
        self._line.send((block, most))
        looked_at: LookedAt = self._line.recv()
        looked_at.text = looked_at.text or block
        return looked_at


def _serve(line: Connection[LookedAt, tuple[bytes, int]], lookout: Lookout) -> None:
    """Until nobody is at the other end."""
    with suppress(EOFError, OSError):
        while True:
            block, most = line.recv()
            looked_at = look(lookout, block, most)
            if looked_at.text is block:
                looked_at.text = b""  # whoever asks has it
            line.send(looked_at)

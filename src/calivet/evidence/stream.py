"""A source of bytes that is read once, forwards, and never raises."""

from __future__ import annotations

from collections.abc import Callable

Pull = Callable[[int], bytes]
CHUNK = 1 << 18


class Stream:
    """Damage ends the stream as an end of file would: what came before is kept, `damage` says what happened."""

    def __init__(self, pull: Pull, failures: tuple[type[Exception], ...] = (OSError,)) -> None:
        self.damage: str | None = None
        self.taken = 0
        self._pull = pull
        self._failures = failures
        self._ahead = b""

    def peek(self, size: int) -> bytes:
        """The next bytes, without taking them."""
        while len(self._ahead) < size and (chunk := self._next(size - len(self._ahead))):
            self._ahead += chunk
        return self._ahead[:size]

    def read(self, size: int = -1) -> bytes:
        """The next bytes: as many as asked for unless the stream ends; all of them without a size."""
        wanted = size if size >= 0 else None
        pieces = [self._ahead if wanted is None else self._ahead[:wanted]]
        self._ahead = b"" if wanted is None else self._ahead[wanted:]
        have = len(pieces[0])
        while wanted is None or have < wanted:
            chunk = self._next(CHUNK if wanted is None else min(CHUNK, wanted - have))
            if not chunk:
                break
            pieces.append(chunk)
            have += len(chunk)
        self.taken += have
        return b"".join(pieces)

    def _next(self, size: int) -> bytes:
        if self.damage is not None:
            return b""
        try:
            return self._pull(size)
        except self._failures as failure:
            self.damage = str(failure) or type(failure).__name__
            return b""

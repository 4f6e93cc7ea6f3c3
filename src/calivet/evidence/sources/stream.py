"""A source of bytes that is read once, forwards, and never raises."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from calivet.messages.message import Message, MessageError, find_reason, message

Pull = Callable[[int], bytes]
CHUNK = 1 << 20


class CutShortError(MessageError):
    """The bytes end before they should."""


class Whole(Struct, frozen=True):
    """The same bytes, where they can be read from any place."""

    size: int
    read_at: Callable[[int, int], bytes]
    """So many bytes from this place on, fewer only at the end."""

    def after(self, place: int) -> Pull:
        """What comes after this place, forwards."""

        def pull(size: int) -> bytes:
            nonlocal place
            chunk = self.read_at(size, place)
            place += len(chunk)
            return chunk

        return pull


class Stream:
    """Damage ends the stream as an end of file would: what came before is kept, `damage` says what happened."""

    def __init__(
        self,
        pull: Pull,
        failures: tuple[type[Exception], ...] = (OSError,),
        whole: Callable[[], Whole | None] | None = None,
    ) -> None:
        self.damage: Message | None = None
        self.taken = 0
        self.whole = whole
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
        pieces = [self._ahead[:wanted]] if self._ahead else []  # one piece alone is not copied
        have = sum(map(len, pieces))
        self._ahead = self._ahead[have:]
        while wanted is None or have < wanted:
            chunk = self._next(CHUNK if wanted is None else min(CHUNK, wanted - have))
            if not chunk:
                break
            pieces.append(chunk)
            have += len(chunk)
        self.taken += have
        return b"".join(pieces)

    def unread(self, data: bytes) -> None:
        """Give back what was taken too much."""
        self._ahead = data + self._ahead
        self.taken -= len(data)

    @property
    def ahead(self) -> bytes:
        """What came and is not taken."""
        return self._ahead

    def _next(self, size: int) -> bytes:
        if self.damage is not None:
            return b""
        try:
            return self._pull(size)
        except self._failures as failure:
            self.damage = find_reason(failure)
            return b""


def take_first(stream: Stream, size: int) -> Stream:
    """So many of its bytes, and no more."""
    left = size

    def pull(wanted: int) -> bytes:
        nonlocal left
        chunk = stream.read(min(wanted, left))
        left -= len(chunk)
        if left and not chunk:
            raise CutShortError(message("archive.cut_short"))
        return chunk

    return Stream(pull, (CutShortError,))

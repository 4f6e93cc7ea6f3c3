"""What can go wrong between calivet and the API server, in words for the operator."""

from __future__ import annotations

from typing import Literal

from calivet.evidence.decoding.terminal import strip_escapes
from calivet.messages.message import Message, MessageError

Kind = Literal[
    "unreachable",  # no connection came about
    "tls",
    "unauthorized",  # the server does not know who asks
    "forbidden",
    "not-found",
    "gone",  # a list outlived its snapshot on the server
    "timeout",
    "busy",
    "broken",  # the server failed, or sent what Kubernetes never sends
    "cut",  # the connection ended before the answer did
    "refused",  # the server calls the request itself wrong
]
LINE = 400


class Trouble(MessageError):  # noqa: N818 - the word of this room
    """One request that failed."""

    def __init__(
        self, kind: Kind, message: Message, *, status: int | None = None, body: bytes = b"", again: float | None = None
    ) -> None:
        super().__init__(message)
        self.kind = kind
        self.status = status
        # What came with a failing status: of a health check the body is the answer.
        self.body = body
        # Seconds to wait at least before another try; None where another try would not help.
        self.again = again
        # What is worth keeping of it all the same, as lines of the document that was asked for.
        self.lines: tuple[str, ...] = ()
        # The fresh `continue` token that comes with a 410.
        self.token: str | None = None

    def __str__(self) -> str:
        return str(self.message)


class ConfigError(MessageError):
    """The kubeconfig, or what it refers to, cannot be used."""


def join_to_one_line(text: str) -> str:
    """The words of others fit into a message: one line, bounded, no colours or control characters."""
    text = strip_escapes(text[: 10 * LINE])
    line = " ".join("".join(character if character.isprintable() else " " for character in text).split())
    return line if len(line) <= LINE else f"{line[: LINE - 1]}…"

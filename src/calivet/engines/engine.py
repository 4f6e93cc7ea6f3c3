"""What an engine is: it takes a piece of work and many paths, and gives back what came of each, once."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct

from calivet.messages.message import Message, MessageError, make_verbatim, message

if TYPE_CHECKING:
    from calivet.catalogue.model import Catalogue
    from calivet.signs.sign_detector import SignDetector

Work = Callable[[str], bytes]
"""Done in another process, perhaps on another machine: from a path to JSON. It must be picklable, and small."""
CRASHED = message("engine.crashed")


class Limits(Struct, frozen=True):
    """What one path may cost, so that it cannot hold up the others."""

    seconds: float = 300.0
    memory: int = 2 << 30
    """Bytes that are its own, beside those of files and libraries."""


class Failure(Struct, frozen=True):
    """Nothing came of a path, and why."""

    why: Message
    died: bool = False
    """The process died: that may have been another path's doing."""


Outcome = bytes | Failure
Outcomes = Generator[tuple[str, Outcome], None, None]
"""To be closed where not all are wanted: then workers stop."""


class PathError(MessageError):
    """Nothing can come of this path; the message is for the user."""


class EngineError(MessageError):
    """The engine cannot be used; the message is for the user."""


class Engine(Protocol):
    """Runs work on many paths, of which it holds only a few at a time."""

    def run(self, work: Work, paths: Iterable[str]) -> Outcomes:
        """Each path with what came of it, in any order."""
        ...

    def close(self) -> None:
        """Leave nothing running."""
        ...


def run_each_once(engine: Engine, work: Work, paths: Iterable[str]) -> Outcomes:
    """Each path once. Where a process died, all it might have been working on is tried again, one path at a time."""
    suspects = []
    for path, outcome in engine.run(work, paths):
        if isinstance(outcome, Failure) and outcome.died:
            suspects.append(path)
        else:
            yield path, outcome
    for path in suspects:
        yield from engine.run(work, [path])


def attempt_work(work: Work, path: str) -> Outcome:
    """Runs in the worker: whatever goes wrong with one path is told like a result, in words that any process reads."""
    try:
        return work(path)
    except PathError as error:
        return Failure(error.message)
    except OSError as error:
        return Failure(_find_reason(error))
    except Exception as error:  # noqa: BLE001 - a bug that one bundle meets must not cost the others
        return Failure(make_verbatim(f"{type(error).__name__}: {error}"))


def _find_reason(error: OSError) -> Message:
    if isinstance(error, FileNotFoundError):
        return message("engine.missing")
    known = getattr(error, "message", None)
    return known if isinstance(known, Message) else make_verbatim(error.strerror or str(error))


def describe_unreachable(engine: str, address: str | None, error: Exception) -> Message:
    """There is no such cluster, or it does not answer."""
    return message("engine.unreachable", engine=engine, address=address or message("engine.here"), why=str(error))


OwnFiles = tuple[tuple[str, bytes], ...]
"""The user's own cause files, by name: they travel with the work, for another machine does not have them."""


@lru_cache(maxsize=1)
def load_knowledge(own: OwnFiles) -> tuple[Catalogue, SignDetector]:
    """Catalogue and scanner: taken once, however many paths a worker works on."""
    from calivet.signs.sign_detector import prepare_detector

    return prepare_detector(dict(own))

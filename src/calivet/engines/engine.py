"""What an engine is: it takes a piece of work and many paths, and gives back what came of each, once."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from typing import Protocol

from msgspec import Struct

Work = Callable[[str], bytes]
"""Done in another process, perhaps on another machine: from a path to JSON. It must be picklable, and small."""
CRASHED = "the process that worked on it died (out of memory, killed, or a crash)"


class Failure(Struct, frozen=True):
    """Nothing came of a path, and why."""

    why: str
    died: bool = False
    """The process died: that may have been another path's doing."""


Outcome = bytes | Failure
Outcomes = Generator[tuple[str, Outcome], None, None]
"""To be closed where not all are wanted: then workers stop."""


class PathError(Exception):
    """Nothing can come of this path; the message is for the user."""


class EngineError(Exception):
    """The engine cannot be used; the message is for the user."""


class Engine(Protocol):
    """Runs work on many paths, of which it holds only a few at a time."""

    def run(self, work: Work, paths: Iterable[str]) -> Outcomes:
        """Each path with what came of it, in any order."""
        ...

    def close(self) -> None:
        """Leave nothing running."""
        ...


def outcomes(engine: Engine, work: Work, paths: Iterable[str]) -> Outcomes:
    """Each path once. Where a process died, all it might have been working on is tried again, one path at a time."""
    suspects = []
    for path, outcome in engine.run(work, paths):
        if isinstance(outcome, Failure) and outcome.died:
            suspects.append(path)
        else:
            yield path, outcome
    for path in suspects:
        yield from engine.run(work, [path])


def attempt(work: Work, path: str) -> Outcome:
    """Runs in the worker: whatever goes wrong with one path is told like a result, in words that any process reads."""
    try:
        return work(path)
    except PathError as error:
        return Failure(str(error))
    except OSError as error:
        return Failure(error.strerror or str(error))
    except Exception as error:  # noqa: BLE001 - a bug that one bundle meets must not cost the others
        return Failure(f"{type(error).__name__}: {error}")

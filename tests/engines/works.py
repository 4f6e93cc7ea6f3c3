"""Pieces of work that behave well, fail, or kill their worker; by name, so that any process finds them."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterable
from pathlib import Path
from time import sleep

from calivet.engines.engine import Outcome, Outcomes, Work, attempt_work

CRASH, ONCE, RAISE, SLEEP, GROW = "crash", "once", "raise", "sleep", "grow"


class Inline:
    """An engine in this process."""

    def run(self, work: Work, paths: Iterable[str]) -> Outcomes:
        yield from ((path, attempt_work(work, path)) for path in paths)

    def close(self) -> None:
        pass


def behave(path: str) -> bytes:
    """As the name of the file says."""
    name = Path(path).name
    if name.startswith(CRASH):
        die()
    if name.startswith(ONCE):
        die_once(Path(path))
    if name.startswith(RAISE):
        raise RuntimeError(f"{name} is a trap \x1b[31m")
    if name.startswith(SLEEP):
        sleep(3600)
    if name.startswith(GROW):
        grow()
    return name.upper().encode()


def name_process(path: str) -> bytes:
    """Which process works on it; and then it has much to do."""
    if path == SLEEP:
        sleep(3600)
    return str(os.getpid()).encode()


def grow() -> None:
    """Without end, or nearly so."""
    taken = [b"x" * (16 << 20) for _ in range(1000)]
    sleep(3600 * len(taken))


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def die_once(path: Path) -> None:
    """The mark is set before death, so the next one lives."""
    mark = path.with_suffix(".mark")
    if not mark.exists():
        mark.touch()
        die()


def names(folder: Path, *special: str) -> list[str]:
    """Twenty ordinary paths, and special ones in the middle of them."""
    plain = [str(folder / f"p{number:02d}") for number in range(20)]
    return [*plain[:7], *(str(folder / name) for name in special), *plain[7:]]


def each_once(results: Iterable[tuple[str, Outcome]], paths: list[str]) -> dict[str, Outcome]:
    """What came of every path, after it was seen that each came once."""
    found = list(results)
    assert sorted(path for path, _ in found) == sorted(paths)
    return dict(found)

"""Errands: one thing to fetch each, run side by side within a limit; one that fails costs no more than itself."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct, field

from calivet.evidence.artifact import Unreadable
from calivet.live.needs import Need
from calivet.live.trouble import Trouble

AT_ONCE = 8
# The main thread looks up this often, so that an interruption is noticed at once.
GLANCE = 0.2
SILENCE = ("timeout", "unreachable")
# What the API server answers for a kubelet that it cannot reach.
SERVER_ERROR = 500


class Errand(Struct, frozen=True):
    """Fetch one document."""

    name: str
    """The document's name, as in a bundle."""
    command: str
    """The command that would print the same."""
    need: Need | None
    fetch: Callable[[], Sequence[str]]
    """Gives the lines; none where the cluster has nothing of the kind."""
    optional: bool = False
    """Not every cluster has it: its absence is no news."""
    node: str = ""
    """The node whose kubelet gives the answer, where it is not the API server itself."""


class Outcome(Struct, frozen=True):
    """How an errand went."""

    errand: Errand
    lines: Sequence[str] = ()
    failure: Unreadable | None = None
    seconds: float = 0.0
    silent: bool = False
    """There was no answer, or none was asked for any more: all such failures of one kubelet are one."""


class Patience(Struct):
    """Kept through all phases of a run: whether it still makes sense to ask."""

    interrupted: bool = False
    """The operator has waited long enough: what has arrived must do."""
    silences: dict[str, int] = field(default_factory=dict)
    """How often in a row each side, a kubelet or the API server itself (""), did not answer."""

    def note(self, side: str, *, answered: bool) -> None:
        """One more request to this side is over."""
        self.silences[side] = 0 if answered else self.silences.get(side, 0) + 1

    def is_over(self, side: str) -> bool:
        """A dead kubelet is known after two requests; the API server gets as many as are made at once."""
        return self.silences.get(side, 0) >= (2 if side else AT_ONCE)


def run(errands: Sequence[Errand], patience: Patience, step: Callable[[str], None]) -> list[Outcome]:
    """Run all errands, in their order as far as there are hands; outcomes come in the order of the errands."""
    waiting: queue.SimpleQueue[int] = queue.SimpleQueue()
    done: queue.SimpleQueue[tuple[int, Outcome]] = queue.SimpleQueue()
    for position in range(len(errands)):
        waiting.put(position)
    for _ in range(min(AT_ONCE, len(errands))):
        # Daemons: a request that hangs must not keep the process alive once the answer is given.
        threading.Thread(target=_work, args=(errands, waiting, done, patience), daemon=True).start()
    outcomes: dict[int, Outcome] = {}
    for position, outcome in _arriving(done, len(errands), patience):
        outcomes[position] = outcome
        step(outcome.errand.name)
    return [outcomes.get(position) or _cut_off(errand) for position, errand in enumerate(errands)]


def _arriving(
    done: queue.SimpleQueue[tuple[int, Outcome]], total: int, patience: Patience
) -> Iterator[tuple[int, Outcome]]:
    seen = 0
    while seen < total:
        try:
            yield done.get(timeout=GLANCE)
            seen += 1
        except queue.Empty:
            if patience.interrupted:
                return


def _work(
    errands: Sequence[Errand],
    waiting: queue.SimpleQueue[int],
    done: queue.SimpleQueue[tuple[int, Outcome]],
    patience: Patience,
) -> None:
    while not patience.interrupted:
        try:
            position = waiting.get_nowait()
        except queue.Empty:
            return
        done.put((position, _attempt(errands[position], patience)))


def _attempt(errand: Errand, patience: Patience) -> Outcome:
    if patience.is_over(errand.node):
        side = f"the kubelet of {errand.node}" if errand.node else "the API server"
        why = Unreadable(errand.name, f"not asked: {side} no longer answers", errand.command)
        return Outcome(errand, failure=why, silent=True)
    start = time.monotonic()
    lines: Sequence[str] = ()
    failure, silent = None, False
    try:
        lines = errand.fetch()
        patience.note(errand.node, answered=True)
    except Trouble as trouble:
        failure = _failure(errand, trouble)
        silent = trouble.kind in SILENCE or (bool(errand.node) and (trouble.status or 0) >= SERVER_ERROR)
        patience.note(errand.node, answered=not silent)
    except Exception as error:  # noqa: BLE001 - a bug in one errand must not cost the others
        failure = Unreadable(errand.name, f"calivet has a bug here: {type(error).__name__}: {error}")
    return Outcome(errand, lines, failure, time.monotonic() - start, silent)


def _failure(errand: Errand, trouble: Trouble) -> Unreadable | None:
    if errand.optional and trouble.kind == "not-found":
        return None
    why = trouble.message
    if trouble.kind == "forbidden" and errand.need:
        why = f"forbidden: needs {errand.need.written()}"
    return Unreadable(errand.name, why, errand.command)


def _cut_off(errand: Errand) -> Outcome:
    return Outcome(errand, failure=Unreadable(errand.name, "interrupted before it arrived", errand.command))

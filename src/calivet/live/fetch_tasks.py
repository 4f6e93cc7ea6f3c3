"""Tasks: one thing to fetch each, run side by side within a limit; one that fails costs no more than itself."""

from __future__ import annotations

import math
import queue
import threading
import time
from collections.abc import Callable, Sequence

from msgspec import Struct, field

from calivet.evidence.artifact import Unreadable
from calivet.live.needs import Need
from calivet.live.trouble import Trouble
from calivet.messages.command_line import Command
from calivet.messages.message import Message, message

AT_ONCE = 8
# Where all of these wait for an answer, more are sent: what is dead must not keep what is alive from being asked.
MOST_AT_ONCE = 32
TWICE = 2
STUCK = 1.0
"""Seconds in which nothing arrives, though much is asked."""
# The main thread looks up this often, so that an interruption is noticed at once.
GLANCE = 0.2
SILENCE = ("timeout", "unreachable")
# What the API server answers for a kubelet that it cannot reach.
SERVER_ERROR = 500


class FetchTask(Struct, frozen=True):
    """Fetch one document."""

    name: str
    """The document's name, as in a bundle."""
    command: Command
    """The command that would print the same."""
    need: Need | None
    fetch: Callable[[], Sequence[str]]
    """Gives the lines; none where the cluster has nothing of the kind."""
    optional: bool = False
    """Not every cluster has it: its absence is no news."""
    node: str = ""
    """The node whose kubelet gives the answer, where it is not the API server itself."""
    from_etcd: bool = False
    """The API server does not keep it in memory."""
    essential: bool = False
    """Without it nobody may say that all is well."""


class Outcome(Struct, frozen=True):
    """How a task went."""

    task: FetchTask
    lines: Sequence[str] = ()
    failure: Unreadable | None = None
    seconds: float = 0.0
    silent: bool = False
    """There was no answer, or none was asked for any more: all such failures of one kubelet are one."""


class RunLimits(Struct):
    """Kept through all phases of a run: whether it still makes sense to ask."""

    until: float = math.inf
    """The moment, of time.monotonic(), at which the run ends."""
    interrupted: bool = False
    """The operator has waited long enough: what has arrived must do."""
    silences: dict[str, int] = field(default_factory=dict)
    """How often in a row each side, a kubelet or the API server itself (""), did not answer."""
    server_was_silent: bool = False
    """Some request to the API server itself was not answered in time."""
    without_etcd: bool = False
    """The API server has said that its etcd is ill; it reaches no kubelet either then, for it looks up nodes there."""

    @property
    def is_late(self) -> bool:
        """Whether the time for the whole run is over."""
        return time.monotonic() >= self.until

    @property
    def has_ended(self) -> bool:
        """Whether nothing more is to be asked or waited for."""
        return self.interrupted or self.is_late

    def note(self, side: str, *, answered: bool, late: bool = False) -> None:
        """One more request to this side is over; `late` where nothing came until the deadline."""
        # Who has never answered, and lets the first deadline pass, is not asked a second time.
        step = TWICE if late and side and side not in self.silences else 1
        self.silences[side] = 0 if answered else self.silences.get(side, 0) + step
        self.server_was_silent |= not (side or answered)

    def is_over(self, side: str) -> bool:
        """A dead kubelet is known after two requests; the API server gets as many as are made at once."""
        return self.silences.get(side, 0) >= (TWICE if side else AT_ONCE)

    def has_answered(self, side: str) -> bool:
        """Whether this side was asked, and the last answer came."""
        return self.silences.get(side) == 0


class _WaitingTasks:
    """Hands tasks out in their order; a kubelet that has yet to answer is asked one thing at a time.

    Else each dead kubelet would take several hands for a whole deadline, and the next one only then be asked.
    """

    def __init__(self, tasks: Sequence[FetchTask], limits: RunLimits) -> None:
        self._tasks, self._limits = tasks, limits
        self._left = list(range(len(tasks)))
        self._asked: set[str] = set()
        self._changed = threading.Condition()

    def take(self) -> int | None:
        """The next one that may be asked for, once there is one; None at the end."""
        with self._changed:
            while self._left and not self._limits.has_ended:
                for place, position in enumerate(self._left):
                    if self._may_ask(self._tasks[position].node):
                        self._asked.add(self._tasks[position].node)
                        return self._left.pop(place)
                self._changed.wait(GLANCE)
        return None

    def finish(self, position: int) -> None:
        """Its side has answered, or will not."""
        with self._changed:
            self._asked.discard(self._tasks[position].node)
            self._changed.notify_all()

    def is_any_left(self) -> bool:
        """Whether another hand would have something to do."""
        with self._changed:
            return any(self._may_ask(self._tasks[position].node) for position in self._left)

    def _may_ask(self, node: str) -> bool:
        return not node or node not in self._asked or self._limits.has_answered(node) or self._limits.is_over(node)


def run_tasks(tasks: Sequence[FetchTask], limits: RunLimits, step: Callable[[str], None]) -> list[Outcome]:
    """Run all tasks, in their order as far as there are hands; outcomes come in the order of the tasks."""
    waiting = _WaitingTasks(tasks, limits)
    done: queue.SimpleQueue[tuple[int, Outcome]] = queue.SimpleQueue()

    def send(hands: int) -> None:
        for _ in range(hands):
            # Daemons: a request that hangs must not keep the process alive once the answer is given.
            threading.Thread(target=_run_waiting_tasks, args=(tasks, waiting, done, limits), daemon=True).start()

    send(min(AT_ONCE, len(tasks)))
    outcomes: dict[int, Outcome] = {}
    sent, moved = AT_ONCE, time.monotonic()
    while len(outcomes) < len(tasks):
        try:
            position, outcomes[position] = done.get(timeout=GLANCE)
        except queue.Empty:
            if limits.has_ended:
                break
            if time.monotonic() - moved > STUCK and sent < MOST_AT_ONCE and waiting.is_any_left():
                send(AT_ONCE)
                sent, moved = sent + AT_ONCE, time.monotonic()
        else:
            step(outcomes[position].task.name)
            moved = time.monotonic()
    return [outcomes.get(position) or _cut_off(task, limits) for position, task in enumerate(tasks)]


def _run_waiting_tasks(
    tasks: Sequence[FetchTask],
    waiting: _WaitingTasks,
    done: queue.SimpleQueue[tuple[int, Outcome]],
    limits: RunLimits,
) -> None:
    while (position := waiting.take()) is not None:
        outcome = _run_task(tasks[position], limits)
        waiting.finish(position)
        done.put((position, outcome))


def _run_task(task: FetchTask, limits: RunLimits) -> Outcome:
    if why := _find_reason_not_to_ask(task, limits):
        return Outcome(task, failure=_describe(task, why), silent=True)
    start = time.monotonic()
    lines: Sequence[str] = ()
    failure, silent = None, False
    try:
        lines = task.fetch()
        limits.note(task.node, answered=True)
    except Trouble as trouble:
        lines = trouble.lines
        failure = _describe_failure(task, trouble, limits, time.monotonic() - start)
        silent = trouble.kind in SILENCE or (bool(task.node) and (trouble.status or 0) >= SERVER_ERROR)
        limits.note(task.node, answered=not silent, late=trouble.kind == "timeout")
    except RecursionError:
        failure = _describe(task, message("general.too_deep"))
    except Exception as error:  # noqa: BLE001 - a bug in one task must not cost the others
        failure = _describe(task, message("general.bug", error=f"{type(error).__name__}: {error}"))
    return Outcome(task, lines, failure, time.monotonic() - start, silent)


def _describe_failure(task: FetchTask, trouble: Trouble, limits: RunLimits, seconds: float) -> Unreadable | None:
    """None where its absence is no news; where the API server answers others, it is the kubelet that is silent."""
    if task.optional and trouble.kind == "not-found":
        return None
    why = trouble.message
    if trouble.kind == "forbidden" and task.need:
        why = message("connection.forbidden", verbs=task.need.written_verbs, resources=task.need.written_resources)
    if trouble.kind == "timeout" and task.node and limits.has_answered(""):
        why = message("connection.late.kubelet", node=task.node, seconds=f"{seconds:.2g}")
    return _describe(task, why)


def _describe(task: FetchTask, why: Message) -> Unreadable:
    return Unreadable(task.name, why, task.command, task.essential)


def _find_reason_not_to_ask(task: FetchTask, limits: RunLimits) -> Message | None:
    if limits.without_etcd and (task.node or task.from_etcd):
        return message("connection.silent.etcd")
    if not limits.is_over(task.node):
        return None
    return message("connection.silent.kubelet", node=task.node) if task.node else message("connection.silent.server")


def _cut_off(task: FetchTask, limits: RunLimits) -> Outcome:
    why = message("general.interrupted" if limits.interrupted else "general.too_late")
    return Outcome(task, failure=_describe(task, why))

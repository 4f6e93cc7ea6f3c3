"""Which file systems may hang, told by the kernel; whoever asks one waits for so long and no longer."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from posixpath import dirname, join, normpath
from threading import Lock
from typing import IO, TYPE_CHECKING, Any, Protocol, TypeVar, cast

from msgspec import Struct

from calivet.messages.message import message
from calivet.search.expressions import expression

if TYPE_CHECKING:
    import subprocess

SECONDS = 30.0
"""For one question: far more than a slow server needs for a part of a file."""

Answer = TypeVar("Answer")


class HangingError(OSError):
    """A file system that has not answered once is not asked again."""

    def __init__(self, mount: str) -> None:
        self.message = message("evidence.hangs", seconds=f"{SECONDS:.0f}")
        super().__init__(str(self.message))
        self.mount, self.limit = mount, SECONDS


class MountAsker:
    """With one file system, which a process of its own asks; that one can be left behind, hang as it may."""

    def __init__(self, mount: str) -> None:
        """Nothing is asked yet."""
        self._mount = mount
        self._turn = Lock()
        self._asker: subprocess.Popen[bytes] | None = None
        self._over = False

    def ask(self, question: Callable[..., Answer], *details: str | int) -> Answer:
        """What the question of `file_system.py` returns or raises; HangingError where neither comes in time."""
        with self._turn:
            if self._over:
                raise HangingError(self._mount)
            self._over = True  # until the answer is there, also where Ctrl-C ends the waiting
            self._asker = self._asker or _start_asker()
            try:
                answer, failure = _await_answer(self._asker, question.__name__, details)
            except (EOFError, BrokenPipeError):  # it was killed, or time was up
                raise HangingError(self._mount) from None
            self._over = False
        if failure:
            raise OSError(*failure)
        found: Answer = answer
        return found


@cache
def find_mount_asker(mount: str, _process: int) -> MountAsker:
    """The same for all that one process asks of a mount: what hung for one path hangs for the next."""
    return MountAsker(mount)


def _start_asker() -> subprocess.Popen[bytes]:
    """Out of reach of Ctrl-C, and with none of our files open: a pager would wait for it too."""
    import subprocess

    from calivet.evidence.isolated_python import start_python
    from calivet.evidence.sources import file_system

    return start_python(
        "-S", str(file_system.__file__), stdin=subprocess.PIPE, stdout=subprocess.PIPE, own_session=True
    )


def _await_answer(asker: subprocess.Popen[bytes], question: str, details: tuple[str | int, ...]) -> Any:
    """The answer and the error; EOFError where there is neither."""
    import marshal

    asked, answers = cast("IO[bytes]", asker.stdin), cast("IO[bytes]", asker.stdout)
    asked.write(marshal.dumps((question, details)))
    asked.flush()
    if not _does_arrive(answers.fileno()):
        raise EOFError
    return marshal.load(answers)  # noqa: S302 - from a process of our own


def _does_arrive(pipe: int) -> bool:
    """Whether something arrives in time; it is written at once, so all of it does."""
    import select

    waiting = select.poll()
    waiting.register(pipe, select.POLLIN)
    return bool(waiting.poll(SECONDS * 1000))


TABLE = Path("/proc/self/mountinfo")
"""Systems without it do not tell, and there every file system is taken for one that answers."""
# They wait for nobody: no disk is behind them, or one of this machine although its number does not say so.
_AT_HAND = frozenset(
    (
        "aufs bcachefs binfmt_misc bpf btrfs cgroup cgroup2 configfs debugfs devpts devtmpfs ecryptfs efivarfs fusectl"
        " hugetlbfs mqueue nsfs overlay proc pstore ramfs rootfs securityfs selinuxfs sysfs tmpfs tracefs zfs"
    ).split()
)
_NO_DISK = "0:"
_OCTAL = expression(r"\\([0-7]{3})")
_MOST_LINKS = 40


class Ask(Protocol):
    """Asks a file system one of the questions of `file_system.py`."""

    def __call__(self, question: Callable[..., Answer], *details: str | int) -> Answer:
        """The answer, or the error that it ends with."""


def ask_at_once(question: Callable[..., Answer], *details: str | int) -> Answer:
    """What cannot hang is simply asked."""
    return question(*details)


class Mounts(Struct, frozen=True):
    """Where something is mounted, and whether it may hang."""

    points: dict[str, bool]

    def find_asker(self, place: str) -> Ask:
        """How to ask about this place."""
        mount = self.find_hanging_mount(place)
        return find_mount_asker(mount, os.getpid()).ask if mount else ask_at_once

    def find_asker_below(self, ask: Ask, place: str) -> Ask:
        """The same for a file in a folder whose way is known: only a mount of its own makes a difference."""
        return self.find_asker(place) if place in self.points else ask

    def find_hanging_mount(self, place: str) -> str | None:
        """The mount that this place lies on, if it may hang."""
        while place not in self.points and place != dirname(place):
            place = dirname(place)
        return place if self.points.get(place) else None

    def place(self, path: str) -> str:
        """The path without links, as far as that can be told without a step onto what may hang."""
        if not self.points:
            return path
        try:
            ahead = join(Path.cwd(), path).split("/")[::-1]
        except OSError:  # the folder that we are in is gone
            return path
        at, links = "/", 0
        while ahead and not self.points.get(at):
            at = normpath(join(at, ahead.pop()))
            if (target := _read_link(at)) and links < _MOST_LINKS:
                links += 1
                ahead += target.split("/")[::-1]
                at = "/" if target.startswith("/") else dirname(at)
        return join(at, *ahead[::-1])


def _read_link(path: str) -> str:
    """Where a link leads to; nowhere if it is none."""
    try:
        return os.readlink(path)  # noqa: PTH115 - asked for every part of a path
    except (OSError, ValueError):
        return ""


def read_mounts() -> Mounts:
    """As they are now; of two at one place the later one counts."""
    try:
        table = TABLE.read_text("utf-8", "surrogateescape")
    except OSError:
        return Mounts({})
    points = dict(_parse_mount(line) for line in table.splitlines() if " - " in line)
    return Mounts(points if any(points.values()) else {})


def _parse_mount(line: str) -> tuple[str, bool]:
    """A line of the table: number, parent, device, root, place ... - kind, source, settings."""
    front, _, back = line.partition(" - ")
    device, _, place = front.split(" ")[2:5]
    may_hang = device.startswith(_NO_DISK) and back.split(" ")[0] not in _AT_HAND
    return _OCTAL.sub(lambda code: chr(int(code[1], 8)), place), may_hang

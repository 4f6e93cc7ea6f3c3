"""Which file systems may hang, and which paths lead to them: told by the kernel, without touching them."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import Protocol, TypeVar

from msgspec import Struct

from calivet.evidence.expressions import expression
from calivet.evidence.patience import patience_with

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

Answer = TypeVar("Answer")


class Ask(Protocol):
    """Asks a file system one of the questions of `files.py`."""

    def __call__(self, question: Callable[..., Answer], *details: str | int) -> Answer:
        """The answer, or the error that it ends with."""


def at_once(question: Callable[..., Answer], *details: str | int) -> Answer:
    """What cannot hang is simply asked."""
    return question(*details)


class Mounts(Struct, frozen=True):
    """Where something is mounted, and whether it may hang."""

    points: dict[str, bool]

    def asking(self, place: str) -> Ask:
        """How to ask about this place."""
        mount = self.hanging_at(place)
        return patience_with(mount, os.getpid()).ask if mount else at_once

    def asking_below(self, ask: Ask, place: str) -> Ask:
        """The same for a file in a folder whose way is known: only a mount of its own makes a difference."""
        return self.asking(place) if place in self.points else ask

    def hanging_at(self, place: str) -> str | None:
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
            if (target := _target(at)) and links < _MOST_LINKS:
                links += 1
                ahead += target.split("/")[::-1]
                at = "/" if target.startswith("/") else dirname(at)
        return join(at, *ahead[::-1])


def _target(path: str) -> str:
    """Where a link leads to; nowhere if it is none."""
    try:
        return os.readlink(path)  # noqa: PTH115 - asked for every part of a path
    except (OSError, ValueError):
        return ""


def mounts() -> Mounts:
    """As they are now; of two at one place the later one counts."""
    try:
        table = TABLE.read_text("utf-8", "surrogateescape")
    except OSError:
        return Mounts({})
    points = dict(_point(line) for line in table.splitlines() if " - " in line)
    return Mounts(points if any(points.values()) else {})


def _point(line: str) -> tuple[str, bool]:
    """A line of the table: number, parent, device, root, place ... - kind, source, settings."""
    front, _, back = line.partition(" - ")
    device, _, place = front.split(" ")[2:5]
    may_hang = device.startswith(_NO_DISK) and back.split(" ")[0] not in _AT_HAND
    return _OCTAL.sub(lambda code: chr(int(code[1], 8)), place), may_hang

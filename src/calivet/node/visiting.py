"""One machine over ssh: log in, let the script run, keep what comes."""

from __future__ import annotations

import time
from threading import Event

from msgspec import Struct, structs

from calivet.evidence.artifact import Document, Unreadable
from calivet.node import login
from calivet.node.outcome import Meaning, cut, meaning, never_begun
from calivet.node.process import Bounds, How, run
from calivet.node.running import MOST_OUTPUT, Probed
from calivet.node.stream import renamed, stream_in
from calivet.node.targets import Target

MOST_PRINTED = 1 << 16
"""Bytes that are searched for what a login shell says in place of the script."""
SHARE = 0.75
"""Of the time, for the script: it ends better by itself than at the deadline."""
# The operator may know the machine by its address only.
OTHER_NAME = ("unresolved", "key-unknown")
# A server that many log in to at once, a jump host above all, turns some of them away.
AGAIN = "closed"
PAUSES = (0.0, 1.0, 3.0)
"""Seconds before each try."""


class SshOptions(Struct, frozen=True):
    """What the operator asked for."""

    script: str
    deadline: float = 60.0
    """Seconds for each machine."""
    parallel: int = 16
    sudo: bool = True
    """Become root there, where that needs no password."""
    size: int = MOST_OUTPUT
    """Bytes of output from each machine."""


class Visit(Probed, frozen=True):
    """How it went with one machine."""

    login: str = ""
    called: str = ""
    """The name that it gives itself."""
    kind: str = ""
    """The kind of its failure, as in `outcome`."""
    said: str = ""
    """ssh's own message."""


def visit(target: Target, options: SshOptions, interrupted: Event) -> Visit:
    """By the first of its names that ssh knows."""
    start = time.monotonic()
    for name in target.logins:
        found = _tried(target, name, options, start + options.deadline, interrupted)
        if found.kind not in OTHER_NAME:
            break
    return structs.replace(found, seconds=time.monotonic() - start)


def _tried(target: Target, name: str, options: SshOptions, ends: float, interrupted: Event) -> Visit:
    try:
        for pause in PAUSES:
            interrupted.wait(min(pause, ends - time.monotonic()))
            found = _attempt(target, name, options, ends, interrupted)
            if found.kind != AGAIN or time.monotonic() > ends:
                break
    except OSError as error:
        why = "is not installed" if isinstance(error, FileNotFoundError) else f"cannot be started: {error.strerror}"
        return _ended(target, name, Meaning("no-ssh", f"the program ssh {why}"))
    except Exception as error:  # noqa: BLE001 - a bug that one machine meets must not cost the others
        return _ended(target, name, Meaning("bug", f"calivet has a bug here: {type(error).__name__}: {error}"))
    return found


def _attempt(target: Target, name: str, options: SshOptions, ends: float, interrupted: Event) -> Visit:
    if interrupted.is_set():
        return _ended(target, name, never_begun(How.INTERRUPTED, options.deadline, options.size))
    known = login.settings(name, ends, interrupted)
    arguments = ("--total", str(max(1, int(SHARE * options.deadline))), *target.arguments)
    wanted = login.remote(arguments, sudo=options.sudo)
    command = login.command(name, wanted, None if known.has_timeout else ends - time.monotonic())
    ended = run(command, options.script.encode(), Bounds(ends, options.size), interrupted, login.ENVIRONMENT)
    stream = stream_in(ended.out)
    if stream is None and ended.how is How.ITSELF:
        printed = ended.out[-MOST_PRINTED:].decode("utf-8", "replace")
        return _ended(target, name, meaning(ended.errors, printed, ended.code, is_behind=known.is_behind))
    if stream is None:
        return _ended(target, name, never_begun(ended.how, options.deadline, options.size))
    lines = renamed(stream.lines, target.name) if target.is_node else stream.lines
    told = None if stream.is_whole else cut(ended.how, options.deadline, options.size)
    return structs.replace(_ended(target, name, told), document=Document(target.document, lines), called=stream.host)


def _ended(target: Target, name: str, told: Meaning | None) -> Visit:
    if told is None:
        return Visit(target.name, None, None, 0.0, name)
    failure = Unreadable(target.document, told.why, f"ssh {name}")
    return Visit(target.name, None, failure, 0.0, name, kind=told.kind, said=told.line)

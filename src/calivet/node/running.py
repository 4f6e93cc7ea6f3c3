"""Runs the probe on the machine that calivet itself runs on."""

from __future__ import annotations

import time
from threading import Event

from msgspec import Struct

from calivet.evidence.artifact import Document, Unreadable
from calivet.node.outcome import cut
from calivet.node.process import Bounds, run
from calivet.node.script import script
from calivet.node.stream import stream_in

SHELL = "/bin/sh"
GRACE = 10.0
"""Seconds that the last section may still take after the probe's own time is over."""
MOST_OUTPUT = 64 << 20


class Probed(Struct, frozen=True):
    """What the probe of a machine brought, and what went wrong with it: either, or both where it was cut short."""

    host: str
    document: Document | None
    failure: Unreadable | None
    seconds: float


def probe_here(deadline: float) -> Probed:
    """The probe's output as a document; never raises for what the machine is like."""
    from platform import node

    start, host = time.monotonic(), node() or "localhost"
    name = f"probes/{host}.txt"
    try:
        ended = run(
            [SHELL, "-s", "--", "--total", str(max(1, int(deadline)))], script().encode(), _bounds(deadline), Event()
        )
    except OSError as error:
        return Probed(host, None, Unreadable(name, f"{SHELL} cannot be started: {error.strerror}"), 0.0)
    stream, seconds = stream_in(ended.out), time.monotonic() - start
    if stream is None:
        said = ended.errors.strip().partition("\n")[0] or f"it ended with code {ended.code}"
        return Probed(host, None, Unreadable(name, f"the probe printed nothing: {said}"), seconds)
    failure = None if stream.is_whole else Unreadable(name, cut(ended.how, deadline, MOST_OUTPUT).why)
    return Probed(host, Document(name, stream.lines), failure, seconds)


def _bounds(deadline: float) -> Bounds:
    return Bounds(time.monotonic() + deadline + GRACE, MOST_OUTPUT)

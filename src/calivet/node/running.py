"""Runs the probe on the machine that calivet itself runs on, and reads what any machine's probe sent."""

from __future__ import annotations

import re
import time
from pathlib import Path
from threading import Event

from msgspec import Struct

from calivet.evidence.artifact import Document, Unreadable
from calivet.evidence.cutting.probe_output import BEGIN, END, is_marked
from calivet.evidence.decoding.decode import decode
from calivet.messages.message import make_verbatim, message
from calivet.node.outcome import cut
from calivet.node.process import Bounds, run
from calivet.search.expressions import expression

BEGINS = (b"# calivet-probe 1 ", b"# calivet-probe 2 ")
"""In either format, so that what was recorded can be played again."""
_HOST = expression(r"(?P<before># calivet-probe \d+ (?:.* )?host=)(?P<host>\S+)(?P<after>.*)")
_PROMPT = expression(r"(?P<before>\[[^\s@\]]+@)(?P<host>[^\s\]]+)(?P<after> ~\][#$].*)")


class Stream(Struct, frozen=True):
    """The lines of the script."""

    lines: list[str]
    is_whole: bool
    """Its last line has arrived."""

    @property
    def host(self) -> str:
        """The name that the machine gives itself."""
        head = _HOST.match(self.lines[0])
        return head["host"] if head else ""


def stream_in(data: bytes) -> Stream | None:
    """The stream in these bytes, if it has begun at all."""
    start = min((found for begins in BEGINS if (found := data.find(begins)) >= 0), default=-1)
    # Half a line may say something else than the whole: 10.0.0.1 of 10.0.0.12.
    stop = data.rfind(b"\n", start) + 1 if start >= 0 else 0
    if not stop:
        return None
    lines = decode(data[start:stop])
    mark = _mark(lines)
    end = next((index for index, line in enumerate(lines) if line.startswith(END) and is_marked(line, mark)), None)
    return Stream(lines, is_whole=False) if end is None else Stream(lines[: end + 1], is_whole=True)


def rename_machine(lines: list[str], name: str) -> list[str]:
    """The machine goes by this name in the head and in every prompt; what the commands printed stays as it is."""
    head = _HOST.match(lines[0])
    if not head or head["host"] == name:
        return lines
    host, mark = head["host"], _mark(lines)
    prompts = (_PROMPT.match(line) if line.startswith("[") and is_marked(line, mark) else None for line in lines[1:])
    pairs = zip(lines[1:], prompts, strict=True)
    rest = (_replace_name(found, name) if found and found["host"] == host else line for line, found in pairs)
    return [_replace_name(head, name), *rest]


def _mark(lines: list[str]) -> str:
    begin = BEGIN.match(lines[0])
    return begin["mark"] or "" if begin else ""


def _replace_name(found: re.Match[str], name: str) -> str:
    return f"{found['before']}{name}{found['after']}"


PROBE = Path(__file__).with_name("probe.sh")


def read_script() -> str:
    """Its text, as it is piped to a shell over ssh, or handed to somebody who runs it by hand."""
    return PROBE.read_text("utf-8")


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


def probe_here(deadline: float, root: str | None = None) -> Probed:
    """The probe's output as a document, of another root if one is named; never raises for what the machine is like."""
    from platform import node
    from subprocess import SubprocessError

    start, host = time.monotonic(), node() or "localhost"
    name = f"probes/{host}.txt"
    try:
        ended = run(
            [SHELL, "-s", "--", "--total", str(max(1, int(deadline)))],
            read_script().encode(),
            _build_bounds(deadline),
            Event(),
            root=root,
        )
    except OSError as error:
        return Probed(host, None, Unreadable(name, message("node.shell.failed", shell=SHELL, why=error.strerror)), 0.0)
    except SubprocessError:
        return Probed(host, None, Unreadable(name, message("node.root.refused", root=root or "/")), 0.0)
    stream, seconds = stream_in(ended.out), time.monotonic() - start
    if stream is None:
        first = ended.errors.strip().partition("\n")[0]
        said = make_verbatim(first) if first else message("node.probe.code", code=str(ended.code))
        return Probed(host, None, Unreadable(name, message("node.probe.silent", said=said)), seconds)
    failure = None if stream.is_whole else Unreadable(name, cut(ended.how, deadline, MOST_OUTPUT).why)
    return Probed(host, Document(name, stream.lines), failure, seconds)


def _build_bounds(deadline: float) -> Bounds:
    return Bounds(time.monotonic() + deadline + GRACE, MOST_OUTPUT)

"""What a machine sent: the script's own stream, without what the login shell prints around it."""

from __future__ import annotations

import re

from msgspec import Struct

from calivet.evidence.decoding import decode
from calivet.evidence.expressions import expression

BEGINS = b"# calivet-probe 1 "
ENDS = "# calivet-probe end"
_HOST = expression(r"(?P<before># calivet-probe 1 (?:.* )?host=)(?P<host>\S+)(?P<after>.*)")
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
    start = data.find(BEGINS)
    # Half a line may say something else than the whole: 10.0.0.1 of 10.0.0.12.
    stop = data.rfind(b"\n", start) + 1 if start >= 0 else 0
    if not stop:
        return None
    lines = decode(data[start:stop])
    end = next((index for index, line in enumerate(lines) if line.startswith(ENDS)), None)
    return Stream(lines, is_whole=False) if end is None else Stream(lines[: end + 1], is_whole=True)


def renamed(lines: list[str], name: str) -> list[str]:
    """The machine goes by this name in the head and in every prompt; what the commands printed stays as it is."""
    head = _HOST.match(lines[0])
    if not head or head["host"] == name:
        return lines
    host = head["host"]
    prompts = (_PROMPT.match(line) if line.startswith("[") else None for line in lines[1:])
    pairs = zip(lines[1:], prompts, strict=True)
    rest = (_with(found, name) if found and found["host"] == host else line for line, found in pairs)
    return [_with(head, name), *rest]


def _with(found: re.Match[str], name: str) -> str:
    return f"{found['before']}{name}{found['after']}"

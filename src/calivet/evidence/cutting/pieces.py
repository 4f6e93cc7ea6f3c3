"""The stretches a text is cut into, before they become artifacts; also by host, where one command ran on several."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum, auto

from msgspec import Struct

from calivet.search.expressions import expression


class Mode(Enum):
    """What a line is when neither it nor its neighbours tell."""

    PROSE = auto()
    """Markdown outside its code."""
    EITHER = auto()
    """Plain text."""
    OUTPUT = auto()
    """Code in Markdown, configuration, logs."""


class Piece(Struct):
    """Lines that belong together; `start` counts from the first line of the text that was cut."""

    start: int
    lines: list[str]
    prose: bool = False
    command: str | None = None
    host: str | None = None
    label: str | None = None

    @property
    def stop(self) -> int:
        """The index behind the last line."""
        return self.start + len(self.lines)

    def shift(self, offset: int) -> Piece:
        """The same piece in a text that has so many lines before this one."""
        self.start += offset
        return self


def split_paragraphs(lines: list[str]) -> Iterator[tuple[int, int]]:
    """Start and stop of each run of lines that are not blank."""
    start = None
    for index, line in enumerate(lines):
        blank = not line or line.isspace()
        if start is None and not blank:
            start = index
        elif start is not None and blank:
            yield start, index
            start = None
    if start is not None:
        yield start, len(lines)


RUNNERS = expression(r"(?:sudo +)?(?:pdsh|clush|dsh|pssh|parallel-ssh|ansible|salt|mco)\b")
LINE_RUNNERS = expression(r"(?:sudo +)?(?:pdsh|clush|dsh)\b")
INNER = expression(
    r"(?:-a|--args|-i|-c)[ =](?P<quote>['\"])(?P<ansible>.+?)(?P=quote)|['\"](?P<quoted>[^'\"]+)['\"]\s*(?:\||$)"
)
AFTER_HOSTS = expression(r".*?\s-[wgab]\s?\S+\s+(?P<command>[^-\s].*)$")
SAMPLE = 400
DIGITS = expression(r"\d+")
HOST_SHAPE = expression(
    r"(?!(?:eth|ens|enp|eno|bond|br|veth|cali|tunl|wg|vlan|team|lo|docker|cpu|sd[a-z])\w*$)[a-z][\w.-]*0[\w.-]*$"
)
LINE = expression(r"(?P<host>[A-Za-z0-9](?:[\w.-]{0,251}[A-Za-z0-9])?): ?(?P<text>.*)$")


def find_inner_command(command: str | None) -> str | None:
    """The command that each of the machines ran."""
    if not command or not RUNNERS.match(command):
        return None
    if found := INNER.search(command):
        return found["ansible"] or found["quoted"]
    found = AFTER_HOSTS.match(command)
    return found["command"].strip() if found else None


def cut_by_host(command: str | None, lines: list[str]) -> list[Piece]:
    """One piece for each stretch of one host's lines, where every line begins with its host."""
    if command is not None and (not LINE_RUNNERS.match(command) or "dshbak" in command):
        return []
    if command is None and not _do_lines_carry_hosts(lines):
        return []
    pieces: list[Piece] = []
    inner = find_inner_command(command)
    for index, line in enumerate(lines):
        found = LINE.match(line)
        if found is None:
            if line.strip():
                return []
            continue
        last = pieces[-1] if pieces else None
        if last and last.host == found["host"] and last.stop == index:
            last.lines.append(found["text"])
        else:
            pieces.append(Piece(index, [found["text"]], command=inner, host=found["host"]))
    return pieces


def _do_lines_carry_hosts(lines: list[str]) -> bool:
    """Without the command, only names that differ in nothing but their numbers are taken for hosts."""
    names = {found["host"] if (found := LINE.match(line)) else "" for line in lines[:SAMPLE] if line.strip()}
    shapes = {DIGITS.sub("0", name) for name in names}
    return len(names) > 1 and len(shapes) == 1 and bool(HOST_SHAPE.match(shapes.pop()))

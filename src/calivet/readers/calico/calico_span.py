"""A stretch of Calico log lines while it is being read: one process' life, as far as the log shows it."""

from __future__ import annotations

import re

from msgspec import Struct, field

from calivet.evidence.expressions import expression
from calivet.readers.calico.calico_line import RANKS, goes_back, level_of, program_of, stamp_of
from calivet.readers.calico.calico_statements import Statement, node_named, statement

_LONGEST_GAP = 60
_NEW_PROCESS = expression(r"Early (?:screen )?log level set")
_START_FAILED = "Calico node failed to start"


class Span(Struct):
    """Grows line by line. Each line is looked at briefly, and times are parsed only at the ends: logs are huge."""

    first: int
    machine: str | None = None
    pod: str | None = None
    container: str | None = None
    last: int = 0
    count: int = 0
    programs: set[str] = field(default_factory=set)
    worst: str = "DEBUG"
    stamps: list[str] = field(default_factory=list)
    """The first and the last time, as written."""
    node: str | None = None
    statements: dict[str, tuple[int, str, Statement]] = field(default_factory=dict)
    """The last line of each different statement: monitors repeat theirs every minute."""
    ended: bool = False

    def takes(self, index: int, line: str, head: re.Match[str]) -> bool:
        """Whether this line goes on with the span, rather than being of another process or place."""
        if self.ended or index - self.last > _LONGEST_GAP:
            return False
        if (head["pod"] or self.pod, head["machine"]) != (self.pod, self.machine):
            return False
        stamp = stamp_of(head)
        if stamp and self.stamps and goes_back(self.stamps[-1], stamp):
            return False
        return not (_NEW_PROCESS.match(line, head.end()) and program_of(head) in self.programs)

    def add(self, index: int, line: str, head: re.Match[str]) -> None:
        """Counts the line in, and keeps what it states."""
        self.last = index
        self.count += 1
        level = level_of(head)
        if RANKS.get(level, 1) > RANKS.get(self.worst, 1):
            self.worst = level
        if program := program_of(head):
            self.programs.add(program)
        stamp = stamp_of(head)
        if stamp:
            self.stamps[1:] = [stamp]
        self.node = self.node or node_named(line, head.end())
        if said := statement(line, head.end()):
            self.statements[said.text] = (index, stamp or "", said)
        self.ended = head["plain"] == _START_FAILED

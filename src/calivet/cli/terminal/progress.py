"""Progress on standard error: a bar per phase on a terminal, plain lines elsewhere, never on standard output."""

from __future__ import annotations

import shutil
import sys

from calivet.cli.terminal.output import redraw_line, tell
from calivet.messages.message import Message, say
from calivet.reports.layout.wording import add_detail, add_remarks
from calivet.reports.layout.wrapping import measure_width

BAR = 24


class Progress:
    """Phases with a known number of steps."""

    def __init__(self, language: str) -> None:
        """Nothing is shown before the first phase."""
        self._language = language
        self._terminal = sys.stderr.isatty()
        self._title, self._total, self._done = "", 0, 0

    def name_cluster(self, context: str, server: str) -> None:
        """Which cluster is asked: the wrong one is noticed before its answer."""
        asked = add_remarks(context, [server], self._language) if context else server
        tell(f"calivet: {say('cli.cluster.asking', self._language, cluster=asked)}\n")

    def phase(self, name: str, total: int) -> None:
        """A phase begins; one without work is not worth a line."""
        self.finish()
        self._title, self._total, self._done = say(f"cli.phase.{name}", self._language), total, 0
        if total and not self._terminal:
            tell(f"calivet: {add_remarks(self._title, [str(total)], self._language)}\n")
        self.step("")

    def step(self, name: str, says: Message | None = None) -> None:
        """One more is done; what there is to say about it is for those who see no bar."""
        self._done += bool(name)
        if says and not self._terminal:
            tell(f"calivet: {add_detail(name, says.read(self._language), self._language)}\n")
        if self._terminal and self._total:
            filled = BAR * self._done // self._total
            bar = "#" * filled + "." * (BAR - filled)
            line = f"[{bar}] {self._done}/{self._total} {self._title}"
            # A line that wraps could not be taken back.
            room = shutil.get_terminal_size().columns - measure_width(line) - 3
            redraw_line(f"{line}  {name[-room:] if room > 0 else ''}")

    def finish(self) -> None:
        """Leave a clean line to whatever is printed next."""
        if self._terminal and self._total:
            redraw_line("")
        self._total = 0


class Silence:
    """For what repeats itself on one screen."""

    def name_cluster(self, context: str, server: str) -> None:
        """Nothing."""

    def phase(self, name: str, total: int) -> None:
        """Nothing."""

    def step(self, name: str, says: Message | None = None) -> None:
        """Nothing."""

    def finish(self) -> None:
        """Nothing."""

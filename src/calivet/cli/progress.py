"""Progress on standard error: a bar per phase on a terminal, plain lines elsewhere, never on standard output."""

from __future__ import annotations

import shutil
import sys
from typing import TextIO

from calivet.catalogue.words import Words
from calivet.reports.reasons import reason
from calivet.reports.wrapping import width_of

PHASES = {
    "api-server": Words("asking the API server", "询问 API server"),
    "nodes-and-pods": Words("listing nodes and pods", "列出节点和 Pod"),
    "surroundings": Words("reading events, settings and Calico's resources", "读取事件、配置和 Calico 资源"),
    "sick-pods": Words("looking closely at sick pods and nodes", "细看异常的 Pod 和节点"),
    "logs": Words("reading logs", "读取日志"),
    "probes": Words("asking the nodes themselves over ssh", "通过 ssh 查看节点本身"),
    "cases": Words("diagnosing labelled cases", "诊断已标注的案例"),
    "contents": Words("looking which bundles are new", "查找尚未诊断的诊断包"),
    "bundles": Words("diagnosing bundles", "逐个诊断"),
}
BAR = 24
CLEAR = "\x1b[K"


class Progress:
    """Phases with a known number of steps."""

    def __init__(self, language: str, stream: TextIO | None = None) -> None:
        """Nothing is shown before the first phase."""
        self._language = language
        self._stream = stream or sys.stderr
        self._terminal = self._stream.isatty()
        self._title, self._total, self._done = "", 0, 0

    def phase(self, name: str, total: int) -> None:
        """A phase begins; one without work is not worth a line."""
        self.finish()
        self._title, self._total, self._done = PHASES[name].read(self._language), total, 0
        if total and not self._terminal:
            self._write(f"calivet: {self._title} ({total})\n")
        self.step("")

    def step(self, name: str, says: str = "") -> None:
        """One more is done; what there is to say about it is for those who see no bar."""
        self._done += bool(name)
        if says and not self._terminal:
            self._write(f"calivet: {name}: {reason(says, self._language)}\n")
        if self._terminal and self._total:
            filled = BAR * self._done // self._total
            bar = "#" * filled + "." * (BAR - filled)
            line = f"[{bar}] {self._done}/{self._total} {self._title}"
            # A line that wraps could not be taken back.
            room = shutil.get_terminal_size().columns - width_of(line) - 3
            self._write(f"\r{line}  {name[-room:] if room > 0 else ''}{CLEAR}")

    def finish(self) -> None:
        """Leave a clean line to whatever is printed next."""
        if self._terminal and self._total:
            self._write(f"\r{CLEAR}")
        self._total = 0

    def _write(self, text: str) -> None:
        self._stream.write(text)
        self._stream.flush()


class Silence:
    """For what repeats itself on one screen."""

    def phase(self, name: str, total: int) -> None:
        """Nothing."""

    def step(self, name: str, says: str = "") -> None:
        """Nothing."""

    def finish(self) -> None:
        """Nothing."""

"""Which machine a line of a host tool is about: a head above it, the command's target, or the prompt's host."""

from __future__ import annotations

import re
from bisect import bisect_right

from msgspec import Struct

from calivet.evidence.artifact import Artifact
from calivet.search.expressions import expression

SPEAKER = r"(?:\[?(?P<speaker>[A-Za-z0-9][\w.-]*)\]?\s*(?::|\||->|=>)\s+)?"
"""The host in front of a line, as loops and parallel shells print it; for use inside a reader's own pattern."""

# Anchors run over every line of every log. Python is several times faster at a branch `.*word` for each word
# than at `.*(?:word|word)`, which is why they are written so.
FRONT = r"\s*(?:\[?[\w.-]+\]? *(?::|\||->|=>) +)?"
"""What may stand before the first word of a line, a speaker included; for anchors."""

SHARED = r"[\w.-]+ \| \S+ \| rc=|\[\d+\] \S+ \[(?:SUCCESS|FAILURE)\] "
"""The head over one machine's share of an output; for anchors of readers to whom silence means something."""

_LONGEST_HEAD = 120
_RUNNER_HEADS = (
    expression(r"^(?P<host>[A-Za-z0-9][\w.-]*) \| (?:CHANGED|SUCCESS|FAILED|UNREACHABLE)\b"),
    expression(r"^\[\d+\] \d\d:\d\d:\d\d \[(?:SUCCESS|FAILURE)\] (?:[\w.-]+@)?(?P<host>[A-Za-z0-9][\w.-]*)"),
)
# An echoed banner may also be a title; only what is written like a machine's name is taken for one.
_BANNER = expression(r"^\s*[=\-#*>~+]{2,}\s*(?:(?:node|host)[\s:]+)?(?P<host>[A-Za-z0-9][\w.-]*)\s*[=\-#*<~+:]*\s*$")
_MACHINE_NAME = expression(r"[\d.-]|^(?:master|worker|node|control)", re.IGNORECASE)
_TITLE = expression(
    r"^(?:step|test|case|part|phase|section|attempt|try|run|round|before|after|v?\d+[.\d]*$)", re.IGNORECASE
)
# Whatever is a head begins like this; most lines do not.
_MAY_BE_HEAD = expression(r"\s*[=\-#*>~+]{2}|\[\d|[A-Za-z0-9][\w.-]* \| ")
_ADDRESS = expression(r"^\d+\.\d+\.\d+\.\d+$")

_SSH_OPTIONS = r"(?:\s+-(?:[46AaCfGgKkMNnqsTtVvXxYy]+|[BbcDEeFIiJLlmOopQRSWw]\s*\S+))*"
_TARGETS = (
    expression(
        rf"^(?:sudo\s+)?(?:sshpass\s+(?:-\w\s*\S+\s+)*)?ssh{_SSH_OPTIONS}\s+(?:[^\s@]+@)?(?P<host>[\w.-]+)\s+\S"
    ),
    expression(r"\bdebug\b.*\bnode/(?P<host>[\w.-]+)"),
    expression(r"/nodes/(?P<host>[\w.-]+)/proxy\b"),
    expression(r"^vagrant ssh (?P<host>[\w.-]+) "),
    expression(r"^(?:multipass|lxc|incus) exec (?P<host>[\w.-]+)"),
    expression(r"^(?:docker|podman) exec (?:-\w+ )*(?P<host>[\w.-]+-(?:control-plane|worker)\d*) "),
)
# These print what is inside a pod, about the cluster, or from many machines: not about the prompt's host.
_NOT_HERE = expression(
    r"^(?:sudo\s+)?(?:(?:k3s|k0s|microk8s|minikube|rke2)[ .])?(?:kubectl|oc|k)\s"
    r"|\bdo\b.*\bssh\s|^(?:sudo\s+)?(?:ansible|pssh|parallel-ssh|clush|pdsh|salt)\s"
)


class Subjects(Struct, frozen=True):
    """The machines that an artifact's lines are about."""

    usual: str | None
    heads: tuple[tuple[int, str], ...] = ()
    """Where the output of another machine begins, in order."""

    def at(self, index: int, speaker: str | None = None) -> str | None:
        """The machine of this line; a speaker in front of the line itself knows best."""
        if speaker:
            return speaker
        position = bisect_right(self.heads, index, key=lambda head: head[0])
        return self.heads[position - 1][1] if position else self.usual


def find_subjects(artifact: Artifact) -> Subjects:
    """Finds the heads and the command's target once, for all lines."""
    may_be = _MAY_BE_HEAD.match
    heads = ((index, find_machine_head(line)) for index, line in enumerate(artifact.lines) if may_be(line))
    return Subjects(_find_usual(artifact), tuple((index, host) for index, host in heads if host))


def find_machine_head(line: str) -> str | None:
    """The machine that this line names as the source of the lines below it."""
    if len(line) > _LONGEST_HEAD:
        return None
    for shape in _RUNNER_HEADS:
        if found := shape.search(line):
            return found["host"]
    banner = _BANNER.search(line)
    host = banner["host"].rstrip("-.") if banner else ""
    return parse_machine_name(host)


def parse_machine_name(text: str) -> str | None:
    """The text, where it is written like the name or the address of a machine."""
    return text if _ADDRESS.match(text) or (_MACHINE_NAME.search(text) and not _TITLE.search(text)) else None


def _find_usual(artifact: Artifact) -> str | None:
    command = artifact.command or ""
    for target in _TARGETS:
        if found := target.search(command):
            return found["host"]
    return None if _NOT_HERE.search(command) else artifact.host


# The head of a line in a journal: when it was written, and on which machine.
JOURNAL_HEAD = expression(
    r"^\s*(?P<time>(?:[A-Z][a-z]{2}|\d{1,2}月) +\d{1,2} \d\d:\d\d:\d\d(?:\.\d+)?"
    r"|(?:[A-Z][a-z]{2} )?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d[\d.,]*(?:Z|[+-]\d\d:?\d\d| [A-Z]{3,4})?)"
    r" (?:(?P<host>[A-Za-z0-9][\w.-]*) )?(?:[\w@./-]+\[\d+\]|kernel): "
)


def find_journal_host(line: str) -> str | None:
    """The host in a journal line's head."""
    found = JOURNAL_HEAD.match(line)
    return found["host"] if found else None

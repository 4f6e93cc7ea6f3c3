"""What a journal says about the state of units: systemd's own lines, and kubelet's last words before it exits.

A log may hold millions of lines; only those that change a unit's state are looked at, and a unit gets one fact
for its trouble and one for its end, however often it was restarted. The kernel's log is known here as well.
"""

from __future__ import annotations

import re

from msgspec import Struct

from calivet.evidence.artifact import Artifact
from calivet.facts.host import Unit
from calivet.facts.times import count_seconds_between, parse_time
from calivet.readers.host.systemd_unit import find_status_tails
from calivet.readers.reader import Reader, Reading
from calivet.readers.subject import JOURNAL_HEAD, find_journal_host
from calivet.search.expressions import expression

_RESTARTING, _FAILING, _STARTED, _STOPPED = "restarting", "failing", "started", "stopped"
_UNIT = r"(?P<unit>[\w@.:\\-]+)\.service"
_SHAPES = (
    (_RESTARTING, expression(rf"{_UNIT}: Scheduled restart job, restart counter is at (?P<restarts>\d+)")),
    (_RESTARTING, expression(rf"{_UNIT}:? .*scheduling restart")),
    (_FAILING, expression(rf"{_UNIT}: Failed with result (?:'(?P<result>[\w-]+)')?")),
    (_FAILING, expression(rf"(?:Unit )?{_UNIT}:? (?:Unit )?entered failed state")),
    (_FAILING, expression(rf"{_UNIT}: [Mm]ain process exited, code=(?P<code>exited|killed|dumped), status=(?!0/)")),
    (_FAILING, expression(rf"{_UNIT} failed\.")),
    (_FAILING, expression(rf"{_UNIT}: Start request repeated too quickly")),
    (_FAILING, expression(rf"start request repeated too quickly for {_UNIT}")),
    (_FAILING, expression(r"Failed to start (?P<description>.+)")),
    (_STARTED, expression(r"Started (?P<description>.+)")),
    (_STOPPED, expression(r"Stopped (?P<description>.+)")),
)
_SYSTEMD = expression(r"\bsystemd\[\d+\]: ")
# OpenShift runs it in a wrapper of its own.
_KUBELET = expression(r"\b(?:kubelet(?:-wrapper|\.sh)?|kubenswrapper|hyperkube)\[\d+\]: |^\s*[EF]\d{4} ")
_KUBELET_GIVES_UP = expression(r"[Ff]ailed to (?:run|load|parse) [Kk]ubelet|\]: (?:Error: )?unknown flag: --")
_RESULTS = {"exited": "exit-code", "killed": "signal", "dumped": "core-dump"}

# systemd names a unit by its description when it starts or stops; newer ones put the unit's name in front.
_NAMED = expression(r"^([\w@.:\\-]+)\.service - ")
_DESCRIPTIONS = (
    (expression(r"kubelet", re.IGNORECASE), "kubelet"),
    (expression(r"^containerd container runtime"), "containerd"),
    (expression(r"^Docker Application Container Engine"), "docker"),
    (expression(r"CRI-O|Container Runtime Interface for OCI"), "crio"),
    (expression(r"^Lightweight Kubernetes"), "k3s"),
)
_SETTLED = 60.0
_END_REACH = 200


class _History(Struct):
    """What the lines so far say about one unit on one host."""

    trouble: int | None = None
    restarting: bool = False
    restarts: int | None = None
    result: str | None = None
    end: int | None = None
    """The line of the last start or stop, where it comes after the trouble."""
    stopped: bool = False

    def follow(self, index: int, state: str, details: dict[str, str | None]) -> None:
        """Takes one more line into account."""
        if state in (_STARTED, _STOPPED):
            self.end, self.stopped = index, state == _STOPPED
            return
        # The line that speaks of a restart says most, so a later plain failure does not take its place.
        if state == _RESTARTING or not self.restarting:
            self.trouble = index
        self.restarting |= state == _RESTARTING
        self.result = details.get("result") or _RESULTS.get(details.get("code") or "") or self.result
        self.restarts = int(details.get("restarts") or 0) or self.restarts
        self.end = None


def read_journal(artifact: Artifact, anchors: list[int]) -> Reading:
    """Follows each unit through the log, then states its trouble and how it ended."""
    reading = Reading(claimed=set(anchors))
    tails = find_status_tails(artifact.lines, JOURNAL_HEAD)
    histories: dict[tuple[str | None, str], _History] = {}
    for index in anchors:
        line = artifact.lines[index]
        if index not in tails and (change := _change(line)):
            unit, state, details = change
            histories.setdefault((find_journal_host(line) or artifact.host, unit), _History()).follow(
                index, state, details
            )
    for (host, unit), history in histories.items():
        _add_units(artifact, host, unit, history, reading)
    return reading


def _change(line: str) -> tuple[str, str, dict[str, str | None]] | None:
    """The unit that this line speaks of, and what becomes of it."""
    if "ubelet" in line and _KUBELET_GIVES_UP.search(line) and _KUBELET.search(line):
        return "kubelet", _FAILING, {}
    manager = _SYSTEMD.search(line) if "systemd[" in line else None
    if not manager:
        return None
    for state, shape in _SHAPES:
        if found := shape.match(line, manager.end()):
            details = found.groupdict()
            unit = details.get("unit") or _parse_description(details.get("description") or "")
            return (unit, state, details) if unit else None
    return None


def _parse_description(description: str) -> str | None:
    if named := _NAMED.match(description):
        return named[1]
    return next((unit for pattern, unit in _DESCRIPTIONS if pattern.search(description)), None)


def _add_units(artifact: Artifact, host: str | None, unit: str, history: _History, reading: Reading) -> None:
    if history.trouble is not None:
        active, sub = ("activating", "auto-restart") if history.restarting else ("failed", None)
        reading.facts.append(
            Unit(
                at=artifact.at(history.trouble),
                host=host,
                name=unit,
                active=active,
                sub=sub,
                result=history.result,
                restarts=history.restarts,
            )
        )
    if history.end is None or (history.trouble is not None and not _did_stay(artifact, history.end)):
        return
    active, sub = ("inactive", "dead") if history.stopped else ("active", "running")
    reading.facts.append(Unit(at=artifact.at(history.end), host=host, name=unit, active=active, sub=sub))


def _did_stay(artifact: Artifact, index: int) -> bool:
    """After trouble, a start counts as a recovery only where the log goes on for a while without new trouble."""
    start = JOURNAL_HEAD.match(artifact.lines[index])
    last = next((head for line in reversed(artifact.lines[-_END_REACH:]) if (head := JOURNAL_HEAD.match(line))), None)
    if not start or not last:
        return False
    seconds = count_seconds_between(parse_time(start["time"]), parse_time(last["time"]))
    return seconds is not None and seconds >= _SETTLED


# A kubelet run by hand writes its last words without a journal's head.
JOURNAL_READER = Reader(
    kind="journal",
    anchor=expression(rf"{JOURNAL_HEAD.pattern}|^\s*[EF]\d{{4}} .*[Ff]ailed to (?:run|load|parse) [Kk]ubelet"),
    read=read_journal,
)


# The kernel's log, known by what its OOM killer writes; what that means, the catalogue's patterns say.
_SUMMARY = expression(r"oom-kill:constraint=CONSTRAINT_\w{1,40},.{0,900}?\btask=[^,]{1,80},pid=\d+")
_KILL = expression(
    r"(?:Memory cgroup out of memory: |Out of memory(?: \([^)]*\))?: |\bkernel: |\] |^\s*)"
    r"Kill(?:ed)? process \d+ \([^)]+\)"
)


def read_kernel_log(artifact: Artifact, anchors: list[int]) -> Reading:
    """Two or three lines tell of one kill."""
    reading = Reading()
    for index in anchors:
        line = artifact.lines[index]
        if _SUMMARY.search(line) or _KILL.search(line):
            reading.claim(index, index + 1)
    return reading


KERNEL_LOG_READER = Reader(
    kind="kernel-log", anchor=expression(r"oom-kill:constraint=|Kill(?:ed)? process \d+ \("), read=read_kernel_log
)

"""Felix and its neighbours: health, ends and starts, who waits for Typha, devices that eBPF is attached to."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from itertools import islice, pairwise

from calivet.evidence.artifact import Artifact
from calivet.facts.calico import (
    BpfDevices,
    DeterminedMtu,
    FelixAnswer,
    FelixRestarts,
    FelixRevived,
    HealthReport,
    SupervisedProgram,
    TyphaAttempt,
)
from calivet.facts.fact import Fact, Scalar
from calivet.facts.times import count_seconds_between, parse_time
from calivet.readers.calico.calicoctl import read_box, split_row
from calivet.readers.command import Machines, find_output_start, list_output_lines, look_inside
from calivet.readers.reader import Reader, Reading, read_statements
from calivet.search.expressions import expression

# Newer ones tell of policies between the two, and list what Felix leaves alone as not managed.
_ROW = expression(r"^\s*\d{1,9} : \{flags: (?P<flags>[A-Za-z0-9, ]*)[^{}]{0,300}\bname: (?P<name>[\w.@-]{1,15})\}")
_NOT_OF_HOST = ("workload", "notmanaged")


def _read(artifact: Artifact, anchors: list[int]) -> Iterator[Fact]:
    """One dump is one machine's; pods have devices of their own."""
    rows = [(index, found) for index in anchors if (found := _ROW.match(artifact.lines[index]))]
    names = tuple(found["name"] for _, found in rows if not any(word in found["flags"] for word in _NOT_OF_HOST))
    if rows and "grep" not in (artifact.command or ""):
        pod = look_inside(artifact).pod
        yield BpfDevices(at=artifact.at(rows[0][0]), host=artifact.host, pod=pod, names=names)


BPF_DEVICE_READER = read_statements(_read, anchor=_ROW)


# The table of Felix's health reporters, from its log or from the body of /readiness and /liveness.
_SAID = {
    "reporting live": True,
    "reporting non-live": False,
    "reporting ready": True,
    "reporting non-ready": False,
    "timed out": False,
}
_LINES_TO_THE_HEAD = 3


def _read_health(artifact: Artifact, anchors: list[int]) -> Reading:
    reading = Reading()
    latest: dict[tuple[Scalar, ...], HealthReport] = {}
    machines = Machines(artifact)
    for index in anchors:
        if index in reading.claimed:
            continue
        header = split_row(artifact.lines[index])
        if not header or header[0] != "COMPONENT":
            continue
        box = read_box(artifact.lines, index)
        reading.claim(box.start, box.stop)
        for row, cells in box.named(header):
            report = _report(artifact, row, index, cells, machines)
            # A log repeats the table at each change: one report of each kind is enough, the last.
            latest[report.component, report.live, report.ready, report.timed_out, report.detail] = report
    reading.facts.extend(sorted(latest.values(), key=lambda report: report.at.number))
    return reading


def _report(artifact: Artifact, row: int, header: int, cells: dict[str, str], machines: Machines) -> HealthReport:
    live, ready = cells.get("LIVENESS", ""), cells.get("READINESS", "")
    above = artifact.lines[max(0, header - _LINES_TO_THE_HEAD) : header]
    times = [time for line in above if (time := parse_time(line))]
    return HealthReport(
        at=artifact.at(row),
        host=machines.at(row),
        component=cells["COMPONENT"],
        live=_SAID.get(live),
        ready=_SAID.get(ready),
        timed_out="timed out" in (live, ready),
        detail=cells.get("DETAIL") or None,
        time=times[-1] if times else None,
    )


HEALTH_READER = Reader(kind="felix-health", anchor=expression(r"COMPONENT\s+[|│]"), read=_read_health)


# A Felix that ends again and again and is brought back inside its container: in its log, and in runit's table.
_STARTS = "Felix starting up"
_START = expression(r"\[INFO\]\[(?P<pid>\d+)(?:/\d+)?\] (?:felix/)?daemon\.go \d+: Felix starting up")
# The logs of many pods in one.
_OF_MANY = expression(r"\s(?:-l|--selector)\b|\bstern\b")
# Whatever Felix says when it ends by itself: it was told to, its configuration changed, or it broke.
_FAREWELL = expression(
    r"\[(?:FATAL|PANIC)\]|\bpanic: |^goroutine \d+|shutting down|[Ee]xiting|[Tt]erminating|restarting"
)
# A search that leaves last words out shows no end, be there one or not.
_SEARCH = expression(r"\|\s*(?:e|z|f)?grep\b")
_SEARCH_FOR_ENDS = expression(r"FATAL|fatal|panic|PANIC|grep (?:-\w+ )*-[ABC] ?\d")
_TWICE = 2
# Of `sv status`, by which runit tells how long its programs have run.
_RUNIT_STATUS = expression(
    r"^\s*run: (?:\S*/)?(?P<program>felix|bird6?|confd|monitor-addresses): \(pid \d+\) (?P<seconds>\d+)s"
)
YOUNG, OLD = 5, 20
"""Seconds: Felix is young again while its neighbours grow old."""
OFTEN = 3
_LONGEST_TABLE, _ENOUGH = 60, 2000
"""Lines in which runit's table, or a Felix that ends at once, would have been seen."""
_LOG_LINE = expression(r"^(?P<time>\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+) \[[A-Z]+\]\[(?P<pid>\d+)(?:/\d+)?\] ")
# Lines that Felix writes when it begins, in the form with its name and in the older one without.
_BEGINNING = expression(r"\] (?:felix/)?(?:int_dataplane|daemon|driver)\.go \d+: ")


def _read_restarts(artifact: Artifact, anchors: list[int]) -> Iterator[FelixRestarts]:
    pod = look_inside(artifact).pod
    starts = _find_starts(artifact, anchors)
    if len(starts) >= _TWICE and _would_show_ends(artifact) and not _has_farewell(artifact):
        line = artifact.at(max(starts.values()))
        yield FelixRestarts(at=line, host=artifact.host, times=len(starts), pod=pod)
    for index in (_find_young_again(artifact), _find_last_of_many(artifact, anchors)):
        if index is not None:
            yield FelixRestarts(at=artifact.at(index), host=artifact.host, at_once=True, pod=pod)


def _find_starts(artifact: Artifact, anchors: list[int]) -> dict[str, int]:
    """Where each Felix, told by its number, began."""
    lines = ((index, artifact.lines[index]) for index in anchors)
    own = ((index, text) for index, text in lines if _STARTS in text and "[pod/" not in text)
    return {found["pid"]: index for index, text in own if (found := _START.search(text))}


def _would_show_ends(artifact: Artifact) -> bool:
    """Not where lines were left out, by the operator or because the log was too long to keep."""
    command = artifact.command or ""
    if artifact.numbers or _OF_MANY.search(command):
        return False
    return not _SEARCH.search(command) or bool(_SEARCH_FOR_ENDS.search(command))


def _has_farewell(artifact: Artifact) -> bool:
    return any(_FAREWELL.search(text) for text in artifact.lines[find_output_start(artifact) :])


def _find_young_again(artifact: Artifact) -> int | None:
    """The row of runit's table in which Felix is far younger than another program."""
    lines = enumerate(artifact.lines[:_LONGEST_TABLE])
    rows = [(index, found) for index, text in lines if (found := _RUNIT_STATUS.match(text))]
    ages = {found["program"]: (int(found["seconds"]), index) for index, found in rows}
    felix, index = ages.pop("felix", (OLD, 0))
    return index if felix <= YOUNG and any(age >= OLD for age, _ in ages.values()) else None


def _find_last_of_many(artifact: Artifact, anchors: list[int]) -> int | None:
    """Where the last of several Felixes began that came one after the other within seconds."""
    begun: dict[str, tuple[datetime | None, int]] = {}
    for index in anchors:
        text = artifact.lines[index]
        if index < _ENOUGH and _BEGINNING.search(text) and (found := _LOG_LINE.match(text)):
            begun.setdefault(found["pid"], (parse_time(found["time"]), index))
    times = list(begun.values())
    gaps = [count_seconds_between(one[0], other[0]) for one, other in pairwise(times)]
    quick = len(times) >= OFTEN and all(gap is not None and 0 <= gap <= YOUNG for gap in gaps)
    return times[-1][1] if quick else None


RESTARTS_READER = read_statements(
    _read_restarts,
    anchor=expression(
        r"\] (?:felix/)?(?:int_dataplane|daemon|driver)\.go \d+: "
        r"|^\s*run: \S*(?:felix|bird6?|confd|monitor-addresses): "
    ),
)


# Programs in calico-node's container: which of those that runit looks after live, and how long they have run.
_LONGEST_PROCESS_LIST = 600
"""Lines of a list of processes."""
_SUPERVISOR = expression(r"\brunsv (?P<program>bird|confd)\s*$")
# From 3.33 on one program runs all parts: calico component felix.
_FELIX = expression(r"(?:calico-node -felix|calico component felix|calico-felix)\b")
_ALIVE = {
    "bird": expression(r"(?:^|[\s/])bird(?: -| *$)"),
    "confd": expression(r"calico-node -confd\b|calico component confd\b|(?:^|[\s/])confd -"),
}
_PROCESS = expression(
    r"^\s*\d+\s+(?P<elapsed>(?P<days>\d+-)?(?:\d+:)?\d\d:\d\d)\s+(?:\d+\s+)?(?:\S*/)?"
    r"(?:calico(?:-node -| component )(?P<part>felix|confd)|bird6?)\b"
)
# A list of processes with their ages is never longer; a log is.
_LONGEST_LIST_WITH_AGES = 1000
_ASKED_POD = expression(r"\b(?:calico-node|canal)-[a-z0-9]{5}\b")


def _read_processes(artifact: Artifact, _: list[int]) -> Iterator[Fact]:
    if artifact.length <= _LONGEST_PROCESS_LIST:
        yield from _find_supervised(artifact)
    if artifact.length <= _LONGEST_LIST_WITH_AGES:
        yield from _find_revived(artifact)


def _find_supervised(artifact: Artifact) -> Iterator[SupervisedProgram]:
    # Felix among them shows that the list is whole, and not what a search for one name left of it.
    if not _does_run(artifact, _FELIX):
        return
    for index, text in enumerate(artifact.lines):
        if "runsv " in text and (row := _SUPERVISOR.search(text)):
            program = row["program"]
            alive = _does_run(artifact, _ALIVE[program])
            yield SupervisedProgram(at=artifact.at(index), host=artifact.host, program=program, alive=alive)


def _does_run(artifact: Artifact, wanted: re.Pattern[str]) -> bool:
    return any(wanted.search(text) for text in artifact.lines if "runsv " not in text and "grep" not in text)


def _find_revived(artifact: Artifact) -> Iterator[FelixRevived]:
    """Felix is younger than a day where others of its container are older: it ended and runit brought it back."""
    rows = [(index, found) for index, text in enumerate(artifact.lines) if (found := _PROCESS.match(text))]
    young = [(index, found) for index, found in rows if found["part"] == "felix"]
    old = [found["elapsed"] for _, found in rows if found["part"] != "felix" and found["days"]]
    pod = _ASKED_POD.search(artifact.command or "")
    for index, found in young[:1]:
        if old and not found["days"]:
            yield FelixRevived(
                at=artifact.at(index),
                host=artifact.host,
                pod=pod[0] if pod else None,
                young=found["elapsed"],
                old=old[0],
            )


PROCESSES_READER = read_statements(
    _read_processes, anchor=expression(r"calico-node -felix\b|calico component felix\b|\brunsv (?:bird|confd)")
)


# What Felix found right for pods: in its log, and in the file that it leaves for the CNI plugin.
_DETERMINED = expression(r"Determined pod MTU\b.{0,40}?\bmtu=(?P<mtu>\d{3,5})\b")
_MTU_FILE = expression(r"^(?:sudo )?cat /var/lib/calico/mtu$")


def _read_determined(artifact: Artifact, anchors: list[int]) -> Iterator[DeterminedMtu]:
    pod = _ASKED_POD.search(artifact.command or "")
    for index in anchors:
        if found := _DETERMINED.search(artifact.lines[index]):
            name = pod[0] if pod else None
            yield DeterminedMtu(at=artifact.at(index), host=artifact.host, mtu=int(found["mtu"]), pod=name)
    if _MTU_FILE.match(artifact.command or ""):
        for index, text in islice(list_output_lines(artifact), 1):
            if text.isdigit():
                yield DeterminedMtu(at=artifact.at(index), host=artifact.host, mtu=int(text))


DETERMINED_READER = read_statements(_read_determined, anchor=expression(r"Determined pod MTU\b"), command=_MTU_FILE)


# The last that a log says of Typha is that it is being connected to.
_TRIES_TYPHA = expression(r'Connecting to Typha\b(?:.*?\baddr(?:ess)?="(?P<address>[^"]+)")?', re.IGNORECASE)
_ENDS_TYPHA_TRY = expression(
    r"(?<!re)connected to Typha|Server hello message|(?:fail\w*|error) (?:to connect|connecting) to Typha"
    r"|Typha\b.*\berror=|status.{0,20}in-sync|datastore now in sync",
    re.IGNORECASE,
)
_LAST_WORDS = 60
# Such a filter may have taken away what came of it.
_CUT_LOG = expression(r"\|\s*head\b|\bgrep\b.*connecting", re.IGNORECASE)


def _read_typha_connection(artifact: Artifact, _: list[int]) -> Iterator[TyphaAttempt]:
    if _CUT_LOG.search(artifact.command or ""):
        return
    begun: TyphaAttempt | None = None
    for index in range(max(0, len(artifact.lines) - _LAST_WORDS), len(artifact.lines)):
        text = artifact.lines[index]
        if found := _TRIES_TYPHA.search(text):
            begun = TyphaAttempt(at=artifact.at(index), host=artifact.host, address=found["address"])
        elif begun and _ENDS_TYPHA_TRY.search(text):
            begun = None
    if begun:
        yield begun


TYPHA_CONNECTION_READER = read_statements(_read_typha_connection, anchor=expression(r"[Cc]onnecting to [Tt]ypha"))


# The answer to whoever asks Felix, on its machine, how it is: the probe does, and so do people.
_ASKED_FELIX = expression(
    r"(?:curl|wget|/dev/tcp/)\S*.{0,80}(?:127\.0\.0\.1|localhost|\[::1\])[:/](?!9098)\d{2,5}.{0,20}/(?P<path>readiness|liveness)"
)
_STATUS = expression(r"^\s*HTTP/[\d.]+ (?P<status>\d{3})\b")
_PART = expression(r"^\s*[|│]\s*(?P<name>[A-Za-z]\w+)\s*[|│]")


def _read_answers(artifact: Artifact, _: list[int]) -> Iterator[FelixAnswer]:
    asked = _ASKED_FELIX.search(artifact.command or "")
    output = artifact.lines[find_output_start(artifact) :]
    # How a probe's command ended stands apart from what it printed.
    if not asked or (output and output[0].startswith("#= ")):
        return
    statuses = [int(found["status"]) for line in output if (found := _STATUS.match(line))]
    parts = (found["name"] for line in output if (found := _PART.match(line)))
    rows = tuple(name for name in parts if name != "COMPONENT")
    status = statuses[-1] if statuses else None
    yield FelixAnswer(at=artifact.at(0), host=artifact.host, path=asked["path"], status=status, rows=rows)


ANSWERS_READER = read_statements(_read_answers, command=_ASKED_FELIX)

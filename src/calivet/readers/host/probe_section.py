"""What only calivet's own probe of a node prints: who ran it, how each command ended, that it came to its end, sums."""

from __future__ import annotations

from calivet.evidence.artifact import Artifact
from calivet.facts.fact import Fact, Reach
from calivet.facts.host import CommandRun, MachineIdentity, NodeProbe, NodeProbeEnd
from calivet.facts.times import parse_time
from calivet.readers.command import Machines
from calivet.readers.network.reach_tries import parse_asked_port
from calivet.readers.reader import Reader, Reading
from calivet.search.expressions import expression

_BEGIN = expression(r"^# calivet-probe \d+ .*\buser=(?P<user>\S+)(?: time=(?P<time>\S+))?")
_END = expression(r"^# calivet-probe end sections=(?P<sections>\d{1,6})")
_ENDED = expression(
    r"^#= exit=(?P<exit>\d{1,3}) seconds=(?P<seconds>\d{1,6}(?:\.\d+)?)(?P<late> timeout)?(?: cut)?\s*$"
)
_NOT_RUN = expression(r"^#= (?:(?P<absent>absent)|(?P<skipped>skipped))\b")
_TESTS = expression(r"'</dev/tcp/|^nc -z")
_ANCHOR = expression(r"^#= (?:exit=|absent |skipped )|^# calivet-probe ")


def read_probe_sections(artifact: Artifact, anchors: list[int]) -> Reading:
    """One fact for each mark; one without its command, or in the midst of some output, is quoted and says nothing."""
    reading = Reading()
    for index in anchors:
        facts = _read_section(artifact, index) if index == 0 else []
        if facts:
            reading.facts += facts
            reading.claim(index, index + 1)
    return reading


def _read_section(artifact: Artifact, index: int) -> list[Fact]:
    line, at, host = artifact.lines[index], artifact.at(index), artifact.host
    if begin := _BEGIN.match(line):
        return [NodeProbe(at=at, host=host, user=begin["user"], time=parse_time(begin["time"] or ""))]
    if end := _END.match(line):
        return [NodeProbeEnd(at=at, host=host, sections=int(end["sections"]))]
    run = _run(artifact, index)
    return [run, *_find_reached(run)] if run else []


def _run(artifact: Artifact, index: int) -> CommandRun | None:
    line, command = artifact.lines[index], artifact.command
    if command and (ended := _ENDED.match(line)):
        return CommandRun(
            at=artifact.at(index),
            host=artifact.host,
            command=command,
            exit=int(ended["exit"]),
            seconds=float(ended["seconds"]),
            timed_out=bool(ended["late"]),
        )
    if command and (missing := _NOT_RUN.match(line)):
        absent = bool(missing["absent"])
        return CommandRun(at=artifact.at(index), host=artifact.host, command=command, absent=absent, skipped=not absent)
    return None


def _find_reached(run: CommandRun) -> list[Fact]:
    """A test of a port that was left hanging, or that succeeds without a word, tells by its end alone."""
    asked = parse_asked_port(run.command) if _TESTS.search(run.command) else None
    if not asked or not asked.target or not (run.timed_out or run.exit == 0):
        return []
    outcome = "timeout" if run.timed_out else "ok"
    return [
        Reach(at=run.at, host=run.host, target=asked.target, port=asked.port, protocol=asked.protocol, outcome=outcome)
    ]


PROBE_SECTION_READER = Reader(kind="probe-section", anchor=_ANCHOR, read=read_probe_sections)


# `sha256sum` of the numbers that tell machines apart, as calivet's probe prints them.
_SUM = expression(r"^(?P<digest>[0-9a-f]{64}) [ *](?:/etc/|/sys/class/dmi/id/)(?P<name>machine-id|product_uuid)\s*$")


def read_machine_identities(artifact: Artifact, anchors: list[int]) -> Reading:
    """One fact for each sum."""
    reading = Reading()
    machines = Machines(artifact)
    for index in anchors:
        if found := _SUM.match(artifact.lines[index]):
            fact = MachineIdentity(
                at=artifact.at(index), host=machines.at(index), name=found["name"], digest=found["digest"]
            )
            reading.facts.append(fact)
            reading.claim(index, index + 1)
    return reading


MACHINE_IDENTITY_READER = Reader(kind="machine-identity", anchor=_SUM, read=read_machine_identities)

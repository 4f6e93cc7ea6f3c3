"""What a node must have, what came of looking for it, by a sign or by hand, and why a place was not read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from enum import StrEnum
from functools import cached_property
from typing import TypeVar

from msgspec import Struct, field

from calivet.evidence.artifact import Artifact, Line
from calivet.facts.cluster_facts import ClusterFacts
from calivet.facts.fact import Fact
from calivet.facts.host import CommandRun, NodeProbe, NodeProbeEnd
from calivet.messages.message import find_words
from calivet.messages.words import Words
from calivet.readers.command import list_output_lines, search_command
from calivet.search.expressions import expression
from calivet.signs.computed import collect_computed_signs
from calivet.signs.sighting import Sighting

Kind = TypeVar("Kind", bound=Fact)
_FOOT = "#= "


class EvidencePart(Struct):
    """A part of the evidence, with the facts in it."""

    artifacts: list[Artifact] = field(default_factory=list)
    facts: list[Fact] = field(default_factory=list)

    def picture(self, other: EvidencePart | None = None) -> ClusterFacts:
        """The picture that it gives, alone or with another part."""
        more = other or EvidencePart()
        return ClusterFacts([*self.artifacts, *more.artifacts], [*self.facts, *more.facts])


class Host:
    """What is known of one node; every requirement asks it."""

    def __init__(self, begin: NodeProbe) -> None:
        """From the probe's first line; the rest is filled in as it is read."""
        self.name = begin.host or "localhost"
        self.user = begin.user
        self.began = begin.time
        self.share = EvidencePart()
        self.around: EvidencePart | None = None
        """The cluster, where it was asked."""
        self.beside: list[Host] = []
        """The other nodes that were probed."""
        self.now: datetime | None = None
        """The time on calivet's own machine, where the probe has just been run."""

    @property
    def is_root(self) -> bool:
        """Whether the probe could see everything."""
        return self.user in ("root", "0")

    @property
    def is_whole(self) -> bool:
        """Whether the probe came to its end, and all of it is here: only then is what it does not show not there."""
        return any(end.sections <= len(self.all(CommandRun)) for end in self.all(NodeProbeEnd))

    @cached_property
    def picture(self) -> ClusterFacts:
        """What the probe shows."""
        return self.share.picture()

    @cached_property
    def cluster(self) -> ClusterFacts | None:
        """What the cluster tells."""
        return self.around.picture() if self.around else None

    @cached_property
    def together(self) -> ClusterFacts:
        """Both in one."""
        return self.share.picture(self.around)

    @cached_property
    def node(self) -> str:
        """What the cluster calls it, or would call it."""
        return self.together.names.find_node_or_host(self.name)

    def all(self, kind: type[Kind]) -> list[Kind]:
        """The facts of a type that the probe gave."""
        return self.picture.all(kind)

    def lines(self, command: str) -> Iterator[Line]:
        """What the commands that match have printed."""
        for artifact in self.share.artifacts:
            if search_command(artifact, expression(command)):
                for index, text in list_output_lines(artifact):
                    if not text.startswith(_FOOT):
                        yield artifact.at(index)


class Outcome(StrEnum):
    """Nothing passes because nothing was seen: then it is not checked."""

    FAIL = "fail"
    PASS = "pass"  # noqa: S105 - no password
    UNCHECKED = "not-checked"


class Result(Struct, frozen=True, kw_only=True):
    """What was found, and the line that shows it."""

    outcome: Outcome
    says: Words | None = None
    """Why it fails, or why it could not be checked."""
    sign: str = ""
    """The computed sign that says it fails; the catalogue has its words."""
    line: Line | None = None
    values: dict[str, str] = field(default_factory=dict)
    """Fill the words and the fix."""


class Requirement(Struct, frozen=True):
    """Something without which Calico would not start or not carry traffic."""

    id: str
    cause: str
    """What the lack of it leads to, in the catalogue."""
    examine: Callable[[Host], Result]

    @property
    def title(self) -> Words:
        """What is looked at."""
        return find_words(f"requirement.{self.id}")


def pass_by(line: Line) -> Result:
    """The place was read, and this line shows that it is well."""
    return Result(outcome=Outcome.PASS, line=line)


def fail_by(reason: str, line: Line, **values: str) -> Result:
    """This line shows that it is not."""
    return Result(outcome=Outcome.FAIL, says=find_words(f"reason.{reason}").fill(values), line=line, values=values)


def mark_unchecked(reason: str, line: Line | None = None, **values: str) -> Result:
    """It cannot be told, and why."""
    return Result(outcome=Outcome.UNCHECKED, says=find_words(f"reason.{reason}").fill(values), line=line, values=values)


_LONGEST = 60


def explain_unread(host: Host, asked: str) -> Result:
    """Of several commands that might have told, the one that came nearest to it."""
    runs = [run for run in host.all(CommandRun) if expression(asked).search(run.command)]
    if not runs:
        return mark_unchecked("nothing_there" if host.is_whole else "probe_cut")
    silent = next((run for run in runs if run.timed_out), None)
    if silent:
        return mark_unchecked(
            "command_silent", silent.at, command=_shorten_command(silent.command), seconds=f"{silent.seconds or 0:.0f}"
        )
    failed = next((run for run in runs if run.exit), None)
    if failed:
        reason = "command_failed" if host.is_root else "command_refused"
        return mark_unchecked(reason, failed.at, command=_shorten_command(failed.command), code=str(failed.exit))
    printed = next((run for run in runs if run.exit == 0), None)
    if printed:
        return mark_unchecked("command_unclear", printed.at, command=_shorten_command(printed.command))
    if all(run.skipped for run in runs):
        return mark_unchecked("command_skipped", runs[0].at, command=_shorten_command(runs[0].command))
    return mark_unchecked("program_absent", runs[0].at, program=runs[0].command.split()[0])


def find_answer(host: Host, asked: str, *codes: int) -> CommandRun | None:
    """A command that ran to its end; where nothing found is an answer too, its code is named."""
    runs = (run for run in host.all(CommandRun) if expression(asked).search(run.command))
    return next((run for run in runs if not run.timed_out and run.exit in (0, *codes)), None)


def find_run_at(host: Host, line: Line) -> CommandRun | None:
    """The command that printed a line: its end is the first one behind it."""
    return next((run for run in host.all(CommandRun) if run.at.number > line.number), None)


def check_absent(host: Host, asked: str) -> Result:
    """The probe lists a directory where there is one, so that its end says that there was none."""
    missing = explain_unread(host, asked)
    end = next(iter(host.all(NodeProbeEnd)), None)
    return pass_by(end.at) if end and host.is_whole and missing.line is None else missing


def _shorten_command(command: str) -> str:
    return command if len(command) <= _LONGEST else command[:_LONGEST] + "…"


LineFinder = Callable[[Host], Line | None]


def find_sightings(name: str, picture: ClusterFacts, host: Host) -> Iterator[Sighting]:
    """Where a sign was seen on this node, or on none in particular."""
    for sighting in collect_computed_signs()[name](picture):
        if sighting.node is None or sighting.node.lower() in (host.name.lower(), host.node.lower()):
            yield sighting


def fail_by_sign(name: str, sighting: Sighting) -> Result:
    """In the words that the catalogue has for the sign."""
    return Result(outcome=Outcome.FAIL, sign=name, line=sighting.line, values=sighting.values)


def check_by_signs(*names: str, shown: LineFinder, asked: str) -> Callable[[Host], Result]:
    """Fails where the probe shows one of the signs; passes where a line shows that it would have."""

    def examine(host: Host) -> Result:
        for name in names:
            for sighting in find_sightings(name, host.picture, host):
                return fail_by_sign(name, sighting)
        line = shown(host)
        return pass_by(line) if line else explain_unread(host, asked)

    return examine


def check_by_cluster_signs(*names: str, shown: LineFinder) -> Callable[[Host], Result]:
    """The same for what only node and cluster together show."""

    def examine(host: Host) -> Result:
        if host.cluster is None:
            return mark_unchecked("no_cluster")
        for name in names:
            for sighting in find_sightings(name, host.together, host):
                return fail_by_sign(name, sighting)
        line = shown(host)
        return pass_by(line) if line else mark_unchecked("cluster_silent")

    return examine

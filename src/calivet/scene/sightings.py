"""Signs and harmless messages with a time of their own, as happenings: a log of equal lines is one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from calivet.catalogue.model import Cause
from calivet.catalogue.words import Words
from calivet.evidence.artifact import Line
from calivet.facts.picture import Picture
from calivet.pipeline import Examined
from calivet.reasoning.diagnosis import Candidate, Finding
from calivet.reasoning.weigh import place
from calivet.scene.draft import Draft, Moment
from calivet.scene.scene import HARMLESS, SIGN
from calivet.scene.stamps import stamp
from calivet.signs.patterns import Key
from calivet.signs.sighting import Sighting


class Subject(Struct, frozen=True):
    """Sightings that say the same."""

    kind: str
    title: Words
    cause: str
    sightings: Sequence[Sighting]


def subjects(examined: Examined) -> Iterator[Subject]:
    """What the findings rest on and explain, or where there are none the candidates; then what was set aside."""
    diagnosis = examined.diagnosis
    owners: dict[str, list[Sighting]] = defaultdict(list)
    for key, found in examined.seen.items():
        owners[key.owner] += found
    judged: Iterable[Finding | Candidate] = diagnosis.findings or diagnosis.candidates
    for one in judged:
        yield from _signs(one.cause, examined)
    yield from _effects(diagnosis.findings, owners)
    harmless = {
        place(one.line): key.owner for key, found in examined.seen.items() if key.part == HARMLESS for one in found
    }
    for aside in diagnosis.set_aside:
        owner = harmless.get(place(aside.line), "")
        yield Subject(HARMLESS, aside.why, "", owners[owner])


def _effects(findings: Sequence[Finding], owners: Mapping[str, list[Sighting]]) -> Iterator[Subject]:
    """Where several findings explain the same, each what was seen on its own nodes, and the rest nobody's."""
    explained = {finding.cause.id: {item.effect: item.title for item in finding.explains} for finding in findings}
    for finding in findings:
        mine = {None, *finding.nodes}
        for effect, title in explained[finding.cause.id].items():
            near = [one for one in owners[effect] if len(findings) == 1 or one.node in mine]
            yield Subject(SIGN, title, finding.cause.id, near)
    for effects in explained.values():
        yield from (Subject(SIGN, title, "", owners[effect]) for effect, title in effects.items())


def drafts(said: Iterable[Subject], picture: Picture) -> Iterator[Draft]:
    """One for each node; a line that has spoken once does not speak again."""
    used: set[tuple[str, int]] = set()
    for subject in said:
        lanes: dict[str, list[Sighting]] = defaultdict(list)
        for one in subject.sightings:
            if not one.note and place(one.line) not in used:
                lanes[one.node or ""].append(one)
        used.update(place(one.line) for one in subject.sightings)
        for lane, found in lanes.items():
            if draft := _draft(subject, lane, found, picture):
                yield draft


def _signs(cause: Cause, examined: Examined) -> Iterator[Subject]:
    for sign in cause.signs:
        if found := examined.seen.get(Key(cause.id, sign.id)):
            says = sign.says.fill({"node": found[0].node or ""} | found[0].values)
            yield Subject(SIGN, says, cause.id, found)


def _draft(subject: Subject, lane: str, found: list[Sighting], picture: Picture) -> Draft | None:
    stamped = [one for one in found if stamp(one.line.text)]
    if not stamped:
        return None
    lines = [one.line for one in stamped]
    if any(one.count > 1 for one in found):
        lines += _ends(stamped, picture)
    return Draft(
        lane=lane,
        kind=subject.kind,
        title=subject.title,
        times=[Moment(time, line) for line in lines if (time := stamp(line.text))],
        count=sum(one.count for one in found),
        bad=subject.kind == SIGN,
        cause=subject.cause,
        line=lines[0],
    )


def _ends(stamped: list[Sighting], picture: Picture) -> Iterator[Line]:
    """Not every sighting was kept: the words tell where each log begins to say so and where it said so last."""
    for one in {one.line.artifact: one for one in stamped if one.words}.values():
        if log := picture.artifact(one.line):
            both_ways = range(len(log.lines)), range(len(log.lines) - 1, -1, -1)
            said = (next((index for index in way if one.words in log.lines[index]), None) for way in both_ways)
            yield from (log.at(index) for index in said if index is not None)

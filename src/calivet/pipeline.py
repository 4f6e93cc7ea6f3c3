"""The one way from evidence to answer, for every input."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from msgspec import Struct, structs

from calivet.catalogue.model import Catalogue
from calivet.evidence.artifact import Artifact, Evidence, Unreadable
from calivet.evidence.cutting.quotations import keep_messages, restore_lines
from calivet.facts.cluster_facts import ClusterFacts
from calivet.facts.fact import Fact, Remark
from calivet.facts.times import parse_time
from calivet.messages.command_line import NO_COMMAND, recognize_command
from calivet.readers.read import read
from calivet.reasoning.cluster_summary import describe_cluster
from calivet.reasoning.contrast import find_contrast
from calivet.reasoning.diagnosis import Diagnosis, Source
from calivet.reasoning.reason import build_diagnosis, describe_references
from calivet.redaction.redactor import Redactor
from calivet.signs.conclusions import drop_mended_states, settle_conclusions
from calivet.signs.log_age import set_history_aside
from calivet.signs.relevance import (
    drop_other_platforms,
    drop_probe_noise,
    drop_recovered,
    drop_unaccompanied,
    drop_words_about_others,
)
from calivet.signs.sign_detector import Sightings, SignDetector


class Examined(Struct, frozen=True):
    """A diagnosis beside what it was made of: the facts, and where each sign was seen."""

    diagnosis: Diagnosis
    picture: ClusterFacts
    seen: Sightings
    taken: datetime | None = None
    """When the evidence was taken, where whoever brought it knows."""


def diagnose(evidence: Evidence, catalogue: Catalogue, watch: SignDetector, nodes: Collection[str] = ()) -> Diagnosis:
    """The answer alone."""
    return examine(evidence, catalogue, watch, nodes).diagnosis


def examine(evidence: Evidence, catalogue: Catalogue, watch: SignDetector, nodes: Collection[str] = ()) -> Examined:
    """Take the secrets out, read every artifact, look for signs, reason; where nodes are named, about these alone."""
    picture, sources = understand(evidence)
    seen = look_for_signs(picture, catalogue, watch)
    unreadable = [*evidence.unreadable, *_list_bugs(evidence, watch)]
    if nodes:
        named = _resolve_names(nodes, picture)
        seen = {key: [one for one in found if one.node is None or one.node in named] for key, found in seen.items()}
        picture = picture.of(named)
    diagnosis = build_diagnosis(catalogue, picture, seen, sources, unreadable)
    if nodes:
        diagnosis.contrast = find_contrast(picture.whole)
    diagnosis.replaced = evidence.replaced
    diagnosis.cluster = structs.replace(
        describe_cluster(picture.whole), context=evidence.context, server=evidence.server, taken=evidence.taken
    )
    references = describe_references(evidence.references)
    diagnosis.set_aside += references
    if references and not evidence.artifacts:
        diagnosis.remark = references[0].why
    if evidence.server:
        _name_commands(diagnosis, evidence)
    return Examined(diagnosis, picture, seen, parse_time(evidence.taken))


def _name_commands(diagnosis: Diagnosis, evidence: Evidence) -> None:
    """What was fetched from a cluster lies in no file that one could open: say what shows it again."""
    commands = {one.name: recognize_command(one.command) for one in evidence.artifacts if one.command}
    for finding in diagnosis.findings:
        finding.evidence = [
            structs.replace(item, shown_by=commands.get(item.line.artifact, NO_COMMAND)) for item in finding.evidence
        ]


def understand(evidence: Evidence) -> tuple[ClusterFacts, list[Source]]:
    """Without its secrets: all that the readers make of it, and of what."""
    (evidence.redactor or Redactor()).redact_evidence(evidence)
    facts: list[Fact] = []
    sources: list[Source] = []
    for artifact in evidence.artifacts:
        found, unread = read(artifact)
        facts += found
        artifact.restored = restore_lines(artifact)
        if artifact.prose and artifact.restored and (messages := keep_messages(artifact.restored)):
            # They were taken out of the author's words, which are known already.
            facts += [one for one in read(messages)[0] if not isinstance(one, Remark)]
        sources.append(_describe_source(artifact, unread))
    return ClusterFacts(evidence.artifacts, facts), sources


def look_for_signs(picture: ClusterFacts, catalogue: Catalogue, watch: SignDetector) -> Sightings:
    """Where each sign was seen that matters here."""
    seen = drop_recovered(drop_probe_noise(drop_words_about_others(watch.look(picture)), picture), picture)
    seen = set_history_aside(drop_other_platforms(seen, catalogue, picture), catalogue, picture)
    seen = drop_mended_states(drop_unaccompanied(seen, catalogue), catalogue, picture.artifacts)
    return settle_conclusions(seen, picture.artifacts)


class UnknownNodeError(Exception):
    """A node that nothing in the evidence speaks of; `known` are those that it speaks of."""

    def __init__(self, name: str, known: list[str]) -> None:
        super().__init__(name)
        self.name, self.known = name, known


def _resolve_names(nodes: Collection[str], picture: ClusterFacts) -> set[str]:
    for name in nodes:
        if picture.names.node(name) is None:
            raise UnknownNodeError(name, sorted(picture.names.nodes))
    return {found for name in nodes if (found := picture.names.node(name))}


def _list_bugs(evidence: Evidence, watch: SignDetector) -> list[Unreadable]:
    """What broke on the way: said, and the answer given from the rest."""
    broken = [Unreadable(f"{one.name}:{one.first}", why) for one in evidence.artifacts for why in one.failed]
    return broken + [Unreadable("calivet", why) for why in watch.failed]


def _describe_source(artifact: Artifact, unread: int) -> Source:
    kind = "note" if artifact.prose else ", ".join(artifact.kinds) or "unrecognised"
    return Source(artifact.name, kind, artifact.length, artifact.first, artifact.host, unread)

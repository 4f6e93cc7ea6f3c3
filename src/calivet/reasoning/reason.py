"""Signs and facts in, the Diagnosis out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set

from msgspec.structs import replace

from calivet.catalogue.model import Catalogue, Strength
from calivet.evidence.artifact import Reference, Unreadable
from calivet.evidence.reference_text import CATALOGUE, LABEL, MANUAL, NOTES, REPORT, SOURCE
from calivet.facts.cluster_facts import ClusterFacts
from calivet.messages.message import find_words
from calivet.messages.words import Words
from calivet.reasoning.choose import Selection, assert_likely, choose_causes
from calivet.reasoning.complaints import list_words_of_author, tells_of_trouble
from calivet.reasoning.components import list_components
from calivet.reasoning.contrast import find_contrast
from calivet.reasoning.diagnosis import (
    FAULT,
    HEALTHY,
    INSUFFICIENT,
    Candidate,
    Diagnosis,
    Doubt,
    Finding,
    Next,
    SetAside,
    Source,
    Unexplained,
)
from calivet.reasoning.doubts import find_doubts, find_missing_proof
from calivet.reasoning.finding import build_finding, cite_topic, collect_evidence
from calivet.reasoning.graph import (
    Graph,
    Observed,
    drop_recovered,
    find_absent_edges,
    observe_effects,
    observe_symptoms,
)
from calivet.reasoning.health import (
    is_contradicted,
    is_of_stranger,
    is_plainly_well,
    is_shown_apart,
    list_healthy_nodes,
    was_seen_healthy,
)
from calivet.reasoning.history import describe_history, drop_history, is_history
from calivet.reasoning.hypotheses import build_hypotheses, cite_symptoms, join_hypotheses
from calivet.reasoning.next_evidence import (
    ask_about,
    choose_next_evidence,
    drop_told,
    keep_allowed,
    list_left_open,
    list_not_seen,
)
from calivet.reasoning.node_health import describe_strangers
from calivet.reasoning.open_remarks import ALL_WELL
from calivet.reasoning.outside import list_outside
from calivet.reasoning.presence import (
    OF_NETWORK,
    explain_absence,
    find_lectures,
    find_lessons,
    has_no_owner,
    is_about_calico,
    is_network_calico,
    is_said_elsewhere,
    may_be_about_cluster,
    shows_other_network,
)
from calivet.reasoning.short_workloads import describe_rollout
from calivet.reasoning.topics import Topic, add_worded, find_topics, join_topics, weigh_topics
from calivet.reasoning.unexplained import list_unexplained, rank_unexplained
from calivet.reasoning.weigh import WEIGHT, WeighedCause, locate_line, shift_confidence, weigh_causes
from calivet.signs.log_age import HISTORY
from calivet.signs.sighting import Key, Sighting

_REFERENCE_WORDS = {
    REPORT: "aside.report",
    CATALOGUE: "aside.catalogue",
    LABEL: "aside.label",
    MANUAL: "aside.manual",
    SOURCE: "aside.source",
    NOTES: "aside.notes",
}


def describe_references(references: Iterable[Reference]) -> list[SetAside]:
    """One entry for each document."""
    return [SetAside(one.line, find_words(_REFERENCE_WORDS[one.kind]), 1, one.line.text) for one in references]


# A candidate below this is not worth a tired reader's glance.
WORTH_NAMING = 0.08
MOST_CANDIDATES = 6
# Above this a candidate forbids the verdict "healthy".
DOUBT = 0.35
# Where every node is seen well, only above this: a setting that might do harm and does none is no fault.
NOT_ASSERTED = 0.5
"""As sure as one strong sign makes it, and not sure enough to assert."""
# Findings as sure as this need no more than a command or two that would confirm them.
SURE = 0.9
CONFIRMING = 2


Seen = Mapping[Key, list[Sighting]]
"""Where each sign, effect and harmless message was seen."""


def build_diagnosis(
    catalogue: Catalogue, picture: ClusterFacts, seen: Seen, sources: list[Source], unreadable: Sequence[Unreadable]
) -> Diagnosis:
    """Weigh, choose, explain."""
    graph = Graph(catalogue, find_absent_edges(picture))
    observed, symptoms = _observe(catalogue, picture, seen)
    absence = explain_absence(picture)
    doubts = find_doubts(picture, observed, seen, catalogue.effects)
    weighed, topics = ([], {}) if absence else _weigh(catalogue, picture, seen)
    history = _temper(weighed, catalogue, picture, observed, symptoms, doubts)
    selection = _select_causes(weighed, graph, picture, observed, doubts)
    findings = _build_findings(selection, catalogue, graph, observed, picture)
    verdict, missing = _decide_verdict(selection, picture, observed, doubts, unreadable)
    is_open = verdict == INSUFFICIENT and not absence
    guesses = build_hypotheses(catalogue, graph, picture, symptoms, observed, seen) if is_open else []
    told = topics if is_open and (_is_ill(picture, symptoms, doubts) or is_about_calico(picture)) else {}
    candidates, left = _list_candidates(selection, guesses, told, catalogue), list_left_open(picture, findings)
    wants_more = is_open or findings
    proposed = _choose_next(selection, candidates, catalogue, picture, left, unreadable) if wants_more else []
    return replace(
        _describe_evidence(catalogue, picture, sources, unreadable),
        verdict=verdict,
        components=list_components(picture, observed, findings),
        findings=findings,
        candidates=[_build_candidate(found, catalogue, graph, symptoms, topics) for found in candidates],
        next=drop_told(proposed, findings),
        set_aside=_set_aside(catalogue, seen, findings, history),
        reason="" if findings else _find_reason(absence, picture, observed),
        remark=absence or _remark(picture, missing),
        unexplained=_rank_rest(picture, _drop_unasserted(seen, catalogue, selection)),
        outside=list_outside(picture, findings),
        doubts=[*doubts, *missing] if is_open else list(left.values()),
    )


def _describe_evidence(
    catalogue: Catalogue, picture: ClusterFacts, sources: list[Source], unreadable: Sequence[Unreadable]
) -> Diagnosis:
    """The parts of the answer that need no weighing, and until something is weighed no more can be told."""
    return Diagnosis(
        verdict=INSUFFICIENT,
        components=[],
        findings=[],
        candidates=[],
        next=[],
        set_aside=[],
        contrast=find_contrast(picture),
        not_seen=list_not_seen(picture),
        sources=sources,
        unreadable=list(unreadable),
        titles=_collect_titles(catalogue),
        sick_nodes=sorted(picture.sick_nodes),
        healthy_nodes=list_healthy_nodes(picture),
    )


def _weigh(catalogue: Catalogue, picture: ClusterFacts, seen: Seen) -> tuple[list[WeighedCause], dict[str, Topic]]:
    """The causes that something speaks for, and those in whose words somebody writes."""
    weighed, topics = weigh_causes(catalogue, seen), find_topics(catalogue, picture)
    is_well = bool(list_healthy_nodes(picture))
    weigh_topics(weighed, topics, is_well=is_well)
    return add_worded(weighed, topics, catalogue, is_well=is_well), topics


def _build_findings(
    selection: Selection, catalogue: Catalogue, graph: Graph, observed: Observed, picture: ClusterFacts
) -> list[Finding]:
    built = (build_finding(found, selection, catalogue, graph, observed, picture) for found in selection.findings)
    return sorted(built, key=_rank_finding)


def _observe(catalogue: Catalogue, picture: ClusterFacts, seen: Seen) -> tuple[Observed, Observed]:
    """The effects that programs show, and the symptoms that somebody at least tells of."""
    observed, symptoms = observe_effects(catalogue, seen), observe_symptoms(catalogue, seen)
    return (
        drop_history(drop_recovered(observed, picture), picture),
        drop_history(drop_recovered(symptoms, picture), picture),
    )


def _list_candidates(
    selection: Selection, hypotheses: Sequence[WeighedCause], topics: Mapping[str, Topic], catalogue: Catalogue
) -> list[WeighedCause]:
    """Those with signs of their own or in whose words somebody writes; else those that the symptoms suggest too."""
    joined = join_topics(selection.candidates, topics, catalogue)
    candidates = [found for found in joined if found.confidence >= WORTH_NAMING][:MOST_CANDIDATES]
    if any(found.confidence > DOUBT for found in candidates):
        return candidates
    return join_hypotheses(candidates, hypotheses)[:MOST_CANDIDATES]


def _build_candidate(
    found: WeighedCause, catalogue: Catalogue, graph: Graph, symptoms: Observed, topics: Mapping[str, Topic]
) -> Candidate:
    name = found.cause.id
    # Where no sign of its own speaks for it, the symptoms that it would explain do.
    own = found.seen or found.worded
    cited = collect_evidence(found) if own else cite_symptoms(name, catalogue, graph, symptoms)
    told = [cite_topic(topics[name].line)] if name in topics and not found.is_hypothesis and not found.worded else []
    evidence = [*cited, *told] if found.seen else [*told, *cited]
    return Candidate(found.cause, found.confidence, evidence, found.is_hypothesis)


def _take_history_out(
    weighed: list[WeighedCause], picture: ClusterFacts, doubts: Sequence[Doubt]
) -> list[WeighedCause]:
    """The causes of which all signs are over, where nothing else is doubtful; the others stay."""
    history = [] if doubts else [found for found in weighed if is_history(found, picture)]
    weighed[:] = [found for found in weighed if found not in history]
    return history


def _temper(
    weighed: list[WeighedCause],
    catalogue: Catalogue,
    picture: ClusterFacts,
    observed: Observed,
    symptoms: Observed,
    doubts: Sequence[Doubt],
) -> list[WeighedCause]:
    """Take confidence from what the good state of the cluster contradicts, or what may not be about it at all.

    What is over altogether is taken out, and given back.
    """
    history = _take_history_out(weighed, picture, doubts)
    is_silent = not doubts and is_plainly_well(picture)
    is_about_cluster = not weighed or may_be_about_cluster(picture)
    lessons, lectures = find_lessons(picture), find_lectures(picture)
    is_elsewhere = shows_other_network(picture)
    is_content = not doubts and _is_content(picture)
    for found in weighed:
        if is_contradicted(found, catalogue, picture, observed):
            # Where nothing else is wrong, the good state outweighs even a proof that it was once otherwise.
            against = Strength.PROOF if not doubts and is_shown_apart(found, picture) else Strength.STRONG
            found.confidence = shift_confidence(found.confidence, -WEIGHT[against])
        if is_of_stranger(found, picture):
            found.confidence = shift_confidence(found.confidence, -WEIGHT[Strength.PROOF])
        # What might do harm and does none: nothing is red, failed or complained of.
        is_mere_setting = is_silent and not found.proven and not found.is_about_settings
        is_mere_talk = found.is_told and not _is_worth_belief(found, picture, symptoms, doubts)
        found.is_off_topic = is_elsewhere or _is_off_topic(found, picture, lessons, lectures)
        if not is_about_cluster or is_mere_setting or is_mere_talk or found.is_off_topic:
            # What an author tells who is content with the whole leaves nothing open.
            limit = DOUBT if is_mere_talk and is_content and not symptoms else NOT_ASSERTED
            found.confidence = min(found.confidence, limit)
    return history


def _is_content(picture: ClusterFacts) -> bool:
    """Whether the author says that all is well."""
    return any(ALL_WELL.search(one.text) for one in list_words_of_author(picture))


def _is_off_topic(found: WeighedCause, picture: ClusterFacts, lessons: Set[str], lectures: Set[str]) -> bool:
    """Whether it stands in a text about something else, as an example, or comes from nobody knows whom."""
    documents = {name for name, _ in found.lines}
    is_taught = documents <= lessons or (documents <= lectures and found.has_notes)
    return (is_taught and not found.proven) or is_said_elsewhere(found, picture) or has_no_owner(found, picture)


def _is_worth_belief(found: WeighedCause, picture: ClusterFacts, symptoms: Observed, doubts: Sequence[Doubt]) -> bool:
    """Whether an author's words alone may name a cause: they are about Calico, and there is trouble to explain.

    A remark that may mean anything tells of none, unless the whole text is worded as people write of this cause.
    """
    is_ill = _is_ill(picture, symptoms, doubts)
    if is_about_calico(picture):
        return is_ill or (found.fits_words and bool(doubts) and found.is_said_plainly)
    return is_ill and found.fits_words and found.cause.layer in OF_NETWORK and is_network_calico(picture)


def _is_ill(picture: ClusterFacts, observed: Observed, doubts: Sequence[Doubt]) -> bool:
    """Whether there is trouble to explain."""
    return bool(observed) or any(not doubt.is_open for doubt in doubts) or tells_of_trouble(picture)


def _select_causes(
    weighed: list[WeighedCause], graph: Graph, picture: ClusterFacts, observed: Observed, doubts: Sequence[Doubt]
) -> Selection:
    """What is established; else what is likely, unless Calico was seen well or nothing speaks of a cluster."""
    selection = choose_causes(sorted(weighed, key=lambda found: -found.confidence), graph, set(observed))
    if weighed and not was_seen_healthy(picture, observed, doubts) and may_be_about_cluster(picture):
        # A remark that may mean anything makes a lone hint no fault.
        is_sick = any(not doubt.is_open for doubt in doubts) and not is_plainly_well(picture)
        assert_likely(selection, graph, set(observed), sick=is_sick)
    return selection


def _choose_next(
    selection: Selection,
    candidates: list[WeighedCause],
    catalogue: Catalogue,
    picture: ClusterFacts,
    left: Mapping[str, Doubt],
    unreadable: Sequence[Unreadable],
) -> list[Next]:
    """What settles the open causes; of findings that are sure no more than a command or two. Then what is left open."""
    is_sure = bool(selection.findings) and all(found.confidence >= SURE for found in selection.findings)
    open_causes = [*selection.findings, *([] if is_sure else candidates)]
    chosen = choose_next_evidence(open_causes, catalogue, picture)[: CONFIRMING if is_sure else None]
    return keep_allowed([*chosen, *ask_about(list(left), catalogue, picture)], unreadable)


def _rank_finding(found: Finding) -> tuple[bool, bool, int, float]:
    """What is still broken first, then, among the sure, what explains most of what was seen."""
    effects = len({item.effect for item in found.explains})
    return found.later_healthy, found.confidence < SURE, -effects, -found.confidence


def _decide_verdict(
    selection: Selection,
    picture: ClusterFacts,
    observed: Observed,
    doubts: Sequence[Doubt],
    unreadable: Sequence[Unreadable],
) -> tuple[str, list[Doubt]]:
    """The verdict, and what is missing to the proof that all is well, where nothing else stands against it."""
    if selection.findings:
        return FAULT, []
    limit = NOT_ASSERTED if is_plainly_well(picture) else DOUBT
    doubt = any(found.confidence > limit for found in selection.candidates)
    if doubt or not was_seen_healthy(picture, observed, doubts):
        return INSUFFICIENT, []
    missing = find_missing_proof(unreadable)
    return INSUFFICIENT if missing else HEALTHY, missing


def _remark(picture: ClusterFacts, missing: Sequence[Doubt]) -> Words | None:
    """What is to be said where nothing was found; reports print it in place of what they else say then."""
    return find_words("doubt.as_far_as_seen") if missing else describe_strangers(picture) or describe_rollout(picture)


def _find_reason(absence: Words | None, picture: ClusterFacts, observed: Observed) -> str:
    if absence:
        return "no-calico"
    if not picture.artifacts:
        return "nothing-readable"
    return "symptoms-only" if observed or picture.sick_nodes else "no-symptoms"


def _rank_rest(picture: ClusterFacts, seen: Seen) -> list[Unexplained]:
    return rank_unexplained(list_unexplained(picture, seen, of_all=True), picture)


def _drop_unasserted(seen: Seen, catalogue: Catalogue, selection: Selection) -> dict[Key, list[Sighting]]:
    """Without the signs of causes that are no findings: a weak sign of a cause that does not hold explains nothing."""
    held = {found.cause.id for found in selection.findings}
    held |= {name for found in selection.findings for name in found.cause.leads_to}
    open_causes = set(catalogue.causes) - held
    return {key: found for key, found in seen.items() if key.owner not in open_causes or key.part == HISTORY}


def _set_aside(
    catalogue: Catalogue,
    seen: Seen,
    findings: Sequence[Finding],
    history: Sequence[WeighedCause],
) -> list[SetAside]:
    """The harmless messages, but for lines that a finding rests on, and what is over."""
    proving = {locate_line(item.line) for found in findings for item in found.evidence}
    aside = []
    for harmless in catalogue.harmless.values():
        sightings = [one for one in seen.get(Key(harmless.id, "harmless"), []) if not one.note]
        if left := [one for one in sightings if locate_line(one.line) not in proving]:
            aside.append(SetAside(left[0].line, harmless.why, sum(one.count for one in left), left[0].words))
    past = [found for key, found in seen.items() if key.part == HISTORY and key.owner in catalogue.causes]
    over = find_words("aside.over_by_clock")
    aside += [SetAside(found[-1].line, over, sum(one.count for one in found), found[-1].words) for found in past]
    return [*aside, *(describe_history(found) for found in history if found.confidence >= NOT_ASSERTED)]


def _collect_titles(catalogue: Catalogue) -> dict[str, Words]:
    titles = {effect.id: effect.title for effect in catalogue.effects.values()}
    return titles | {cause.id: cause.title for cause in catalogue.causes.values()}

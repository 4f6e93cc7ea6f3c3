"""Turns a weighed cause into a finding a person can act on."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from calivet.catalogue.model import Catalogue, Sign, Step, Strength
from calivet.evidence.artifact import Line
from calivet.facts.calico import BgpPeer
from calivet.facts.cluster_facts import ClusterFacts, is_healthy, is_sick, once
from calivet.facts.kubernetes import Node, Pod
from calivet.facts.roles import find_role
from calivet.forecast import methods
from calivet.forecast.methods import split_patterns
from calivet.forecast.remedy import Remedy, find_remedy
from calivet.messages.command_line import Quoted, quote, quote_json
from calivet.messages.message import find_words
from calivet.messages.words import PROVEN, Words
from calivet.reasoning import diagnosis
from calivet.reasoning.advice import Advice
from calivet.reasoning.choose import Selection
from calivet.reasoning.diagnosis import Citation, Finding
from calivet.reasoning.finding_values import collect_other_nodes, collect_values, fill_with_some_node
from calivet.reasoning.graph import Graph, Observed, list_explained
from calivet.reasoning.weigh import WEIGHT, ObservedSign, WeighedCause
from calivet.search.expressions import expression
from calivet.signs.sighting import Sighting

Moment = tuple[int, int]
State = tuple[Moment, bool]
"""When, and whether it was good."""


def was_later_healthy(found: WeighedCause, picture: ClusterFacts) -> bool:
    """The last state seen after the fault's last sign is good on every node concerned; a setting heals by no pod."""
    if not found.nodes or found.is_about_settings:
        return False
    last_sign = max(picture.order(sighting.line) for seen in found.speaking_for for sighting in seen.sightings)
    latest = _collect_latest_states(picture)
    return all(_was_well_since(last_sign, latest.get(node, {})) for node in found.nodes)


def _was_well_since(moment: Moment, latest: Mapping[str, State]) -> bool:
    """Whether something was seen of a node later on, and the last state of everything that was is good."""
    later = any(when > moment for when, _ in latest.values())
    return later and all(good for _, good in latest.values())


@once
def _collect_latest_states(picture: ClusterFacts) -> dict[str, dict[str, State]]:
    """The last state of everything of each node."""
    latest: dict[str, dict[str, State]] = defaultdict(dict)
    for node, what, line, good in _list_states(picture):
        when = picture.order(line)
        if what not in latest[node] or latest[node][what][0] <= when:
            latest[node][what] = when, good
    return latest


def _list_states(picture: ClusterFacts) -> Iterator[tuple[str, str, Line, bool]]:
    """Every statement about the health of a node, its calico-node and its sessions."""
    for fact in picture.all(Node):
        if fact.ready is not None:
            yield fact.name, "node", fact.at, fact.ready
    for pod in picture.all(Pod):
        if pod.node and find_role(pod) == "calico-node" and (is_sick(pod) or is_healthy(pod)):
            yield pod.node, "calico-node", pod.at, is_healthy(pod)
    for peer in picture.all(BgpPeer):
        if node := picture.names.find_node_or_host(peer.host):
            yield node, peer.address, peer.at, peer.established


METHOD = "proven_method"
"""The value by which a step of a fix asks for it."""
SHOWN = 4
_WHY = {
    methods.INTERNAL_IP: "advice.method.internal_ip",
    methods.RANGE: "advice.method.range",
    methods.REACH: "advice.method.reach",
    methods.INTERFACE: "advice.method.interface",
    methods.SKIP: "advice.method.skip",
}
# What the operator calls each method; a merge patch has to take out the others.
_OPERATOR = {
    methods.FIRST_FOUND: "firstFound",
    methods.INTERNAL_IP: "kubernetes",
    methods.RANGE: "cidrs",
    methods.REACH: "canReach",
    methods.INTERFACE: "interface",
    methods.SKIP: "skipInterface",
}


def add_proof(steps: list[Step], picture: ClusterFacts) -> tuple[list[Step], dict[str, str]]:
    """The steps, with the reason written in where one asks for the method, and what they fill in.

    Nothing is filled in where no method is proven.
    """
    found = find_remedy(picture.whole)
    if found is None:
        return steps, {}
    why = _explain_reason(found)
    told = [replace(step, why=Words(_put(step.why.en, why.en), _put(step.why.zh, why.zh))) for step in steps]
    return told, {METHOD: quote(found.method), "proven_patch": _build_patch(found)}


def _put(text: str, why: str) -> str:
    return text.replace("{proven_why}", why)


def _explain_reason(found: Remedy) -> Words:
    why = find_words(_WHY[found.kind], argument=methods.read_method_argument(found.method))
    shown = [f"{node} {one.address} ({one.interface or '?'})" for node, one in list(found.taken.items())[:SHOWN]]
    more = find_words("advice.method.more", count=len(found.taken) - SHOWN)
    said = [Words(one, one) for one in shown] + ([more] if len(found.taken) > SHOWN else [])
    taken = Words(", ".join(one.en for one in said), "、".join(one.zh for one in said))
    return find_words("advice.method.proof", why=why, count=len(found.taken), taken=taken)


def _build_patch(found: Remedy) -> Quoted:
    """The inside of nodeAddressAutodetectionV4: this method, and no other."""
    argument = methods.read_method_argument(found.method)
    values: dict[str, object] = dict.fromkeys(_OPERATOR.values())
    values[_OPERATOR[found.kind]] = {
        methods.INTERNAL_IP: "NodeInternalIP",
        methods.RANGE: split_patterns(argument),
    }.get(found.kind, argument)
    return quote_json(values)


PLACES_SHOWN = 3
# A claim has a place for each form of a name, side by side: those that this line does not have say nothing.
_OTHER_FORM = expression(r"(?<=[\w.\]])<[a-z_]+>|<[a-z_]+>(?=[\w\[])")


def build_finding(
    found: WeighedCause,
    selection: Selection,
    catalogue: Catalogue,
    graph: Graph,
    observed: Observed,
    picture: ClusterFacts,
) -> Finding:
    """The cause with this cluster's names filled in."""
    cause = found.cause
    nodes = _list_blamed_nodes(found) or _list_affected_nodes(picture)
    values = collect_values(picture, nodes, found.speaking_for)
    steps, proof = _prove_steps(cause.fix, picture)
    others = collect_other_nodes(picture, nodes, values | proof, found.speaking_for)
    advice = Advice(picture, [values | proof, *others], steps)
    fix = advice.select_steps(steps)
    return Finding(
        cause=cause,
        confidence=found.confidence,
        nodes=nodes,
        summary=_summarize(found, values),
        evidence=collect_evidence(found),
        explains=list_explained(cause.id, catalogue, graph, observed),
        chain=graph.chain(cause.id, {*observed, *selection.consequences.get(cause.id, [])}),
        fix=fix,
        verify=advice.select_checks(cause.verify, fix),
        consequences=selection.consequences.get(cause.id, []),
        later_healthy=was_later_healthy(found, picture),
        certainty=judge_certainty(found),
        advice=advice,
    )


PROVEN_TOGETHER = 0.95
"""As sure as this, several signs prove together what none of them proves alone."""


def judge_certainty(found: WeighedCause) -> str:
    """Whether it is proven, or likely and still to be proven; an author's words alone prove nothing."""
    is_proven = found.proven or (found.confidence >= PROVEN_TOGETHER and not found.is_told)
    return diagnosis.PROVEN if is_proven else diagnosis.LIKELY


def _prove_steps(steps: list[Step], picture: ClusterFacts) -> tuple[list[Step], dict[str, str]]:
    """Nothing is computed where no step asks for it."""
    if not any(step.given.startswith(PROVEN) for step in steps):
        return steps, {}
    return add_proof(steps, picture)


def _list_blamed_nodes(found: WeighedCause) -> list[str]:
    """The nodes at fault: a sign about a session concerns both of its ends and says on which the fault lies."""
    certain = [seen for seen in found.speaking_for if WEIGHT[seen.strength] >= WEIGHT[Strength.STRONG]]
    sightings = [sighting for seen in certain for sighting in seen.sightings]
    owners = {sighting.values.get("node") or sighting.node for sighting in sightings}
    has_other_ends = any(sighting.node and sighting.node not in owners for sighting in sightings)
    return [node for node in found.nodes if node in owners or not has_other_ends]


def _list_affected_nodes(picture: ClusterFacts) -> list[str]:
    """Where no sign names a node: the only one that the evidence knows, else the sick ones."""
    known = picture.names.nodes
    return known if len(known) == 1 else sorted(picture.sick_nodes)


def collect_evidence(found: WeighedCause) -> list[Citation]:
    """A few lines for each sign, strongest first, what speaks against at the end."""
    against = [item for seen in found.seen if seen.against for item in _quote_sightings(seen)]
    worded = [cite_topic(found.worded)] if found.worded else []
    return [*(item for seen in found.speaking_for for item in _quote_sightings(seen)), *worded, *against]


def cite_topic(line: Line) -> Citation:
    """The line whose words speak most for a cause."""
    return Citation(line, find_words("summary.worded_alike"), "weak", note=True)


def _quote_sightings(seen: ObservedSign) -> list[Citation]:
    """One place for each node; the same message elsewhere only adds to the count, and no line says the same twice."""
    places = {(sighting.node, tuple(sighting.values.items())): sighting for sighting in reversed(seen.sightings)}
    lines = {(sighting.line, _describe_sighting(seen, sighting).en): sighting for sighting in places.values()}
    shown = list(reversed(lines.values()))[:PLACES_SHOWN]
    counts = {sighting.line: sighting.count for sighting in seen.sightings}
    strength = "against" if seen.against else str(seen.strength)
    return [
        Citation(
            line=sighting.line,
            says=_describe_sighting(seen, sighting),
            strength=strength,
            count=sum(counts.values()) if len(shown) == 1 else sighting.count,
            note=sighting.note,
            words=_find_decisive_words(seen.sign, sighting),
            tells_why=seen.sign.tells == "why",
        )
        for sighting in shown
    ]


def _find_decisive_words(sign: Sign, sighting: Sighting) -> str:
    """The reason where the sign tells it, else what the pattern met, or a value that stands in the line."""
    answer = sighting.values.get("answer", "") if sign.tells == "why" else ""
    return answer or sighting.words or next((v for v in sighting.values.values() if v in sighting.line.text), "")


def _describe_sighting(seen: ObservedSign, sighting: Sighting) -> Words:
    says = seen.sign.says.tell({"node": sighting.node or ""} | sighting.values)
    return Words(_OTHER_FORM.sub("", says.en), _OTHER_FORM.sub("", says.zh))


def _summarize(found: WeighedCause, values: dict[str, str]) -> Words:
    """The cause's sentence, and the words of the sign that tells why, or of the strongest that names something."""
    first = fill_with_some_node(found.cause.summary, values)
    if not found.speaking_for:
        return first
    reasons = [seen for seen in found.speaking_for if seen.sign.tells == "why"]
    first_strength = found.speaking_for[0].strength
    strongest = reasons or [seen for seen in found.speaking_for if seen.strength == first_strength]
    telling = next((seen for seen in strongest if seen.sightings[0].values), strongest[0])
    says = _describe_sighting(telling, telling.sightings[0])
    return find_words("summary.seen", summary=first, says=Words(says.en.rstrip("."), says.zh.rstrip("。.")))

"""Builds the page's model: only asked for where a page is drawn, so it may look at everything again."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from calivet.evidence.artifact import Line
from calivet.facts.calico import BgpPeer, NodeAddress
from calivet.facts.cluster_facts import ClusterFacts, is_healthy, is_sick
from calivet.facts.kubernetes import Node, Pod, Row
from calivet.facts.machines import find_strangers
from calivet.facts.names import Names
from calivet.pipeline import Examined
from calivet.reasoning.diagnosis import Diagnosis, Finding
from calivet.reasoning.weigh import locate_line
from calivet.reports.diagnosis.html.page_model.model import (
    DOWN,
    HALF,
    SICK,
    UNSEEN,
    UP,
    WELL,
    End,
    PageModel,
    Quote,
    Session,
    Spot,
)
from calivet.reports.diagnosis.html.page_model.timeline import build_timeline

_ZONES = ("topology.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/zone")
# `kubectl get nodes -L` heads the column with what stands behind the label's last slash.
_ZONE_COLUMN = "ZONE"
_ABSENT = ("", "<none>")
_MESH = ("node-to-node mesh", None)


def find_spots(picture: ClusterFacts, findings: Sequence[Finding]) -> list[Spot]:
    """In the order in which the evidence names them."""
    names, beside = picture.names, find_strangers(picture)
    states, agents = _find_states(picture), _find_agents(picture)
    zones, addresses, causes = _find_zones(picture), _find_addresses(picture), _find_causes(picture, findings)
    found = []
    for name in names.nodes:
        if name in beside:
            continue
        state, line = states.get(name, (UNSEEN, None))
        spot = Spot(
            name=name,
            state=state,
            zone=zones.get(name, ""),
            address=addresses.get(name, ""),
            agent=_format_pod_state(agents.get(name)),
            causes=tuple(causes.get(name, ())),
            line=line,
        )
        found.append(spot)
    return found


def _find_states(picture: ClusterFacts) -> dict[str, tuple[str, Line]]:
    """State and the line that tells; calico-node's own state tells more than its node's, and bad outlasts good."""
    said = [(node.name, node.ready, node.at) for node in picture.all(Node)]
    telling = (pod for pod in picture.pods("calico-node") if is_sick(pod) or is_healthy(pod))
    agents = [(pod.node, is_healthy(pod), pod.at) for pod in telling]
    states: dict[str, tuple[str, Line]] = {}
    for name, good, line in [*said, *agents]:
        node = picture.names.node(name)
        if node and good is not None and (not good or states.get(node, (WELL,))[0] == WELL):
            states[node] = WELL if good else SICK, line
    return states


def _find_agents(picture: ClusterFacts) -> dict[str, Pod]:
    pods = (pod for pod in picture.list_latest_pods("calico-node") if pod.node)
    return {picture.names.node(pod.node) or str(pod.node): pod for pod in pods}


def _format_pod_state(pod: Pod | None) -> str:
    if pod is None:
        return ""
    counted = f"{pod.ready}/{pod.containers}" if pod.ready is not None and pod.containers is not None else ""
    return f"{counted} {pod.status or ''}".strip()


def _find_zones(picture: ClusterFacts) -> dict[str, str]:
    columns = {
        row.name: row.cells[_ZONE_COLUMN]
        for row in picture.all(Row)
        if row.resource == "node" and row.name and row.cells.get(_ZONE_COLUMN, "") not in _ABSENT
    }
    labels = {node.name: zone for node in picture.all(Node) if (zone := _find_zone(node.labels))}
    return columns | labels


def _find_zone(labels: dict[str, str]) -> str:
    return next((labels[key] for key in _ZONES if labels.get(key)), "")


def _find_addresses(picture: ClusterFacts) -> dict[str, str]:
    """The last word of Calico on each node; its first address where it has one of each kind."""
    own = {node.name: node.internal_ip for node in picture.all(Node) if node.internal_ip}
    calico: dict[str, str] = {}
    for told in picture.all(NodeAddress):
        if node := picture.names.node(told.node):
            address = told.address.partition("/")[0]
            if ":" not in address or ":" in calico.get(node, ":"):
                calico[node] = address
    return own | calico


def _find_causes(picture: ClusterFacts, findings: Sequence[Finding]) -> dict[str, list[str]]:
    causes: dict[str, list[str]] = defaultdict(list)
    for finding in findings:
        for name in finding.nodes:
            causes[picture.names.find_node_or_host(name)].append(finding.cause.id)
    return causes


def find_sessions(picture: ClusterFacts) -> list[Session]:
    """One for each pair, in the order of the evidence; what nobody is known to have said is left out."""
    pairs: dict[tuple[str, str], dict[tuple[str, str], End]] = defaultdict(dict)
    stored = _map_addresses(picture)
    for asked, peers in _group_listings(picture).items():
        speaker = _find_speaker(asked, peers, picture)
        if speaker:
            for peer in peers:
                other = picture.names.node(peer.address) or stored.get(peer.address.lower())
                if not other or other == speaker:
                    other = peer.address
                pair = (speaker, other) if speaker < other else (other, speaker)
                pairs[pair][speaker, peer.address] = _end(speaker, peer)
    return [_build_session(*pair, tuple(ends.values())) for pair, ends in pairs.items()]


def _map_addresses(picture: ClusterFacts) -> dict[str, str]:
    """The nodes by what Calico has as their address, which may be one of IPv6."""
    return {one.address.partition("/")[0].lower(): one.node for one in picture.all(NodeAddress) if one.node}


def _group_listings(picture: ClusterFacts) -> dict[tuple[str | None, str | None, str], list[BgpPeer]]:
    """The peers by whom was asked and in which document."""
    listings: dict[tuple[str | None, str | None, str], list[BgpPeer]] = defaultdict(list)
    for peer in picture.all(BgpPeer):
        listings[peer.host, peer.pod, peer.at.artifact].append(peer)
    return listings


def _find_speaker(asked: tuple[str | None, str | None, str], peers: list[BgpPeer], picture: ClusterFacts) -> str | None:
    host, pod, _ = asked
    return (
        picture.names.find_node_or_host(host)
        or picture.find_node_of_pod(pod)
        or _find_only_absent(peers, picture.names)
    )


def _find_only_absent(peers: list[BgpPeer], names: Names) -> str | None:
    """In a full mesh a node lists all others: where a single one is not in the list, the list is its own."""
    if any(peer.type not in _MESH for peer in peers):
        return None
    listed = {names.node(peer.address) for peer in peers}
    absent = [node for node in names.nodes if node not in listed]
    return absent[0] if len(absent) == 1 and None not in listed else None


def _end(node: str, peer: BgpPeer) -> End:
    return End(node=node, info=peer.info or peer.state, up=peer.established, since=peer.since or "", line=peer.at)


def _build_session(one: str, other: str, ends: tuple[End, ...]) -> Session:
    ups = [end.up for end in ends]
    return Session(one=one, other=other, state=UP if all(ups) else HALF if any(ups) else DOWN, ends=ends)


def build_page_model(examined: Examined) -> PageModel:
    """The map shows the whole cluster; times and quotes are those of the nodes that were asked about."""
    whole = examined.picture.whole
    return PageModel(
        spots=find_spots(whole, examined.diagnosis.findings),
        sessions=find_sessions(whole),
        timeline=build_timeline(examined),
        quotes=quote_lines(examined.diagnosis, examined.picture),
    )


AROUND = 3
MOST = 300
LONGEST = 320
_CUT = "…"


def quote_lines(diagnosis: Diagnosis, picture: ClusterFacts) -> dict[tuple[str, int], Quote]:
    """By document and number of the line, what carries the most first, until there are enough."""
    quoted: dict[tuple[str, int], Quote] = {}
    for line, words in _list_cited_lines(diagnosis):
        if len(quoted) == MOST:
            break
        if locate_line(line) not in quoted and (quote := _quote(line, words, picture)):
            quoted[locate_line(line)] = quote
    return quoted


def _list_cited_lines(diagnosis: Diagnosis) -> Iterator[tuple[Line, str]]:
    """Every cited line with its decisive words."""
    for finding in diagnosis.findings:
        yield from ((item.line, item.words) for item in finding.evidence)
    for candidate in diagnosis.candidates:
        yield from ((item.line, item.words) for item in candidate.evidence)
    yield from ((item.line, item.words) for item in diagnosis.set_aside)
    for finding in diagnosis.findings:
        yield from ((item.line, "") for item in finding.explains)


def _quote(line: Line, words: str, picture: ClusterFacts) -> Quote | None:
    artifact = picture.artifact(line)
    if artifact is None:
        return None
    index = artifact.index(line.number)
    near = range(max(0, index - AROUND), min(len(artifact.lines), index + AROUND + 1))
    # Of a log that was too long to keep, the lines beside it may be from elsewhere.
    shown = [other for other in near if artifact.number(other) - line.number == other - index]
    return Quote(artifact.number(shown[0]), [_cut(artifact.lines[one], words if one == index else "") for one in shown])


def _cut(text: str, words: str) -> str:
    """A long line is cut around its decisive words, and they too where they are longer than that."""
    text = text.rstrip()
    if len(text) <= LONGEST:
        return text
    found = max(0, text.find(words))
    start = max(0, min(found - (LONGEST - min(len(words), LONGEST)) // 2, len(text) - LONGEST))
    stop = start + LONGEST
    return f"{_CUT if start else ''}{text[start:stop]}{_CUT if stop < len(text) else ''}"

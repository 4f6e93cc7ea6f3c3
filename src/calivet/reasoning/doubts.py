"""What forbids calling a cluster healthy: it is a claim, and one red part, failed test or complaint is enough."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from calivet.catalogue.model import Effect
from calivet.evidence.artifact import Unreadable
from calivet.facts.calico import BirdDown, HealthReport
from calivet.facts.cluster_facts import ClusterFacts, is_healthy, is_sick
from calivet.facts.cluster_network import list_latest_sessions
from calivet.facts.fact import Count, latest_of
from calivet.facts.kubernetes import Condition, CutRow, Event, Node, Pod, Row
from calivet.facts.names import join_names
from calivet.facts.roles import find_role_of_name
from calivet.messages.message import find_words
from calivet.messages.words import Words
from calivet.readers.kubectl.kubectl_command import Request, parse_request
from calivet.reasoning.complaints import find_complaint, list_words_of_author
from calivet.reasoning.diagnosis import Doubt
from calivet.reasoning.failed_tests import find_failed_tests, pods_were_reached
from calivet.reasoning.graph import Observed
from calivet.reasoning.node_health import find_sick_programs
from calivet.reasoning.open_remarks import find_open_remark
from calivet.reasoning.short_workloads import find_short_workloads, is_agent
from calivet.reasoning.unexplained import list_unexplained
from calivet.search.expressions import expression
from calivet.signs.log_age import HISTORY
from calivet.signs.sighting import Key, Sighting

_SAID = expression(r"\bbird6?: (?P<session>(?:Mesh|Node|Global)_[\da-fA-F_]+): (?P<words>.*)")
_UP = ("State changed to up", "BGP session established")
_FAILED = expression(
    r"(?:Socket error: .*|Connection (?:timed out|refused|reset by peer)|No route to host)$|(?:Error|Received): "
)


def session_failed_last(picture: ClusterFacts) -> bool:
    """Whether some session failed in a log and did not come up later in it."""
    for artifact in picture.artifacts:
        failed: set[str] = set()
        for text in artifact.lines:
            found = _SAID.search(text) if "bird" in text else None
            if found and found["words"].startswith(_UP):
                failed.discard(found["session"])
            elif found and _FAILED.match(found["words"]):
                failed.add(found["session"])
        if failed:
            return True
    return False


MANY_RESTARTS = 5
A_MOMENT = 900
REPEATED = 3
"""As often as this it is no accident."""
A_DAY = 86_400
NOW = 60
RECENT = 600
"""Seconds in which an event counts as going on."""
SEVERAL_TIMES = 3
# Effects that forbid calling a cluster healthy. A pod that waits, or one failed probe long ago, does not by itself.
GRAVE = (
    "node-not-ready",
    "calico-node-init-stuck",
    "calico-node-crash-loop",
    "calico-node-not-created",
    "calico-node-not-ready",
    "api-unreachable",
    "network-plugin-not-ready",
    "cni-failing",
    "traffic-lost",
    "services-unreachable",
)
_HELPERS = ("typha", "kube-controllers", "calico-apiserver", "operator", "kube-proxy", "dns")
_CHECK = expression(
    r"(?<![a-z])(?:net|network|dns|ping|probe|conn|connectivity|smoke|conformance|e2e)(?:-?(?:check|test)s?)?(?![a-z])"
)
_WAITING = expression(r"ContainerCreating|Init:\d+/\d+|PodInitializing")
_NO_AGENT = expression(r"virtual-|fargate-")


def find_doubts(
    picture: ClusterFacts,
    observed: Observed,
    seen: Mapping[Key, list[Sighting]],
    effects: Mapping[str, Effect] | None = None,
) -> list[Doubt]:
    """All of them, the plainest first; effects by their titles, where these are known."""
    doubts = [doubt for look in _LOOKS for doubt in look(picture, observed)]
    return [
        *doubts,
        *_find_grave_effects(observed, effects or {}),
        *_find_repeated_errors(picture, seen, effects or {}),
    ]


def find_missing_proof(unreadable: Sequence[Unreadable]) -> list[Doubt]:
    """What nobody could read, and without which a good state is not proven: lists may come from a server's memory."""
    missing = [item for item in unreadable if item.essential]
    return [Doubt(find_words("doubt.unread", what=item.what, why=item.why)) for item in missing]


def _find_sick_parts(picture: ClusterFacts, _: Observed) -> Iterator[Doubt]:
    for role in ("calico-node", *_HELPERS):
        for pod in picture.list_latest_pods(role):
            if is_sick(pod) and pod.status == "Running":
                ready = f"{pod.ready}/{pod.containers}"
                yield Doubt(find_words("doubt.pod.not_ready", pod=pod.name, ready=ready), pod.at)
            elif is_sick(pod):
                yield Doubt(find_words("doubt.pod.is", pod=pod.name, status=pod.status), pod.at)
            elif is_restless(pod):
                yield Doubt(find_words("doubt.pod.restarts", pod=pod.name), pod.at)
    for down in picture.all(BirdDown):
        if down.what == "calico":
            yield Doubt(find_words("doubt.agent.down"), down.at)


def is_restless(pod: Pod) -> bool:
    """Restarted often, and a moment ago; old kubectl does not tell when, so there its age has to tell."""
    restarts = pod.restarts or 0
    if restarts < MANY_RESTARTS:
        return False
    if pod.last_restart is not None:
        return pod.last_restart < A_MOMENT
    return pod.age is not None and restarts > 2 * MANY_RESTARTS and pod.age < restarts * (A_DAY // 4)


def _find_uncovered_nodes(picture: ClusterFacts, _: Observed) -> Iterator[Doubt]:
    """A node without a ready calico-node, whoever tells of the node."""
    nodes = {node.name: node for node in picture.all(Node) if should_run_agent(node)}
    ready = [pod for pod in picture.list_latest_pods("calico-node") if is_healthy(pod)]
    counts = [count for count in picture.all(Count) if count.what == "nodes"]
    if ready and counts and counts[-1].number > len(ready):
        says = find_words("doubt.agents.few", number=len(ready), total=counts[-1].number)
        yield Doubt(says, counts[-1].at)
    covered = {picture.names.find_node_or_host(pod.node) for pod in ready if pod.node}
    missing = [name for name in nodes if name not in covered]
    if ready and missing and len(ready) < len(nodes):
        says = find_words("doubt.agents.missing", nodes=join_names(missing))
        yield Doubt(says, nodes[missing[0]].at)


def should_run_agent(node: Node) -> bool:
    """Whether the DaemonSet of calico-node is meant for it."""
    windows = "windows" in (node.os or node.labels.get("kubernetes.io/os") or "").lower()
    return not windows and _NO_AGENT.match(node.name) is None


def _find_bad_conditions(picture: ClusterFacts, _: Observed) -> Iterator[Doubt]:
    for found in latest_of(picture.all(Condition), lambda one: (one.kind, one.object, one.type)):
        status = (found.kind, found.type, found.status)
        if status in (("tigerastatus", "Degraded", "True"), ("tigerastatus", "Available", "False")):
            says = find_words("doubt.condition", object=found.object, type=found.type, status=found.status)
            yield Doubt(says, found.at)
        elif status == ("node", "NetworkUnavailable", "True"):
            yield Doubt(find_words("doubt.node.no_network", node=found.object), found.at)
    for row in latest_of(picture.all(Row), lambda row: (row.resource, row.name)):
        if row.resource == "tigerastatus" and (
            "True" in row.cells.get("DEGRADED", "") or row.cells.get("AVAILABLE") == "False"
        ):
            yield Doubt(find_words("doubt.degraded", name=row.name), row.at)
        if row.resource == "apiservice" and "projectcalico" in (row.name or "") and _is_unserved(row):
            says = find_words("doubt.condition", object=row.name, type="Available", status="False")
            yield Doubt(says, row.at)
    for node in latest_of(picture.all(Node), lambda node: node.name):
        if node.ready is False or any("network-unavailable" in taint for taint in node.taints):
            key = "doubt.node.is" if node.status else "doubt.node.tainted"
            yield Doubt(find_words(key, node=node.name, status=node.status or ""), node.at)


def _find_failed_checks(picture: ClusterFacts, _: Observed) -> Iterator[Doubt]:
    """Jobs that try the network, by their names; what other jobs fail at is their own."""
    for row in latest_of(picture.all(Row), lambda row: (row.resource, row.namespace, row.name)):
        if row.resource == "job" and row.cells.get("STATUS") == "Failed" and _CHECK.search(row.name or ""):
            says = find_words("doubt.condition", object=row.name, type="Failed", status="True")
            yield Doubt(says, row.at)


def _is_unserved(row: Row) -> bool:
    return row.cells.get("AVAILABLE", "").startswith("False")


def _find_bad_health(picture: ClusterFacts, _: Observed) -> Iterator[Doubt]:
    """Felix' last word on each machine."""
    overall = [report for report in picture.all(HealthReport) if report.component is None]
    for report in latest_of(overall, lambda report: report.host):
        if report.ready is False or report.live is False:
            yield Doubt(find_words("doubt.felix.not_ready"), report.at)


def _find_failing_probes(picture: ClusterFacts, _: Observed) -> Iterator[Doubt]:
    """Those of the last minute, and those that went on until lately; the first seconds of a start are over by then."""
    for event in picture.all(Event):
        age = A_DAY if event.age is None else event.age
        goes_on = age < NOW or (event.count > 2 and age < RECENT)
        if (
            event.reason == "Unhealthy"
            and goes_on
            and find_role_of_name(event.object or "") in ("calico-node", "typha")
        ):
            yield Doubt(find_words("doubt.probe.fails", object=event.object), event.at)


def _find_lost_sessions(picture: ClusterFacts, _: Observed) -> Iterator[Doubt]:
    for peer in list_latest_sessions(picture):
        if not peer.established:
            yield Doubt(find_words("doubt.session.down", address=peer.address), peer.at)
    if not picture.list_latest_pods("calico-node") and session_failed_last(picture):
        yield Doubt(find_words("doubt.session.failed"))


def _find_grave_effects(observed: Observed, effects: Mapping[str, Effect]) -> Iterator[Doubt]:
    for name in GRAVE:
        for sighting in observed.get(name, ())[:1]:
            yield Doubt(effects[name].title if name in effects else Words(name, name), sighting.line)


def _find_flapping_sessions(_: ClusterFacts, observed: Observed) -> Iterator[Doubt]:
    """Sessions that expired several times; one alone is what a reboot of the other end leaves."""
    expired = observed.get("bgp-flapping", [])
    if sum(sighting.count for sighting in expired) >= SEVERAL_TIMES:
        yield Doubt(find_words("doubt.sessions.flap"), expired[-1].line)


def _find_waiting_pods(picture: ClusterFacts, _: Observed) -> Iterator[Doubt]:
    """Several pods that wait for their network; one alone may have reasons of its own."""
    latest = latest_of(picture.all(Pod), lambda pod: (pod.namespace, pod.name))
    waiting = [
        pod for pod in latest if _WAITING.fullmatch(pod.status or "") and (pod.age is None or pod.age > RECENT / 5)
    ]
    if len(waiting) > 1:
        says = find_words("doubt.pods_wait", pods=join_names(pod.name for pod in waiting))
        yield Doubt(says, waiting[0].at)


def _is_application_to_blame(picture: ClusterFacts) -> bool:
    """Pods were reached over the network, sessions are up, and it is an application that crashes."""
    sessions = list_latest_sessions(picture)
    crashed = (pod for pod in picture.all(Pod) if picture.role(pod) == "other" and pod.status == "CrashLoopBackOff")
    return pods_were_reached(picture) and bool(sessions) and all(one.established for one in sessions) and any(crashed)


def _find_complaints(picture: ClusterFacts, _: Observed) -> Iterator[Doubt]:
    """A complaint stands whatever a test shows; a remark that may mean anything gives way to one that succeeded."""
    if _is_application_to_blame(picture):
        return
    if note := find_complaint(list_words_of_author(picture)):
        yield Doubt(find_words("doubt.author.complains"), note.at)
    elif not pods_were_reached(picture) and (note := find_open_remark(list_words_of_author(picture))):
        yield Doubt(find_words("doubt.author.may_complain"), note.at, is_open=True)


def _find_thin_proof(picture: ClusterFacts, _: Observed) -> Iterator[Doubt]:
    """A ready row that somebody picked out says nothing of the others; a page about one pod is about that one."""
    pods = [pod for pod in picture.list_latest_pods("calico-node") if is_healthy(pod)]
    counted = any(row.resource == "daemonset" and is_agent(row.name) for row in picture.all(Row))
    is_page = len(pods) == 1 and bool(pods[0].started or pods[0].conditions)
    if len(pods) != 1 or is_page or counted or picture.all(Node):
        return
    artifact = picture.artifact(pods[0].at)
    asked = parse_request(artifact) if artifact else Request()
    is_listing = asked.verb == "get" and not asked.name and "|" not in str(artifact and artifact.command)
    if not is_listing:
        yield Doubt(find_words("doubt.one_pod"), pods[0].at)


def _find_cut_tables(picture: ClusterFacts, _: Observed) -> Iterator[Doubt]:
    """What the rest of the table shows nobody knows."""
    for row in picture.all(CutRow):
        yield Doubt(find_words("doubt.table.cut", name=row.name), row.at)


def _find_repeated_errors(
    picture: ClusterFacts, seen: Mapping[Key, list[Sighting]], effects: Mapping[str, Effect]
) -> Iterator[Doubt]:
    """What Calico complains of again and again, to the end of its log, and nothing accounts for.

    That a line is a sign of some cause does not account for it: were the cause a finding, nobody would ask for doubts.
    """
    parts = ("harmless", HISTORY)
    accounted = {key: found for key, found in seen.items() if key.part in parts or key.owner in effects}
    for one in list_unexplained(picture, accounted):
        if one.count >= REPEATED and one.goes_on:
            yield Doubt(find_words("doubt.error.repeated"), one.line)


_LOOKS = (
    _find_sick_parts,
    lambda picture, _: find_sick_programs(picture),
    _find_uncovered_nodes,
    lambda picture, _: find_short_workloads(picture),
    _find_bad_conditions,
    _find_bad_health,
    _find_failing_probes,
    _find_lost_sessions,
    _find_flapping_sessions,
    lambda picture, _: find_failed_tests(picture),
    _find_failed_checks,
    _find_waiting_pods,
    _find_complaints,
    _find_thin_proof,
    _find_cut_tables,
)

"""What this evidence does not hold, and the cheapest commands that tell the open hypotheses apart best."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set

from calivet.catalogue.model import Catalogue, Question
from calivet.evidence.artifact import Unreadable
from calivet.evidence.cutting.command_lines import DISTINCT
from calivet.facts.calico import BgpPeer, LogSpan
from calivet.facts.cluster_facts import ClusterFacts, is_sick
from calivet.facts.fact import latest_of
from calivet.facts.host import CommandRun, NodeProbe, NodeProbeEnd
from calivet.facts.kubernetes import Event, Node
from calivet.facts.machines import find_strangers
from calivet.facts.names import join_names
from calivet.facts.platform import find_platform
from calivet.forecast.releases import find_running_release
from calivet.messages.command_line import fill_for_nodes
from calivet.messages.message import find_words
from calivet.reasoning.diagnosis import Doubt, Finding, Next, NotSeen
from calivet.reasoning.finding_values import collect_values
from calivet.reasoning.weigh import WeighedCause
from calivet.search.expressions import expression

_ROOT_NAMES = ("root", "0")
_LONGEST = 40
_PLAIN = expression(r"[\w ./:=,@%+-]+")


def list_unseen(picture: ClusterFacts) -> Iterator[NotSeen]:
    """For each probe what is missing from it."""
    ended = {end.at.artifact for end in picture.all(NodeProbeEnd)}
    for probe in picture.all(NodeProbe):
        host = probe.host or "localhost"
        if probe.user not in _ROOT_NAMES:
            yield NotSeen(find_words("unseen.root", host=host, user=probe.user), find_words("unseen.root.why"))
        if probe.at.artifact not in ended:
            yield NotSeen(find_words("unseen.cut", host=host), find_words("unseen.cut.why"))
        if late := [_shorten_command(run.command) for run in picture.on(probe.host, CommandRun) if _is_late(run)]:
            what = find_words("unseen.late", commands=join_names(late), host=host)
            yield NotSeen(what, find_words("unseen.late.why"))
    for host in sorted(find_strangers(picture)):
        yield NotSeen(find_words("unseen.stranger", host=host), find_words("unseen.stranger.why"))


def _shorten_command(command: str) -> str:
    """As the probe wrote it; whoever made the evidence may have written anything, and people paste what they read."""
    program = command.partition(" ")[0]
    if program not in DISTINCT:
        return "?"
    return command[:_LONGEST] if _PLAIN.fullmatch(command[:_LONGEST]) else program


def _is_late(run: CommandRun) -> bool:
    """Tests of ports are answers also where nothing answers."""
    return (run.timed_out or run.skipped) and "/dev/tcp/" not in run.command and not run.command.startswith("nc ")


def list_not_seen(picture: ClusterFacts) -> list[NotSeen]:
    """Places that were not read; nothing is concluded from them."""
    sick = sorted(picture.sick_nodes)
    which, nodes = (".nodes", join_names(sick)) if sick else ("", "")
    wanted = {
        "unseen.nodes": not picture.all(Node),
        "unseen.pods": not picture.pods("calico-node"),
        "unseen.events": not picture.all(Event),
        f"unseen.log{which}": not picture.all(LogSpan),
        f"unseen.journal{which}": not _has_kind(picture, "journal"),
        "unseen.sessions": not picture.all(BgpPeer),
    }
    why = find_words("unseen.absent.why")
    absent = (find_words(key, nodes=nodes) for key, is_absent in wanted.items() if is_absent)
    return [*list_unseen(picture), *(NotSeen(what, why) for what in absent)]


def _has_kind(picture: ClusterFacts, kind: str) -> bool:
    return any(kind in artifact.kinds for artifact in picture.artifacts)


MOST_COMMANDS = 6
# Where nothing points anywhere yet: how calico-node is, and what it says.
FIRST_LOOK = ("pods-wide", "calico-node-describe", "calico-node-log", "describe-node", "bird-status")
# What a shell or an API server says instead of an answer.
_REFUSED = expression(
    r"command not found|No such file|\(Forbidden\)|forbidden: User"
    r"|Error from server|Unable to connect to the server|permission denied",
    re.IGNORECASE,
)
# A command on the node costs a login; one through the API server does not.
COST = {"cluster": 1.0, "node": 0.7}
SURELY = 0.9
"""How surely the best question of a cause shows it."""
LEAST_UNKNOWN = 0.05


def choose_next_evidence(open_causes: list[WeighedCause], catalogue: Catalogue, picture: ClusterFacts) -> list[Next]:
    """Unanswered questions of the open causes, those that tell most first."""
    asked_by: dict[str, list[WeighedCause]] = {}
    for found in open_causes:
        for name in found.cause.ask:
            asked_by.setdefault(name, []).append(found)
    gains = compute_gains({found.cause.id: found.confidence for found in open_causes}, _collect_asked(open_causes))
    worth = {name: gain * COST[catalogue.questions[name].where] for name, gain in gains.items()}
    ranked = sorted(worth, key=lambda name: (-round(worth[name], 9), name))
    if all(found.is_hypothesis for found in open_causes):
        ranked += [name for name in FIRST_LOOK if name not in worth and name in catalogue.questions]
    fitting = [name for name in ranked if _does_fit(catalogue.questions[name], picture)]
    unanswered = [name for name in fitting if not is_answered(catalogue.questions[name], picture)]
    return [
        _build_next(catalogue.questions[name], asked_by.get(name, []), picture) for name in unanswered[:MOST_COMMANDS]
    ]


FORBIDDEN = "connection.forbidden"
_LOGS = expression(r"^(?:kubectl|oc|microk8s kubectl) (?:-n \S+ )?logs\b")
_READS = expression(r"\bkubectl\b.{0,60}?\b(?:get|describe)\s+(?:-n \S+ )?(?P<kinds>[\w.,-]+)")


def keep_allowed(chosen: list[Next], unreadable: Sequence[Unreadable]) -> list[Next]:
    """Without the commands that would read what was refused to this user a moment ago; all where none else is left."""
    barred = {
        word.partition(".")[0]
        for item in unreadable
        if item.why.key == FORBIDDEN
        for word in str(dict(item.why.values).get("resources", "")).replace(",", " ").split()
    }
    return [item for item in chosen if not _is_barred(str(item.run), barred)] or chosen


_JOINT = expression(r"; | && ")


def drop_told(chosen: list[Next], findings: Sequence[Finding]) -> list[Next]:
    """Without the commands of which every part stands in a step or a check of the findings already."""
    steps = [step.run for found in findings for step in found.fix]
    told = "\n".join([*steps, *(check.run for found in findings for check in found.verify)])
    return [item for item in chosen if not all(part in told for part in _JOINT.split(item.run))]


def _is_barred(command: str, barred: Set[str]) -> bool:
    if _LOGS.match(command):
        return "pods/log" in barred
    found = _READS.search(command)
    kinds = [kind.partition(".")[0] for kind in found["kinds"].split(",")] if found else []
    return any({kind, f"{kind}s"} & barred for kind in kinds)


def _collect_asked(open_causes: list[WeighedCause]) -> dict[str, dict[str, float]]:
    """For each question the causes that it would show, and how surely: the first that a cause asks tells most."""
    asked: dict[str, dict[str, float]] = {}
    for found in open_causes:
        for rank, name in enumerate(found.cause.ask):
            asked.setdefault(name, {})[found.cause.id] = SURELY / (1 + rank)
    return asked


def compute_gains(likely: Mapping[str, float], asked: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
    """By how many bits each answer would lower the doubt which cause it is: the information gain.

    An answer either shows one of the causes that ask for it, or takes weight from them; what is left to one is for
    a cause that nobody has thought of.
    """
    spread = {**likely, "": max(1.0 - sum(likely.values()), LEAST_UNKNOWN)}
    total = sum(spread.values())
    chances = {name: chance / total for name, chance in spread.items()}
    doubt = measure_doubt(chances.values())
    gains: dict[str, float] = {}
    for question, shown in asked.items():
        rest = {name: chance * (1 - shown.get(name, 0.0)) for name, chance in chances.items()}
        left = sum(rest.values())
        gains[question] = doubt - left * measure_doubt(chance / left for chance in rest.values())
    return gains


def measure_doubt(chances: Iterable[float]) -> float:
    """The entropy in bits."""
    return -sum(chance * math.log2(chance) for chance in chances if chance > 0)


def _does_fit(question: Question, picture: ClusterFacts) -> bool:
    """Whether nothing known of the platform and of Calico's release contradicts it."""
    release = find_running_release(picture)
    return find_platform(picture).fits(question.when) and release.may_be_between(question.since, question.until)


def is_answered(question: Question, picture: ClusterFacts) -> bool:
    """Whether the evidence holds the answer already: the command with output, or the format it prints."""
    if question.command:
        asked = expression(question.command)
        for artifact in picture.artifacts:
            if asked.search(artifact.command or "") and any(map(_is_answer, artifact.lines[1:])):
                return True
    return any(kind in artifact.kinds for artifact in picture.artifacts for kind in question.kinds)


def _is_answer(line: str) -> bool:
    return bool(line.strip()) and not _REFUSED.search(line)


def _build_next(question: Question, asking: list[WeighedCause], picture: ClusterFacts) -> Next:
    nodes = [node for found in asking for node in found.nodes] or sorted(picture.sick_nodes)
    values = collect_values(picture, nodes[:1], [seen for found in asking for seen in found.speaking_for])
    return Next(fill_for_nodes(question.run, [values]), question.why.fill(values), [found.cause.id for found in asking])


MOST = 3
_QUESTION = "describe-node"


def list_left_open(picture: ClusterFacts, findings: Sequence[Finding]) -> dict[str, Doubt]:
    """By node, what is wrong with it where the findings are of other nodes; one of the whole cluster may explain it."""
    if not findings or any(not found.nodes for found in findings):
        return {}
    covered: set[str | None] = {node for found in findings for node in found.nodes}
    covered |= {picture.names.find_node_or_host(item.subject) for found in findings for item in found.explains}
    left: dict[str, Doubt] = {}
    for node in latest_of(picture.all(Node), lambda node: node.name):
        if node.ready is False and node.name not in covered:
            left[node.name] = Doubt(find_words("doubt.node.is", node=node.name, status="NotReady"), node.at)
    for pod in picture.list_latest_pods("calico-node"):
        if is_sick(pod) and pod.node and not {pod.node, pod.name} & covered:
            says = find_words("doubt.pod.on_node", pod=pod.name, node=pod.node)
            left.setdefault(pod.node, Doubt(says, pod.at))
    return left


def ask_about(nodes: Sequence[str], catalogue: Catalogue, picture: ClusterFacts) -> list[Next]:
    """What to look at on each of them."""
    if not (question := catalogue.questions.get(_QUESTION)):
        return []
    found = []
    for node in nodes[:MOST]:
        values = collect_values(picture, [node], [])
        found.append(Next(fill_for_nodes(question.run, [values]), question.why.fill(values), []))
    return found

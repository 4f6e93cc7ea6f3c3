"""What no finding explains: a sick node beside another node's fault is a second question, not silence."""

from __future__ import annotations

from collections.abc import Sequence

from calivet.catalogue.model import Catalogue
from calivet.facts.cluster_facts import ClusterFacts, is_sick
from calivet.facts.fact import latest_of
from calivet.facts.kubernetes import Node
from calivet.messages.command_line import fill_for_nodes
from calivet.messages.words import Words
from calivet.reasoning.diagnosis import Doubt, Finding, Next
from calivet.reasoning.finding_values import collect_values

MOST = 3
_QUESTION = "describe-node"


def list_left_open(picture: ClusterFacts, findings: Sequence[Finding]) -> dict[str, Doubt]:
    """By node, what is wrong with it where the findings are of other nodes; one of the whole cluster may explain it."""
    if not findings or any(not found.nodes for found in findings):
        return {}
    covered: set[str | None] = {node for found in findings for node in found.nodes}
    covered |= {picture.names.node(item.subject) or item.subject for found in findings for item in found.explains}
    left: dict[str, Doubt] = {}
    for node in latest_of(picture.all(Node), lambda node: node.name):
        if node.ready is False and node.name not in covered:
            left[node.name] = Doubt(Words(f"{node.name} is NotReady", f"{node.name} 处于 NotReady"), node.at)
    for pod in picture.list_latest_pods("calico-node"):
        if is_sick(pod) and pod.node and not {pod.node, pod.name} & covered:
            says = Words(f"{pod.name} on {pod.node} is not ready", f"{pod.node} 上的 {pod.name} 未就绪")
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

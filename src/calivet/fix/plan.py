"""From a finding to a plan: which of its steps calivet can take, on which object or machine, and how each is undone."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from calivet.catalogue.model import Check, Step
from calivet.facts.cluster_facts import ClusterFacts
from calivet.facts.kubernetes import Node
from calivet.fix.commands import does_change, find_foreign_program, list_machines, needs_person, runs_on_nodes
from calivet.messages.command_line import fill_gaps, find_gaps
from calivet.messages.message import Message, message
from calivet.messages.words import Words
from calivet.reasoning.diagnosis import Diagnosis, Finding

_CONTROL_PLANE = {"control-plane", "master", "controlplane", "etcd"}


class Kind(StrEnum):
    """What becomes of a step."""

    CHANGE = "change"
    """calivet takes it, once it is allowed to."""
    LOOK = "look"
    """It changes nothing: for whoever wants to know more."""
    DECIDE = "decide"
    """calivet takes it where the operator names it: whether it fits, only he can tell."""
    OPEN = "open"
    """calivet would take it, but a value is missing that the evidence does not hold."""
    HAND = "hand"
    """For people, with the reason."""


class NodeStep(Struct, frozen=True):
    """A step as it is taken for one node; no node for what is done once."""

    node: str
    step: Step


class PlannedStep(Struct, frozen=True, kw_only=True):
    """One step: as it is printed, and as it is taken, node by node."""

    number: int
    kind: Kind
    step: Step
    parts: list[NodeStep]
    gaps: list[str] = []
    reason: Message | None = None
    """Why it is left to people."""


class Plan(Struct, frozen=True, kw_only=True):
    """What would be done about one cause."""

    cause: str
    title: Words
    certainty: str
    confidence: float
    is_over: bool = False
    """The evidence itself shows that what it concerns got well again."""
    nodes: list[str]
    control_plane: list[str]
    """The nodes that the cluster cannot spare, whether the cause was seen on them or not."""
    steps: list[PlannedStep]
    verify: list[Check]

    def list_changes(self, numbers: Collection[int] = ()) -> list[PlannedStep]:
        """The steps that calivet takes: all, or those with these numbers, among which may be some to decide on."""
        if not numbers:
            return [step for step in self.steps if step.kind is Kind.CHANGE]
        return [step for step in self.steps if step.number in numbers and step.kind in (Kind.CHANGE, Kind.DECIDE)]


def build_plans(
    diagnosis: Diagnosis, cause: str = "", values: Mapping[str, str] | None = None, nodes: Collection[str] = ()
) -> list[Plan]:
    """A plan for each finding, or for the one that is named; `values` fill what the evidence leaves open.

    Where nodes are named, a fault of others is left alone, and so are the others.
    """
    wanted = (finding for finding in diagnosis.findings if not cause or finding.cause.id == cause)
    concerned = (one for one in wanted if not nodes or not one.nodes or not set(nodes).isdisjoint(one.nodes))
    return [build_plan(finding, values or {}, nodes) for finding in concerned]


def build_plan(finding: Finding, values: Mapping[str, str], nodes: Collection[str] = ()) -> Plan:
    """The plan for one finding."""
    picture = finding.advice.picture if finding.advice else None
    planes = _find_control_plane(picture) if picture else set()
    by_node = finding.advice.select_steps_by_node() if finding.advice else {}
    chosen = {node: steps for node, steps in by_node.items() if not nodes or node in nodes}
    order = order_nodes(chosen, planes)
    printed = chosen[order[0]] if nodes and len(order) == 1 else finding.fix
    steps = [
        _plan_step(number, _fill(step, values), _list_parts(number, chosen, order, values))
        for number, step in enumerate(printed, 1)
    ]
    return Plan(
        cause=finding.cause.id,
        title=finding.cause.title,
        certainty=finding.certainty,
        confidence=finding.confidence,
        is_over=finding.later_healthy,
        nodes=[node for node in finding.nodes if not nodes or node in nodes],
        control_plane=sorted(planes),
        steps=steps,
        verify=finding.verify,
    )


def _list_parts(
    number: int, by_node: Mapping[str, list[Step]], order: list[str], values: Mapping[str, str]
) -> list[NodeStep]:
    """The step on each node that it is for: on the others there is no command."""
    own = {node: by_node[node][number - 1] for node in order}
    fitting = [node for node in order if own[node].run] or order
    return [NodeStep(node, _fill(own[node], values)) for node in fitting]


def order_nodes(nodes: Iterable[str], planes: set[str]) -> list[str]:
    """Workers first: what goes wrong on the first node should not cost the cluster its control plane."""
    return sorted(dict.fromkeys(nodes), key=lambda node: node in planes)


def _find_control_plane(picture: ClusterFacts) -> set[str]:
    nodes = picture.whole.all(Node)
    return {node.name for node in nodes if set((node.roles or "").split(",")) & _CONTROL_PLANE}


def _fill(step: Step, values: Mapping[str, str]) -> Step:
    if not values:
        return step
    precheck = step.precheck and replace(step.precheck, run=fill_gaps(step.precheck.run, values))
    filled = {name: fill_gaps(getattr(step, name), values) for name in ("run", "save", "undo")}
    return replace(step, precheck=precheck, **filled)


def _plan_step(number: int, step: Step, parts: list[NodeStep]) -> PlannedStep:
    merged = _merge_parts(step, parts)
    complete = [part for part in merged if not _list_gaps(part.step) and not _find_reason(part.step)]
    gaps = _list_gaps(step) or ([] if complete else _list_gaps(merged[0].step))
    reason = _find_reason(step) or (None if complete or gaps else message("fix.hand.no_node"))
    if not step.run or (reason and does_change(step.run)):
        kind = Kind.HAND
    elif not does_change(step.run):
        kind, reason = Kind.LOOK, None
    elif gaps:
        kind = Kind.OPEN
    else:
        kind = Kind.DECIDE if step.decided_by == "operator" else Kind.CHANGE
    taken = complete if kind in (Kind.CHANGE, Kind.DECIDE) else merged
    return PlannedStep(number=number, kind=kind, step=step, parts=taken, gaps=gaps, reason=reason)


def _list_gaps(step: Step) -> list[str]:
    return list(dict.fromkeys(gap for command in (step.run, step.save, step.undo) for gap in find_gaps(command)))


def _merge_parts(step: Step, parts: list[NodeStep]) -> list[NodeStep]:
    """One for each node where their commands differ; a command that is the same for all nodes is run once."""
    if not parts or len({part.step.run for part in parts}) == 1:
        machines = list_machines(step.run if not parts else parts[0].step.run)
        if len(machines) == 1:
            return [NodeStep(machines[0], parts[0].step if parts else step)]
        if len(parts) != 1 or not runs_on_nodes(step.run):
            return [NodeStep("", step)]
    return parts


def _find_reason(step: Step) -> Message | None:
    """Why calivet does not take the step itself."""
    if not step.run or step.where == "manual":
        return message("fix.hand.manual")
    if needs_person(step.run):
        return message("fix.hand.person")
    if program := find_foreign_program(step.run):
        return message("fix.hand.program", program=program)
    if step.where == "node" and not runs_on_nodes(step.run):
        return message("fix.hand.no_node")
    return None

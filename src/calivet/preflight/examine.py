"""The way from evidence to what was found on each node."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct, field

from calivet.catalogue.model import Catalogue, Cause, Step
from calivet.evidence.artifact import Evidence, Line, Replaced, Unreadable
from calivet.facts.calico import Pool
from calivet.facts.host import Interface, NodeProbe, NodeProbeEnd
from calivet.facts.kubernetes import Node
from calivet.messages.words import Words, list_command_places
from calivet.preflight import (
    addressing,
    cluster,
    firewall,
    kernel,
    leftovers,
    machine,
    network,
    services,
)
from calivet.preflight.requirement import EvidencePart, Host, Outcome, Requirement, Result, mark_unchecked
from calivet.readers.read import read
from calivet.reasoning.advice import Advice
from calivet.reasoning.finding_values import collect_values
from calivet.redaction.redactor import Redactor

_TELLS_OF_A_CLUSTER = (Node, Pool)


def find_hosts(evidence: Evidence) -> list[Host]:
    """Every node with a probe, each knowing the others and the cluster; of two probes of one machine the later."""
    found: list[Host] = []
    rest = EvidencePart()
    document, host = "", None
    for artifact in evidence.artifacts:
        facts, _ = read(artifact)
        begin = next((fact for fact in facts if isinstance(fact, NodeProbe)), None)
        if begin:
            found.append(host := Host(begin))
        elif artifact.name != document:
            host = None
        document = artifact.name
        share = host.share if host else rest
        share.artifacts.append(artifact)
        share.facts += facts
        if any(isinstance(fact, NodeProbeEnd) for fact in facts):
            host = None
    latest = [one for place, one in enumerate(found) if not any(_is_same(one, later) for later in found[place + 1 :])]
    _connect_hosts(latest, rest)
    return latest


def _is_same(one: Host, other: Host) -> bool:
    """Machines that were cloned may share a name, but hardly all their addresses."""
    return one.name == other.name and _collect_addresses(one) == _collect_addresses(other)


def _collect_addresses(host: Host) -> set[str]:
    return {address for card in host.all(Interface) for address in card.addresses}


def _connect_hosts(everyone: list[Host], rest: EvidencePart) -> None:
    around = rest if any(isinstance(fact, _TELLS_OF_A_CLUSTER) for fact in rest.facts) else None
    for host in everyone:
        host.around = around
        host.beside = [other for other in everyone if other is not host]


REQUIREMENTS: tuple[Requirement, ...] = (
    *addressing.IDENTITY_REQUIREMENTS,
    *addressing.REQUIREMENTS,
    *kernel.REQUIREMENTS,
    *services.REQUIREMENTS,
    *machine.REQUIREMENTS,
    *firewall.PORT_REQUIREMENTS,
    *firewall.REQUIREMENTS,
    *leftovers.REQUIREMENTS,
    *network.REQUIREMENTS,
    *cluster.REQUIREMENTS,
)


class Answer(Struct, frozen=True, kw_only=True):
    """What came of one requirement on one node."""

    id: str
    title: Words
    cause: Cause
    outcome: Outcome
    says: Words | None = None
    line: Line | None = None
    fix: list[Step] = field(default_factory=list)


class NodeResult(Struct, frozen=True):
    """One node, all requirements."""

    host: str
    answers: list[Answer]

    def of(self, outcome: Outcome) -> list[Answer]:
        """Those that came to this."""
        return [one for one in self.answers if one.outcome is outcome]


class Preflight(Struct, frozen=True):
    """The whole answer."""

    nodes: list[NodeResult]
    unreadable: list[Unreadable]
    replaced: list[Replaced]


def examine(evidence: Evidence, catalogue: Catalogue, now: datetime | None = None) -> Preflight:
    """Every node whose probe is in the evidence; `now` where the probes have just been run."""
    (evidence.redactor or Redactor()).redact_evidence(evidence)
    nodes = [_examine_host(host, catalogue, now) for host in find_hosts(evidence)]
    return Preflight(nodes, evidence.unreadable, evidence.replaced)


def _examine_host(host: Host, catalogue: Catalogue, now: datetime | None) -> NodeResult:
    host.now = now
    return NodeResult(host.name, [_check_requirement(host, one, catalogue.causes[one.cause]) for one in REQUIREMENTS])


def _check_requirement(host: Host, requirement: Requirement, cause: Cause) -> Answer:
    try:
        result = requirement.examine(host)
    except Exception as error:  # noqa: BLE001 - a bug in one check must not cost the others
        result = mark_unchecked("bug", error=f"{type(error).__name__}: {error}")
    return Answer(
        id=requirement.id,
        title=requirement.title,
        cause=cause,
        outcome=result.outcome,
        says=result.says or _find_words_of_sign(result, cause),
        line=result.line,
        fix=_choose_fix(host, result, cause) if result.outcome is Outcome.FAIL else [],
    )


def _find_words_of_sign(result: Result, cause: Cause) -> Words | None:
    sign = next((sign for sign in cause.signs if sign.computed == result.sign), None) if result.sign else None
    return sign.says.fill(result.values) if sign else None


_OF_MACHINE = ("node", "nodes", "kubelet_unit", "runtime_unit", "crictl", "ctr")


def _choose_fix(host: Host, result: Result, cause: Cause) -> list[Step]:
    """The steps that can be taken now; before Calico is installed there is no pod of it to restart."""
    names = collect_values(host.together, [host.node], ())
    values = {name: value for name, value in names.items() if host.cluster or name in _OF_MACHINE} | result.values
    fitting = [step for step in cause.fix if host.cluster or step.where != "cluster"]
    # A command for the control plane is written for the machine itself where none is known.
    known = values.keys() | {"control_plane"}
    possible = [step for step in fitting if list_command_places(step.run) <= known]
    return Advice(host.together, [values]).select_steps(possible)

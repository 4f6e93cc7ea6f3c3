"""Every step of every cause that changes objects: applied to a real API server as printed, and taken back without a trace."""

from __future__ import annotations

import os

import pytest

from calivet.cli.terminal.progress import Silence
from calivet.evidence.gather import gather
from calivet.facts.cluster_facts import ClusterFacts
from calivet.fix.commands import runs_on_nodes
from calivet.fix.journal import ObjectIntended, open_journal
from calivet.fix.plan import Kind, Plan, PlannedStep, build_plan
from calivet.fix.run import Choices, Fix
from calivet.fix.undo import AS_BEFORE, Undo
from calivet.live.collecting import Collector, Scope
from calivet.live.connection import Access, connect
from calivet.messages.words import Words
from calivet.pipeline import diagnose, understand
from calivet.reasoning.advice import Advice
from calivet.reasoning.diagnosis import Diagnosis, Finding
from calivet.reasoning.finding_values import collect_values
from calivet.redaction.redactor import Redactor
from tests.advice.rendering import make_samples
from tests.e2e.fixing import Obedient, read_all, tools_for
from tests.e2e.scenarios.calico_objects import resource
from tests.e2e.scenarios.healthy import healthy
from tests.e2e.scenarios.operator import operator_install
from tests.e2e.test_fix import begin
from tests.shipped import load_shipped_catalogue

CATALOGUE = load_shipped_catalogue()
STRIDE = int(os.environ.get("CALIVET_FIX_STRIDE", "3"))
"""Every third step here; CALIVET_FIX_STRIDE=1 takes them all."""
NODE = "worker-1"
NOT_HERE = ("delete pod", "rollout status", "githubusercontent")


def build(platform: str):
    cluster = healthy(workers=2) if platform == "manifest" else operator_install(workers=2)
    cluster.others += [
        resource("BGPConfiguration", "default", nodeToNodeMeshEnabled=False),
        resource("IPAMConfig", "default", maxBlocksPerHost=4),
        resource("HostEndpoint", "the-name", node=NODE, interfaceName="*"),
        resource("BGPPeer", "rack", peerIP="10.71.0.13", asNumber=64512),
    ]
    return cluster


def look(bed) -> ClusterFacts:
    connection = connect(Access(kubeconfig=str(bed.kubeconfig())))
    collected = Collector(connection, Scope(), Silence()).collect()
    connection.close()
    return understand(gather([], more=collected.documents, redactor=Redactor()))[0]


def plan_for(cause_id: str, picture: ClusterFacts) -> Plan:
    cause = CATALOGUE.causes[cause_id]
    values = collect_values(picture, [NODE], []) | make_samples(cause)
    advice = Advice(picture, [values], cause.fix)
    finding = Finding(
        cause=cause, confidence=1.0, nodes=[NODE], summary=Words("", ""), evidence=[], explains=[], chain=[],
        fix=advice.select_steps(cause.fix), verify=[], advice=advice,
    )  # fmt: skip
    return build_plan(finding, {})


def list_steps(picture: ClusterFacts) -> list[tuple[Plan, PlannedStep]]:
    """Each command once: those that delete pods or wait for a rollout are for controllers, of which there are none here."""
    found: dict[str, tuple[Plan, PlannedStep]] = {}
    for cause in CATALOGUE.causes:
        plan = plan_for(cause, picture)
        for step in plan.list_changes():
            run = step.step.run
            if not runs_on_nodes(run + step.step.save) and not any(word in run for word in NOT_HERE):
                found.setdefault(run, (plan, step))
    return list(found.values())


@pytest.fixture
def nothing_found() -> Diagnosis:
    from calivet.engines.engine import load_knowledge

    return diagnose(gather([]), *load_knowledge(()))


@pytest.mark.parametrize("platform", ["manifest", "operator"])
def test_what_is_applied_can_be_taken_back(bed, filler, tmp_path, monkeypatch, nothing_found, platform):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    filler.fill(build(platform))
    before, steps = read_all(bed), list_steps(look(bed))
    changed: list[str] = []
    with tools_for(bed) as tools:
        for plan, step in steps[::STRIDE]:
            assert step.kind is Kind.CHANGE
            journal, console = begin(plan.cause), Obedient(lambda key: key != "fix.ask.undo")
            choices = Choices(yes=True, wait=0.0, steps=[step.number])
            Fix(tools, plan, console, choices, lambda _: nothing_found, nothing_found).run(journal)
            if list(journal.find(ObjectIntended)):
                changed.append(f"{plan.cause} {step.number}")
                assert Undo(tools, open_journal(journal.id)).undo_all() == AS_BEFORE, (plan.cause, step.number)
            assert read_all(bed) == before, (plan.cause, step.number)
    assert len(changed) >= len(steps[::STRIDE]) // 3

"""`calivet fix` on a real API server: whatever is applied can be taken back, and nothing is done behind anybody's back."""

from __future__ import annotations

import pytest

from calivet.fix.journal import Began, Journal, ObjectIntended, create_journal, open_journal
from calivet.fix.plan import build_plans
from calivet.fix.run import Choices, Fix
from calivet.fix.undo import AS_BEFORE, CHANGED, Undo, describe_state
from calivet.pipeline import diagnose
from calivet.reasoning.diagnosis import Diagnosis
from tests.e2e.fixing import Obedient, read_all, tools_for
from tests.e2e.scenarios.all import SCENARIOS

CHOICES = Choices(yes=True, likely=True, wait=0.0)
TRIED = (
    "the-datastore-is-locked",
    "a-bridge-was-taken-for-the-card",
)
BY_NAME = {scenario.name: scenario for scenario in SCENARIOS}


@pytest.fixture(autouse=True)
def own_state(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))


def look(bed) -> Diagnosis:
    from calivet.cli.terminal.progress import Silence
    from calivet.engines.engine import load_knowledge
    from calivet.evidence.gather import gather
    from calivet.live.collecting import Collector, Scope
    from calivet.live.connection import Access, connect
    from calivet.redaction.redactor import Redactor

    catalogue, watch = load_knowledge(())
    connection = connect(Access(kubeconfig=str(bed.kubeconfig())))
    collected = Collector(connection, Scope(), Silence()).collect()
    connection.close()
    evidence = gather([], more=collected.documents, matcher=watch.output, redactor=Redactor())
    return diagnose(evidence, catalogue, watch)


def begin(cause: str) -> Journal:
    journal = create_journal(cause)
    journal.write(Began(who="me", version="0", server="s", cause=cause, title="", nodes=[]))
    return journal


@pytest.mark.parametrize("name", TRIED)
def test_what_is_applied_is_taken_back_field_by_field(bed, filler, name):
    scenario = BY_NAME[name]
    filler.fill(scenario.build())
    before, found = read_all(bed), look(bed)
    plan = build_plans(found)[0]
    with tools_for(bed) as tools:
        for planned in plan.list_changes():
            journal, console = begin(plan.cause), Obedient(lambda key: key != "fix.ask.undo")
            choices = Choices(yes=True, likely=True, wait=0.0, steps=[planned.number])
            Fix(tools, plan, console, choices, lambda _: found, found).run(journal)
            if describe_state(journal) == CHANGED:
                assert read_all(bed) != before
            reopened = open_journal(journal.id)
            assert Undo(tools, reopened).undo_all() == AS_BEFORE
            assert read_all(bed) == before, planned.number
            assert list(journal.find(ObjectIntended)) or console.told

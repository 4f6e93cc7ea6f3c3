"""`calivet fix` on a real API server: whatever is applied can be taken back, and nothing is done behind anybody's back."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from typing import Any

import pytest

from calivet.fix.broker import Tools
from calivet.fix.journal import Began, Failed, Journal, ObjectIntended, create_journal, open_journal
from calivet.fix.plan import build_plans
from calivet.fix.run import Choices, Fix
from calivet.fix.undo import AS_BEFORE, CHANGED, Undo, describe_state
from calivet.pipeline import diagnose
from calivet.reasoning.diagnosis import Diagnosis
from tests.e2e.bed.client import Client
from tests.e2e.bed.users import NOBODY, RBAC
from tests.e2e.fixing import Obedient, read_all, tools_for
from tests.e2e.scenarios.all import SCENARIOS
from tests.lab.waiting import until

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


class Meddler:
    """Somebody else who is at work on the same API server, right before each change of ours."""

    def __init__(self, tools: Tools, meddle: Callable[[], None]) -> None:
        self._ask, self._meddle = tools.connection.ask_once, meddle
        tools.connection.ask_once = self.ask_once  # type: ignore[assignment, method-assign]

    def ask_once(self, method: str, path: str, *rest: Any) -> bytes:
        if method == "PATCH":
            self._meddle()
        return self._ask(method, path, *rest)


def unlock(tools: Tools, found: Diagnosis) -> tuple[Journal, Obedient, str]:
    """The one step of this cause that the API server takes."""
    plan = next(plan for plan in build_plans(found) if plan.cause == "datastore-not-ready-flag")
    journal, console = begin(plan.cause), Obedient(lambda key: key != "fix.ask.undo")
    numbers = [step.number for step in plan.steps if "datastoreReady" in step.step.run and "patch" in step.step.run]
    choices = Choices(yes=True, likely=True, wait=0.0, steps=numbers[:1])
    return journal, console, Fix(tools, plan, console, choices, lambda _: found, found).run(journal)


FLAG = "/apis/crd.projectcalico.org/v1/clusterinformations/default"


def test_somebody_else_was_faster(bed, filler):
    """The revision that was read is no longer that of the object: the server itself refuses the patch."""
    filler.fill(BY_NAME["the-datastore-is-locked"].build())
    found, merge = look(bed), "application/merge-patch+json"

    def note() -> None:
        bed.client.send("PATCH", FLAG, {"metadata": {"annotations": {"note": "of somebody else"}}}, merge)

    with tools_for(bed) as tools:
        Meddler(tools, note)
        journal, console, state = unlock(tools, found)
    assert state == AS_BEFORE, console.told
    assert len(list(journal.find(Failed))) == 1
    held = bed.client.get(FLAG)
    assert (held["spec"]["datastoreReady"], held["metadata"]["annotations"]["note"]) == (False, "of somebody else")


def test_the_permission_is_lost_between_question_and_change(bed, filler):
    filler.fill(BY_NAME["the-datastore-is-locked"].build())
    found = look(bed)
    roles, bindings = (f"/apis/{RBAC}/v1/{kind}" for kind in ("clusterroles", "clusterrolebindings"))
    every = [{"apiGroups": ["*"], "resources": ["*"], "verbs": ["*"]}]
    head = {"name": "for-a-while"}
    bed.client.send(
        "POST", roles, {"apiVersion": f"{RBAC}/v1", "kind": "ClusterRole", "metadata": head, "rules": every}
    )
    binding = {
        "apiVersion": f"{RBAC}/v1",
        "kind": "ClusterRoleBinding",
        "metadata": head,
        "roleRef": {"apiGroup": RBAC, "kind": "ClusterRole", "name": "for-a-while"},
        "subjects": [{"kind": "User", "name": NOBODY.name, "apiGroup": RBAC}],
    }
    bed.client.send("POST", bindings, binding)

    client = Client(bed.apiserver.url, bed.certificates.ca, NOBODY.token)

    def take_away() -> None:
        bed.client.request("DELETE", f"{bindings}/for-a-while")
        until(lambda: client.request("GET", FLAG)[0] == 403, "the right is gone")

    try:
        with tools_for(bed, user=NOBODY) as tools:
            Meddler(tools, take_away)
            journal, console, state = unlock(tools, found)
        assert (state, len(list(journal.find(Failed)))) == (AS_BEFORE, 1), console.told
        assert bed.client.get(FLAG)["spec"]["datastoreReady"] is False
    finally:
        bed.client.request("DELETE", f"{bindings}/for-a-while")
        bed.client.request("DELETE", f"{roles}/for-a-while")
        client.close()


def test_the_disk_is_full_while_it_is_saved(bed, filler, tmp_path, monkeypatch):
    """A real one, of a few pages, on which the journal just has room to begin."""
    state = tmp_path / "small"
    state.mkdir()
    if (
        os.geteuid()
        or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=12k", "small", state], check=False).returncode
    ):
        pytest.skip("a small disk cannot be made here")
    try:
        monkeypatch.setenv("XDG_STATE_HOME", str(state))
        filler.fill(BY_NAME["the-datastore-is-locked"].build())
        found = look(bed)
        with tools_for(bed) as tools:
            _, console, ended = unlock(tools, found)
        assert ended == AS_BEFORE, console.told
        assert any("No space left" in said for said in console.told)
        assert bed.client.get(FLAG)["spec"]["datastoreReady"] is False
    finally:
        subprocess.run(["umount", state], check=True)

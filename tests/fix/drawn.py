"""A small fix with both kinds of changes: two objects, and a file and a setting on a machine."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from calivet.catalogue.model import Step
from calivet.engines.engine import load_knowledge
from calivet.evidence.gather import gather
from calivet.fix.journal import Began, Journal, create_journal
from calivet.fix.objects import keep_content
from calivet.fix.plan import Kind, NodeStep, Plan, PlannedStep
from calivet.fix.run import Choices, Fix
from calivet.messages.words import Words
from calivet.pipeline import diagnose
from calivet.reasoning.diagnosis import Diagnosis
from calivet.redaction.redactor import Redactor
from tests.e2e.fixing import Obedient
from tests.fix.fake_api import CONFIG_MAPS, FakeApi, FakeTools, draw_config_map

CAUSE = "kubelet-swap-on"
SICK = "F0314 09:26:53 4711 server.go:265] failed to run Kubelet: running with swap on is not supported\n"
PATCH = 'kubectl patch configmap {name} -n kube-system --type merge -p \'{{"data":{{"mode":"on"}}}}\''
OBJECTS = Step(
    why=Words("why", "why"),
    run=PATCH.format(name="first") + " && " + PATCH.format(name="second"),  # type: ignore[arg-type]
    save="kubectl get configmap first -n kube-system -o json > first.json",  # type: ignore[arg-type]
    where="cluster",
    risk="safe",
)
HOST = Step(
    why=Words("why", "why"),
    save="ssh oak \"sudo sh -c 'sysctl net.ipv4.ip_forward > /root/forward-saved'\"",  # type: ignore[arg-type]
    run="ssh oak \"sudo sh -c 'printf on > /etc/forward.conf && sysctl -w net.ipv4.ip_forward=1'\"",  # type: ignore[arg-type]
    undo="ssh oak \"sudo sh -c 'rm /etc/forward.conf && sysctl -p /root/forward-saved'\"",  # type: ignore[arg-type]
    where="node",
    risk="safe",
)

LAST = Step(
    why=Words("why", "why"),
    run="ssh oak \"sudo sh -c 'printf on > /etc/last.conf'\"",  # type: ignore[arg-type]
    undo="ssh oak sudo rm /etc/last.conf",  # type: ignore[arg-type]
    where="node",
    risk="safe",
)
"""Makes the cure outlast a reboot."""


def draw_plan(*steps: Step) -> Plan:
    planned = [
        PlannedStep(number=number, kind=Kind.CHANGE, step=step, parts=[NodeStep("oak" if step.where == "node" else "", step)])
        for number, step in enumerate(steps, 1)
    ]  # fmt: skip
    return Plan(
        cause=CAUSE,
        title=Words("t", "t"),
        certainty="proven",
        confidence=0.99,
        nodes=["oak"],
        control_plane=[],
        steps=planned,
        verify=[],
    )


def draw_api(folder: Path) -> FakeApi:
    api = FakeApi(folder / "objects.json")
    api.store({})
    api.put(CONFIG_MAPS, draw_config_map("first", mode="off", other="kept"))
    api.put(CONFIG_MAPS, draw_config_map("second", other="kept"))
    return api


def read_contents(api: FakeApi) -> dict[str, Any]:
    return {path: keep_content(tree) for path, tree in api.load().items() if "/leases/" not in path}


def diagnose_text(text: str, folder: Path) -> Diagnosis:
    catalogue, watch = load_knowledge(())
    (folder / "kubelet.log").write_text(text, "utf-8")
    return diagnose(gather([str(folder / "kubelet.log")], redactor=Redactor()), catalogue, watch)


def begin() -> Journal:
    journal = create_journal(CAUSE)
    journal.write(Began(who="me", version="0", server=FakeApi.server, cause=CAUSE, title="", nodes=["oak"]))
    return journal


class Drawn:
    """The fix, ready to run; it has helped once everything is on."""

    def __init__(self, tools: FakeTools, api: FakeApi, folder: Path, *steps: Step) -> None:
        self.tools, self.api = tools, api
        self.sick = diagnose_text(SICK, folder)
        self.well = diagnose_text("nothing is wrong here\n", folder)
        self.steps = steps or (OBJECTS, HOST)
        self.console = Obedient(lambda key: key != "fix.ask.undo")

    def is_cured(self) -> bool:
        objects = all(tree["data"].get("mode") == "on" for tree in read_contents(self.api).values())
        if not objects or HOST not in self.steps:
            return objects
        return self.tools.hosts.run("oak", "cat /etc/forward.conf", b"", 30.0).out == b"on"

    def look(self, _since: int | None) -> Diagnosis:
        return self.well if self.is_cured() else self.sick

    def run(self, journal: Journal) -> str:
        choices = Choices(yes=True, wait=0.0)
        return Fix(self.tools, draw_plan(*self.steps), self.console, choices, self.look, self.sick).run(journal)


def dump(api: FakeApi) -> str:
    return json.dumps(read_contents(api), sort_keys=True)

"""Node by node: the first one shows whether it helps, none is left closed, and what makes it last is done all the same."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from calivet.catalogue.model import Step
from calivet.fix.order import list_turns, makes_it_last
from calivet.fix.plan import Kind, NodeStep, Plan, PlannedStep
from calivet.fix.run import Choices, Fix
from calivet.fix.undo import AS_BEFORE, CHANGED, CURED, Undo
from calivet.messages.words import Words
from calivet.reasoning.diagnosis import Diagnosis
from tests.e2e.fixing import NoHosts, Obedient
from tests.fix.drawn import SICK, begin, diagnose_text, draw_plan
from tests.fix.fake_api import CONFIG_MAPS, FakeApi, draw_config_map, make_tools

NODES = ("ash", "elm", "oak")
PATCH = 'kubectl patch configmap {node} -n kube-system --type merge -p \'{{"data":{{"{key}":"on"}}}}\''


@pytest.fixture(autouse=True)
def own_state(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def draw_step(number: int, run: str, *nodes: str, risk: str = "disruptive") -> PlannedStep:
    steps = [
        NodeStep(
            node,
            Step(why=Words("why", "why"), run=run.format(node=node, key=f"step{number}"), where="cluster", risk=risk),  # type: ignore[arg-type]
        )
        for node in nodes
    ]
    return PlannedStep(number=number, kind=Kind.CHANGE, step=steps[0].step, parts=steps)


def draw_node_plan(*steps: PlannedStep, planes: tuple[str, ...] = ()) -> Plan:
    return replace(draw_plan(), steps=list(steps), nodes=list(NODES), control_plane=list(planes))


class Grove:
    """Three nodes with a setting each; a node is well once its settings are on that `cures` names."""

    def __init__(self, folder, cures: str = "step2") -> None:
        self.api, self.folder, self.cures = FakeApi(folder / "objects.json"), folder, cures
        self.order: list[str] = []
        for node in NODES:
            self.api.put(CONFIG_MAPS, draw_config_map(node))
            head = {"name": node, "labels": {}}
            self.api.put("/api/v1/nodes", {"apiVersion": "v1", "kind": "Node", "metadata": head, "spec": {}})
        self.api.before_change = lambda _, path: self.order.append(path.rpartition("/")[2])
        self.console = Obedient(lambda key: key != "fix.ask.undo")

    def look(self, _since: int | None = None) -> Diagnosis:
        objects = self.api.load()
        sick = [node for node in NODES if objects[f"{CONFIG_MAPS}/{node}"]["data"].get(self.cures) != "on"]
        text = "".join(f"[root@{node} ~]# journalctl -u kubelet\n{SICK}\n" for node in sick)
        return diagnose_text(text or "nothing is wrong here\n", self.folder)

    def run(self, *steps: PlannedStep) -> str:
        self.journal, self.tools = begin(), make_tools(self.api, NoHosts())
        fix = Fix(self.tools, draw_node_plan(*steps), self.console, Choices(yes=True, wait=0.0), self.look, self.look())
        return fix.run(self.journal)

    def closed(self) -> list[str]:
        return [n for n in NODES if self.api.load()[f"/api/v1/nodes/{n}"]["spec"].get("unschedulable")]


def test_all_steps_of_a_node_come_before_those_of_the_next(tmp_path):
    grove = Grove(tmp_path)
    assert grove.run(*(draw_step(number, PATCH, *NODES) for number in (1, 2))) == CURED
    assert grove.order == ["ash", "ash", "elm", "elm", "oak", "oak"]


def test_what_is_well_is_left_alone(tmp_path):
    """The first step suffices for the first node: nobody gets the second one."""
    grove = Grove(tmp_path, cures="step1")
    assert grove.run(*(draw_step(number, PATCH, *NODES) for number in (1, 2))) == CURED
    assert grove.order == list(NODES)


def test_what_does_not_help_the_first_node_is_not_done_to_the_others(tmp_path):
    grove = Grove(tmp_path, cures="something else")
    grove.console.answer = lambda key: key not in ("fix.ask.others", "fix.ask.undo")
    assert grove.run(*(draw_step(number, PATCH, *NODES) for number in (1, 2))) == CHANGED
    assert grove.order == ["ash", "ash"]
    assert any("other nodes (2)" in asked for asked in grove.console.asked)


def test_no_node_is_closed_while_another_one_is(tmp_path):
    """A cure that comes before the step that opens the node again leaves none of them closed."""
    grove, most = Grove(tmp_path), []

    def count(_method, path):
        grove.order.append(path)
        most.append(len(grove.closed()))

    grove.api.after_change = count
    steps = (draw_step(1, "kubectl cordon {node}", *NODES), draw_step(2, PATCH, *NODES))
    assert grove.run(*steps) == CURED
    assert (max(most), grove.closed()) == (1, [])
    assert Undo(grove.tools, grove.journal).undo_all() == AS_BEFORE
    assert grove.closed() == []


def test_a_node_that_is_to_stay_closed_is_named(tmp_path):
    grove = Grove(tmp_path)
    grove.console.answer = lambda key: key != "fix.ask.reopen"
    grove.run(draw_step(1, "kubectl cordon {node}", "ash"), draw_step(2, PATCH, *NODES))
    assert grove.closed() == ["ash"]
    assert any("kubectl uncordon ash" in said for said in grove.console.told)


def test_the_control_plane_comes_last_and_is_looked_at_after_every_step():
    plan = draw_node_plan(draw_step(1, PATCH, "ash"), draw_step(2, PATCH, *NODES), planes=("ash",))
    turns = list(list_turns(plan, (), 5))
    assert [turn.part.node for turn in turns] == ["elm", "oak", "ash", "ash"]
    assert all(turn.is_look_due for turn in turns if turn.part.node == "ash")


def test_a_step_for_the_cluster_waits_until_all_nodes_are_through():
    steps = (draw_step(1, PATCH, "ash", "elm"), draw_step(2, PATCH, ""), draw_step(3, PATCH, "ash", "elm"))
    turns = list(list_turns(draw_node_plan(*steps), (), 5))
    assert [(turn.part.node, turn.planned.number) for turn in turns] == [
        ("ash", 1), ("elm", 1), ("", 2), ("ash", 3), ("elm", 3),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("run", "risk", "lasts"),
    [
        ("ssh {node} \"sudo sed -i 's/x/y/' /etc/fstab\"", "safe", True),
        ("ssh {node} sudo systemctl restart kubelet", "safe", False),
        ("ssh {node} \"sudo sed -i 's/x/y/' /etc/fstab\"", "disruptive", False),
    ],
)
def test_what_outlives_the_cure(run, risk, lasts):
    assert makes_it_last(draw_step(1, run, "ash", risk=risk).parts[0]) is lasts

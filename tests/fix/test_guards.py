"""What interrupts a member of the control plane waits until the others are well, whoever the step is for."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from calivet.fix.guards import GuardError, check_quorum
from calivet.fix.plan import NodeStep, Plan
from tests.e2e.fixing import NoHosts
from tests.fix.drawn import HOST, draw_plan
from tests.fix.fake_api import FakeApi, make_tools

PLANES = ("ash", "elm")


def draw_cluster(folder, unready: str):
    api = FakeApi(folder / "objects.json")
    for name in (*PLANES, "oak"):
        labels = {"node-role.kubernetes.io/control-plane": ""} if name in PLANES else {}
        conditions = [{"type": "Ready", "status": "Unknown" if name == unready else "True"}]
        head = {"name": name, "labels": labels}
        tree = {"apiVersion": "v1", "kind": "Node", "metadata": head, "status": {"conditions": conditions}}
        api.put("/api/v1/nodes", tree)
    return make_tools(api, NoHosts())


def plan() -> Plan:
    return replace(draw_plan(HOST), control_plane=list(PLANES))


def part(node: str, machine: str, risk: str = "disruptive") -> NodeStep:
    run = f"ssh {machine} sudo systemctl restart kubelet"
    return NodeStep(node, replace(HOST, run=run, risk=risk))


@pytest.mark.parametrize("node", ["ash", "oak", ""])
def test_it_waits_while_another_member_is_not_ready(tmp_path, node):
    """Also where the step is for a worker, or for the cluster, and logs in to a member."""
    with pytest.raises(GuardError, match="elm"):
        check_quorum(draw_cluster(tmp_path, "elm"), plan(), part(node, "ash"))


@pytest.mark.parametrize(("machine", "unready", "risk"), [
    ("ash", "oak", "disruptive"), ("ash", "ash", "disruptive"), ("oak", "elm", "dangerous"), ("ash", "elm", "safe"),
])  # fmt: skip
def test_it_goes_on_where_no_member_is_lost_by_it(tmp_path, machine, unready, risk):
    check_quorum(draw_cluster(tmp_path, unready), plan(), part(machine, machine, risk))

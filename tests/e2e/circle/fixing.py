"""The same circles, walked by `calivet fix` alone: it cures, and its own undo makes it broken again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from msgspec import Struct

from tests.cli.running import Run, process
from tests.e2e.circle.circle import Circle
from tests.e2e.circle.live_cluster import LiveCluster
from tests.e2e.fixing import read_all

TAKEN = ("change", "decide")
YES = b"yes\n" * 40
# What controllers, kubelets and the clock write, whether anything is fixed or not.
NOT_OURS = ("/registry/pods/", "/registry/controllerrevisions/", "/registry/minions/", "/registry/apiregistration")


class Fixer(Struct, frozen=True):
    """The operator who types `calivet fix`."""

    cluster: LiveCluster
    state: Path
    """Where the journals are."""

    def run(self, circle: Circle, *arguments: str) -> Run:
        """He says yes to all that he is asked."""
        values = [f"{name}={value}" for name, value in circle.gaps.items() if name != "typed"]
        told = [word for value in values for word in ("--set", value)] if "--undo" not in arguments else []
        return process(
            "fix", *arguments, *told, *circle.arguments, "--kubeconfig", self.cluster.bed.kubeconfig(), "-o", "json",
            "--step-timeout", "60", stdin=YES,
            environment={"XDG_STATE_HOME": str(self.state), "PATH": self.cluster.operator.path},
        )  # fmt: skip

    def choose_steps(self, circle: Circle) -> list[str]:
        """The numbers of the steps that the circle takes, as a dry run numbers them."""
        run = self.run(circle, circle.cause, "--dry-run")
        plans = json.loads(run.out)["plans"] if run.out.startswith("{") else []
        assert plans, f"{circle.cause} is not planned: {run.err}"
        orders = {step["do"]: str(step["number"]) for step in plans[0]["steps"] if step["kind"] in TAKEN}
        chosen = [number for start in circle.steps for do, number in orders.items() if do.startswith(start)]
        assert len(chosen) == len(circle.steps), f"{circle.steps} are not taken by calivet: {plans[0]['steps']}"
        return chosen


def walk_with_fix(circle: Circle, cluster: LiveCluster, state: Path) -> None:
    """Breaks, lets calivet cure it, and lets calivet take it back; what it has touched is as it was, object for object."""
    fixer = Fixer(cluster, state)
    cluster.begin(circle)
    numbers = fixer.choose_steps(circle)
    assert circle.is_broken(cluster), "the dry run has changed something"
    before = read_kept(cluster)
    chosen = [word for number in numbers for word in ("--step", number)]
    cured = fixer.run(circle, circle.cause, "--likely", "--wait", "90", *chosen)
    journal = expect(cured, "cured")
    cluster.settle(circle)
    assert not circle.is_broken(cluster)
    if circle.taken_back == 0:
        return
    undone = fixer.run(circle, "--undo", journal["id"])
    expect(undone, "as-before")
    if circle.is_taken_back:
        assert circle.is_taken_back(cluster), "the undo has not done what it says"
        return
    assert circle.is_broken(cluster), f"taken back, and it is as it was after the fix: {undone.out}"
    circle.made_felt(cluster)
    cluster.settle(circle)
    assert read_kept(cluster) == before


def expect(run: Run, state: str) -> dict[str, Any]:
    """The journal, which says that it has come to this."""
    assert run.out.startswith("{"), run.err
    journal: dict[str, Any] = json.loads(run.out)
    assert (journal["state"], run.code) == (state, 0), f"{run.err}\n{run.out}"
    return journal


def read_kept(cluster: LiveCluster) -> dict[str, Any]:
    """What people wrote into the API server, and every byte of the files of its machines."""
    held = read_all(cluster.bed)
    files = cluster.machines.list_files() if cluster.has_machines else ""
    return {key: value for key, value in held.items() if not key.startswith(NOT_OURS)} | {"files": files}

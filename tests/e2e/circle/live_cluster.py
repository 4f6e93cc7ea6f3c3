"""A cluster that lives: a real API server, the real DaemonSet controller, and nodes that answer to what is changed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from calivet.contract.diagnosis import Document
from tests.cli.running import calivet
from tests.e2e.bed.bed import Bed
from tests.e2e.circle.circle import Circle
from tests.e2e.circle.controller import DaemonSetController
from tests.e2e.circle.kubelets import Kubelets
from tests.e2e.circle.machines import Machines
from tests.e2e.circle.operator import Operator
from tests.e2e.fill import Filler
from tests.e2e.scenarios.cluster import Cluster

# What controllers, kubelets and fixes leave behind.
MADE = ("/registry/pods/", "/registry/controllerrevisions/", "/registry/events/", "/registry/crd.projectcalico.org/")


class LiveCluster:
    """In one circle after the other."""

    def __init__(
        self, bed: Bed, filler: Filler, controller: Path, folder: Path, machines: Machines | None = None
    ) -> None:
        self.bed = bed
        self._filler = filler
        self._machines = machines
        self._program, self._log = controller, folder / "controller.log"
        self.operator = Operator(folder, bed.components / "kubectl", bed.kubeconfig())
        self._controller: DaemonSetController | None = None
        self._kubelets: Kubelets | None = None

    def begin(self, circle: Circle) -> None:
        """The cluster is there, broken."""
        sick, well = circle.sick(), circle.well()
        for paper in (sick, well):
            kinds = {name: one["kind"] for name, one in paper.workloads.items()}
            paper.controlled = tuple(name for name, kind in kinds.items() if kind == "DaemonSet")
        self._filler.fill(sick)
        circle.break_it(self)
        # One for each circle: it remembers what it expects of a DaemonSet by the name, which is always the same.
        self._controller = DaemonSetController(self._program, self.bed.kubeconfig(), self._log)

        def show() -> Cluster:
            circle.react(self)
            return sick if circle.is_broken(self) else well

        self._kubelets = Kubelets(self.bed, show)
        self.settle(circle)

    @property
    def has_machines(self) -> bool:
        """Whether its workers stand on any."""
        return self._machines is not None

    @property
    def machines(self) -> Machines:
        """Of its workers, where it has any."""
        assert self._machines
        return self._machines

    def settle(self, circle: Circle) -> None:
        """All that follows from what was changed has happened."""
        assert self._kubelets
        circle.follows(self)
        self._kubelets.wait_until_quiet()

    def end(self, circle: Circle) -> None:
        """Nothing of it is left."""
        for part in (self._controller, self._kubelets):
            if part:
                part.close()
        self._controller = self._kubelets = None
        circle.mend(self)
        self._filler.empty()
        for prefix in MADE:
            self.bed.etcd.forget([key for key, _ in self.bed.etcd.read(prefix)])

    def diagnose(self, *arguments: str) -> Document:
        """What calivet says of it now."""
        return self._ask("--kubeconfig", self.bed.kubeconfig(), *arguments)

    def diagnose_output(self, commands: tuple[str, ...], at: str = "") -> Document:
        """What calivet says of what these commands print now."""
        transcript = self.operator.folder / "transcript.txt"
        shown = [
            f"[root@{at or 'bastion'} ~]# {command}\n{self.operator.paste(command, {}, at=at).text}"
            for command in commands
        ]
        transcript.write_text("".join(shown), "utf-8")
        return self._ask(transcript)

    def _ask(self, *arguments: object) -> Document:
        run = calivet("diagnose", *arguments, "-o", "json", PATH=self.operator.path)
        assert run.out.startswith("{"), run.err
        return msgspec.json.decode(run.out, type=Document)

    def get(self, path: str) -> dict[str, Any]:
        """An object of the API server."""
        return self.bed.client.get(path)

    def agent(self, namespace: str = "kube-system") -> dict[str, Any]:
        """The container of calico-node, as its DaemonSet has it now."""
        held = self.get(f"/apis/apps/v1/namespaces/{namespace}/daemonsets/calico-node")
        container: dict[str, Any] = held["spec"]["template"]["spec"]["containers"][0]
        return container

    def variable(self, name: str, namespace: str = "kube-system") -> str | None:
        """Of calico-node's environment."""
        found = [entry.get("value") for entry in self.agent(namespace)["env"] if entry["name"] == name]
        return found[0] if found else None

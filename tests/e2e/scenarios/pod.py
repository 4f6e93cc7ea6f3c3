"""One pod: made from the template of its workload, with containers that can be given a fate."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from msgspec import Struct, field

from tests.e2e.bed.container_log import ContainerLog
from tests.e2e.scenarios.container import Container
from tests.e2e.scenarios.moments import ago, written


class Pod(Struct):
    """A pod of a node; its phase and conditions follow from its containers."""

    namespace: str
    name: str
    node: str
    host: str
    """The address of the node."""
    template: dict[str, Any]
    """What the workload says of its pods; shared by all of them."""
    owner: dict[str, str] | None = None
    address: str | None = None
    created: datetime = field(default_factory=lambda: ago(days=21))
    containers: dict[str, Container] = field(default_factory=dict)

    def __post_init__(self) -> None:
        spec = self.template["spec"]
        for container in [*spec.get("initContainers", []), *spec["containers"]]:
            subject = f"{self.name}_{self.namespace}"
            self.containers[container["name"]] = Container(container["name"], container["image"], subject)

    def __getitem__(self, container: str) -> Container:
        return self.containers[container]

    def initial(self) -> list[Container]:
        """Its init containers, in order."""
        return [self.containers[container["name"]] for container in self.template["spec"].get("initContainers", [])]

    def main(self) -> list[Container]:
        """Its other containers."""
        return [self.containers[container["name"]] for container in self.template["spec"]["containers"]]

    def start(self, words: Mapping[str, str] | None = None, *, at: datetime | None = None) -> None:
        """Everything goes as it should, from the first init container on."""
        told, moment = words or {}, at or self.created
        for container in self.initial():
            container.finish(told.get(container.name, ""), at=moment)
        for container in self.main():
            container.run(told.get(container.name, ""), since=moment)

    def hold(self, container: str) -> Container:
        """The start has come to this container and no further; gives it back to say how it fares there."""
        order = [*self.initial(), *self.main()]
        reached = [each.name for each in order].index(container)
        for later in order[reached:]:
            later.wait("PodInitializing")
        return self.containers[container]

    def unplace(self) -> None:
        """No node has a place for it."""
        self.node = self.host = ""
        for container in self.containers.values():
            container.wait("ContainerCreating")

    @property
    def ready(self) -> bool:
        """Whether it counts as ready."""
        return all(container.ready for container in self.main())

    def logs(self) -> dict[str, ContainerLog]:
        """Of all its containers and their runs, by the runtime's id."""
        return {run: log for container in self.containers.values() for run, log in container.logs.items()}

    def object(self) -> dict[str, Any]:
        """As it is sent to the API server."""
        metadata = {
            "name": self.name,
            "namespace": self.namespace,
            "labels": self.template["metadata"].get("labels", {}),
            "annotations": self.template["metadata"].get("annotations", {}),
            "creationTimestamp": written(self.created),
        }
        if self.owner:
            metadata["ownerReferences"] = [self.owner]
        spec = copy.deepcopy(self.template["spec"]) | ({"nodeName": self.node} if self.node else {})
        return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec, "status": self.status()}

    def status(self) -> dict[str, Any]:
        """As the kubelet reports it."""
        started = all(container.done for container in self.initial())
        undone = [container.name for container in self.initial() if not container.done]
        unready = [container.name for container in self.main() if not container.ready]
        conditions = [
            self._condition("PodScheduled", ok=True),
            self._condition("Initialized", ok=started, why=f"containers with incomplete status: {_names(undone)}"),
            self._condition("ContainersReady", ok=self.ready, why=f"containers with unready status: {_names(unready)}"),
            self._condition("Ready", ok=self.ready, why=f"containers with unready status: {_names(unready)}"),
        ]
        address = self.host if self.template["spec"].get("hostNetwork") else self.address
        addresses = {"podIP": address, "podIPs": [{"ip": address}]} if address else {}
        ran = any("waiting" not in container.state or container.last for container in self.main())
        return addresses | {
            "phase": "Running" if started and ran else "Pending",
            "conditions": conditions,
            "hostIP": self.host,
            "startTime": written(self.created),
            "qosClass": "Burstable",
            "initContainerStatuses": [container.status() for container in self.initial()],
            "containerStatuses": [container.status() for container in self.main()],
        }

    def _condition(self, kind: str, *, ok: bool, why: str = "") -> dict[str, Any]:
        reason = {"Initialized": "ContainersNotInitialized"}.get(kind, "ContainersNotReady")
        told = {} if ok else {"reason": reason, "message": why}
        moment = written(self.created)
        return {"type": kind, "status": "True" if ok else "False", "lastTransitionTime": moment} | told


def _names(containers: list[str]) -> str:
    return f"[{' '.join(containers)}]"

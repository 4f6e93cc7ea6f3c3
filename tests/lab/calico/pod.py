"""A pod as its kubelet holds it: which containers it has, how each is doing, and the status that the API server is told."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import Any

from msgspec import Struct, field

from tests.lab.calico.container import Container

Json = dict[str, Any]
FIRST_PAUSE, LONGEST_PAUSE = 4.0, 20.0
"""Seconds until a container is started again: kubelet's are 10 and 300, and nobody would wait for them."""


class Running(Struct):
    """One container of a pod, over all its runs."""

    spec: Json
    current: Container | None = None
    ended: Json | None = None
    """How the last run that is over ended, as the API says it."""
    restarts: int = 0
    ready: bool = False
    live: bool = True
    failures: int = 0
    not_before: float = 0.0
    pause: float = FIRST_PAUSE
    probed: float = 0.0

    @property
    def name(self) -> str:
        """As the pod's spec has it."""
        return str(self.spec["name"])

    def note_end(self) -> int:
        """The current run is over: keeps how it ended, and gives its code."""
        assert self.current is not None
        code = self.current.code or 0
        code = 128 - code if code < 0 else code
        self.ended = {
            "exitCode": code,
            "reason": "Completed" if code == 0 else "Error",
            "startedAt": stamp(self.current.started),
            "finishedAt": stamp(),
            "containerID": f"containerd://{self.current.id}",
        }
        self.current, self.ready = None, False
        return code

    def wait_longer(self) -> None:
        """Backs off before the next start."""
        self.not_before = time.monotonic() + self.pause
        self.pause = min(self.pause * 2, LONGEST_PAUSE)
        self.restarts += 1

    def status(self, *, init: bool) -> Json:
        """Its entry in the status of the pod."""
        return {
            "name": self.name,
            "image": self.spec["image"],
            "imageID": f"{self.spec['image']}@sha256:{'0' * 64}",
            "restartCount": self.restarts,
            "ready": self._is_done if init else self.ready,
            "started": self.current is not None,
            "containerID": self._id,
            "state": self._state(init=init),
            "lastState": {"terminated": self.ended} if self.ended and not (init and self._is_done) else {},
        }

    @property
    def _is_done(self) -> bool:
        return self.current is None and bool(self.ended) and self.ended is not None and self.ended["exitCode"] == 0

    @property
    def _id(self) -> str:
        if self.current:
            return f"containerd://{self.current.id}"
        return str(self.ended["containerID"]) if self.ended else ""

    def _state(self, *, init: bool) -> Json:
        if self.current:
            return {"running": {"startedAt": stamp(self.current.started)}}
        if not self.ended:
            return {"waiting": {"reason": "PodInitializing"}}
        if init and self._is_done:
            return {"terminated": self.ended}
        if self.restarts > 1:
            message = f"back-off {self.pause:.0f}s restarting failed container={self.name}"
            return {"waiting": {"reason": "CrashLoopBackOff", "message": message}}
        return {"terminated": self.ended}


class Pod(Struct):
    """One pod."""

    object: Json
    inits: list[Running]
    mains: list[Running]
    address: str = ""
    sandbox: bool = True
    """Whether it has a network: those of the host's have it from the start."""
    retry: float = 0.0
    counts: dict[str, int] = field(default_factory=dict)
    """How often each event was seen."""
    told: Json = field(default_factory=dict)

    @classmethod
    def of(cls, item: Json) -> Pod:
        """From the API's object."""
        spec = item["spec"]
        return cls(
            item,
            [Running(container) for container in spec.get("initContainers", ())],
            [Running(container) for container in spec["containers"]],
            sandbox=bool(spec.get("hostNetwork")),
        )

    @property
    def name(self) -> str:
        """As the API has it."""
        return str(self.object["metadata"]["name"])

    @property
    def namespace(self) -> str:
        """As the API has it."""
        return str(self.object["metadata"]["namespace"])

    @property
    def uid(self) -> str:
        """As the API has it."""
        return str(self.object["metadata"]["uid"])

    def status(self, host: str) -> Json:
        """What the API server is told."""
        initialized = all(each.ended and each.ended["exitCode"] == 0 for each in self.inits)
        ready = initialized and self.sandbox and all(each.ready for each in self.mains)
        conditions = {"Initialized": initialized, "Ready": ready, "ContainersReady": ready, "PodScheduled": True}
        address = host if self.object["spec"].get("hostNetwork") else self.address
        return {
            "phase": "Running" if initialized and self.sandbox else "Pending",
            "conditions": [
                {"type": name, "status": "True" if holds else "False", "lastTransitionTime": stamp()}
                for name, holds in conditions.items()
            ],
            "hostIP": host,
            "hostIPs": [{"ip": host}],
            **({"podIP": address, "podIPs": [{"ip": address}]} if address else {}),
            "startTime": self.object["metadata"]["creationTimestamp"],
            "initContainerStatuses": [each.status(init=True) for each in self.inits],
            "containerStatuses": [self._main_status(each) for each in self.mains],
        }

    @property
    def is_workload(self) -> bool:
        """Has a network of its own: nothing of it runs, its network is all that matters here."""
        return not self.object["spec"].get("hostNetwork")

    def _main_status(self, running: Running) -> Json:
        entry = running.status(init=False)
        if not self.sandbox:
            entry["state"] = {"waiting": {"reason": "ContainerCreating"}}
        elif self.is_workload:
            since = self.object["metadata"]["creationTimestamp"]
            entry |= {"state": {"running": {"startedAt": since}}, "started": True, "containerID": "containerd://web"}
        return entry


def stamp(moment: datetime | None = None) -> str:
    """A moment as the API writes it; now where none is given."""
    return f"{moment or datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"

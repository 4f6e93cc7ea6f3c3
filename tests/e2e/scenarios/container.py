"""One container of a pod: what state it is in, and what its runs have logged."""

from __future__ import annotations

import hashlib
from datetime import datetime
from typing import Any

from msgspec import Struct, field

from tests.e2e.bed.container_log import ContainerLog
from tests.e2e.scenarios.logs import log
from tests.e2e.scenarios.moments import ago, written

RUNTIME = "containerd://"


class Container(Struct):
    """Starts as one that waits for its turn; the methods say what became of it."""

    name: str
    image: str
    pod: str
    state: dict[str, Any] = field(default_factory=lambda: {"waiting": {"reason": "PodInitializing"}})
    last: dict[str, Any] = field(default_factory=dict)
    restarts: int = 0
    ready: bool = False
    logs: dict[str, ContainerLog] = field(default_factory=dict)

    def run(self, words: str = "", *, since: datetime, ready: bool = True) -> None:
        """It runs; `words` is what it has logged."""
        self.state, self.ready = {"running": {"startedAt": written(since)}}, ready
        self.logs[self.id()] = log(words, begun=since, ended=ago(seconds=8))

    def finish(self, words: str = "", *, at: datetime, code: int = 0, reason: str = "Completed") -> None:
        """It ended and need not run again; an init container is then done."""
        self.state, self.ready = {"terminated": self._end(self.id(), words, at, code, reason)}, code == 0

    def wait(self, reason: str, message: str = "") -> None:
        """It cannot run yet."""
        self.state, self.ready = {"waiting": {"reason": reason} | ({"message": message} if message else {})}, False

    def died(self, words: str, *, at: datetime, code: int = 1, reason: str = "Error", times: int) -> None:
        """A run before this one ended; it has been restarted so many times."""
        before = self.id(times - 1)
        self.restarts = times
        self.last = {"terminated": self._end(before, words, at, code, reason)}

    def crash(
        self, words: str, *, times: int, code: int = 1, reason: str = "Error", at: datetime | None = None
    ) -> None:
        """Every run ended so, and the kubelet waits before the next one."""
        self.died(words, at=at or ago(minutes=2), code=code, reason=reason, times=times)
        pause = f"back-off 5m0s restarting failed container={self.name} pod={self.pod}"
        self.wait("CrashLoopBackOff", pause)

    def id(self, run: int | None = None) -> str:
        """The runtime's id of this run, or of an earlier one."""
        number = self.restarts if run is None else run
        return RUNTIME + hashlib.sha256(f"{self.pod}/{self.name}/{number}".encode()).hexdigest()

    def _end(self, run: str, words: str, at: datetime, code: int, reason: str) -> dict[str, Any]:
        """Keeps the log of a run that is over, and gives what the kubelet says of it."""
        self.logs[run] = log(words, ended=at)
        begun = min((moment for moment, _ in self.logs[run].lines), default=at)
        told = {"exitCode": code, "reason": reason, "containerID": run}
        return told | {"startedAt": written(begun), "finishedAt": written(at)}

    @property
    def done(self) -> bool:
        """Whether an init container has done its work."""
        return bool(self.state.get("terminated", {}).get("exitCode") == 0)

    def status(self) -> dict[str, Any]:
        """As the kubelet reports it."""
        ran = "running" in self.state or "terminated" in self.state
        status: dict[str, Any] = {
            "name": self.name,
            "image": self.image,
            "imageID": f"{self.image.split(':')[0]}@sha256:{hashlib.sha256(self.image.encode()).hexdigest()}"
            if ran
            else "",
            "ready": self.ready,
            "started": "running" in self.state,
            "restartCount": self.restarts,
            "state": self.state,
            "lastState": self.last,
        }
        return status | ({"containerID": self.id()} if ran else {})

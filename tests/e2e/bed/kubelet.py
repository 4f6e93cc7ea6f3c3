"""What one kubelet knows, and how it answers: the logs of its containers, its configuration, statistics and health."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Literal

from msgspec import Struct, field

from tests.e2e.bed.container_log import ContainerLog, LogOptions

Reach = Literal["up", "refused", "no route", "silent"]
"""Whether it can be reached, and else what befalls who tries: kubelet down, machine down, packets dropped."""
Answer = tuple[int, str, str]
"""Status, kind of content, text."""
LISTING = (
    '<!doctype html>\n<meta name="viewport" content="width=device-width">\n<pre>\n<a href="pods/">pods/</a>\n</pre>\n'
)


class Kubelet(Struct):
    """The kubelet of one node, by what the tests may ask of it."""

    node: str
    reach: Reach = "up"
    configuration: dict[str, Any] = field(default_factory=dict)
    statistics: dict[str, Any] = field(default_factory=dict)
    health: str = "ok"
    journal: str | None = None
    """What `?query=kubelet` gives; None where the node's logs may not be queried, which is the default of Kubernetes."""
    pods: dict[tuple[str, str], dict[str, Any]] = field(default_factory=dict)
    logs: dict[str, ContainerLog] = field(default_factory=dict)
    """By container id, as a runtime keeps them."""

    def answer(self, path: str, query: Mapping[str, str]) -> Answer:
        """One request that came through the API server."""
        if path.startswith("/containerLogs/"):
            return self._container_log(path.split("/")[2:], query)
        if path == "/configz":
            return _object({"kubeletconfig": self.configuration})
        if path == "/stats/summary":
            return _object(self.statistics)
        if path == "/healthz":
            return (200 if self.health == "ok" else 500), "text/plain", self.health
        if path in {"/logs", "/logs/"}:
            return self._journal(query)
        return 404, "text/plain", "404 page not found\n"

    def _journal(self, query: Mapping[str, str]) -> Answer:
        if self.journal is None or "query" not in query:
            return 200, "text/html", LISTING
        lines = self.journal.splitlines(keepends=True)
        return 200, "text/plain", "".join(lines[-int(query.get("tailLines", len(lines) or 1)) :])

    def _container_log(self, path: list[str], query: Mapping[str, str]) -> Answer:
        namespace, name, container = path
        pod = self.pods.get((namespace, name))
        if pod is None:
            return 404, "text/plain", f'pod "{name}" does not exist'
        statuses = pod["status"].get("containerStatuses", []) + pod["status"].get("initContainerStatuses", [])
        status = next((status for status in statuses if status["name"] == container), None)
        previous = query.get("previous") == "true"
        found, error = _run(container, name, status, previous=previous)
        if error:
            return 400, "text/plain", error
        return 200, "text/plain", self.logs.get(found, ContainerLog()).read(LogOptions.of(query))


def _object(value: object) -> Answer:
    return 200, "application/json", json.dumps(value)


def _run(container: str, pod: str, status: dict[str, Any] | None, *, previous: bool) -> tuple[str, str]:
    """The id of the run whose log is meant, or why there is none, in the kubelet's words."""
    subject = f'container "{container}" in pod "{pod}"'
    if status is None:
        return "", f"{subject} is not available"
    state = status.get("state", {})
    last = status.get("lastState", {}).get("terminated", {}).get("containerID", "")
    if previous:
        return last, "" if last else f"previous terminated {subject} not found"
    if "running" in state:
        return status["containerID"], ""
    if found := state.get("terminated", {}).get("containerID") or last:
        return found, ""
    if "terminated" in state:
        return "", f"{subject} is terminated"
    return "", f"{subject} is waiting to start: {_waiting(state.get('waiting', {}).get('reason', ''))}"


def _waiting(reason: str) -> str:
    words = {"ErrImagePull": "image can't be pulled", "ImagePullBackOff": "trying and failing to pull image"}
    return words.get(reason, reason)

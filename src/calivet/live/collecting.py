"""Asks a live cluster, in phases, and gives documents: the same that a bundle holds."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Protocol

from msgspec import Struct, field

from calivet.evidence.artifact import Document, Unreadable
from calivet.evidence.bundle import Request
from calivet.evidence.decoding import clean
from calivet.live import basics, calico, details, kubelet, surroundings
from calivet.live.choosing import chosen_nodes, chosen_pods
from calivet.live.connection import Connection
from calivet.live.errands import Errand, Outcome, Patience, run
from calivet.live.overview import overview
from calivet.live.survey import Survey

SHOWN = 3


class Scope(Struct, frozen=True):
    """What the operator asked for."""

    nodes: tuple[str, ...] = ()
    since: int | None = None
    """Seconds of logs."""


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


class Collected(Struct):
    """All that was read from the cluster, and what could not be."""

    server: str = ""
    started: str = field(default_factory=_now)
    documents: list[Document] = field(default_factory=list)
    failed: list[Unreadable] = field(default_factory=list)
    requests: list[Request] = field(default_factory=list)
    survey: Survey = field(default_factory=Survey)
    probed: list[str] = field(default_factory=list)
    """Machines that were asked themselves, by the names that they go by."""
    seconds: float = 0.0
    interrupted: bool = False

    @property
    def node_names(self) -> list[str]:
        """All machines that are known by name."""
        return list(dict.fromkeys([*(node.name for node in self.survey.nodes), *self.probed]))


class Progress(Protocol):
    """Told what happens while it happens."""

    def phase(self, name: str, total: int) -> None:
        """A phase with so many errands begins."""

    def step(self, name: str) -> None:
        """One of them is done."""


class Collector:
    """One collecting run."""

    def __init__(self, connection: Connection, scope: Scope, progress: Progress) -> None:
        """Nothing is asked yet."""
        self._connection, self._scope, self._progress = connection, scope, progress
        self._patience = Patience()
        self._survey = Survey()
        self._silent: set[str] = set()
        self._collected = Collected(connection.server, survey=self._survey)

    def interrupt(self) -> None:
        """Ask for nothing more: what has arrived must do."""
        self._patience.interrupted = True

    def collect(self) -> Collected:
        """Every phase in turn; each knows what those before it found."""
        start = time.monotonic()
        served: dict[str, Sequence[str]] = {}
        self._run("api-server", self._first(served))
        self._run("nodes-and-pods", self._all(served))
        self._survey.settle()
        self._add_overview()
        self._run("surroundings", self._around(served))
        containers: list[details.Container] = []
        self._run("sick-pods", self._close(containers))
        self._run("logs", self._logs(containers))
        self._collected.failed = merged(self._collected.failed)
        self._collected.seconds = time.monotonic() - start
        self._collected.interrupted = self._patience.interrupted
        return self._collected

    def _first(self, served: dict[str, Sequence[str]]) -> list[Errand]:
        groups = [basics.served(self._connection, group, version, served) for group, version in calico.GROUPS]
        return [*basics.health(self._connection), basics.daemonsets(self._connection, self._survey), *groups]

    def _all(self, served: dict[str, Sequence[str]]) -> list[Errand]:
        """The long lists side by side: Calico's own are as long as those of nodes and pods."""
        connection, survey = self._connection, self._survey
        nodes, counted = basics.nodes(connection, survey), basics.counted(connection, survey)
        return [nodes, counted, *calico.addresses(connection, served), *basics.pods(connection, survey)]

    def _around(self, served: dict[str, Sequence[str]]) -> list[Errand]:
        connection, survey = self._connection, self._survey
        return [
            *surroundings.events(connection, survey),
            *surroundings.workloads(connection, survey),
            *calico.resources(connection, served),
            *surroundings.tables(connection, survey),
            *surroundings.settings(connection, survey),
        ]

    def _close(self, containers: list[details.Container]) -> list[Errand]:
        connection = self._connection
        pods, more_pods = chosen_pods(self._survey, self._scope.nodes)
        nodes, more_nodes = chosen_nodes(self._survey, self._scope.nodes)
        self._left_out("calico-node pods", more_pods)
        self._left_out("nodes", more_nodes)
        return [
            *(details.pod(connection, pod, containers) for pod in pods),
            *(details.node(connection, node) for node in nodes),
            *(errand for node in nodes for errand in kubelet.answers(connection, node)),
        ]

    def _logs(self, containers: list[details.Container]) -> list[Errand]:
        """In an order of their own: that in which the pods arrived is chance."""
        ordered = sorted(containers, key=lambda container: (container.namespace, container.pod))
        logs = (details.logs(self._connection, container, self._scope.since) for container in ordered)
        return [errand for errands in logs for errand in errands]

    def _left_out(self, what: str, count: int) -> None:
        if count:
            why = f"{count:,} more are as sick and were not looked at closely"
            self._collected.failed.append(Unreadable(what, why, "calivet --node NAME"))

    def _run(self, phase: str, errands: Sequence[Errand]) -> None:
        self._progress.phase(phase, len(errands))
        for outcome in run(errands, self._patience, self._progress.step):
            self._take(outcome)

    def _take(self, outcome: Outcome) -> None:
        errand = outcome.errand
        if outcome.failure and (outcome.errand.node not in self._silent or not outcome.silent):
            self._collected.failed.append(outcome.failure)
        if outcome.silent and outcome.errand.node:
            self._silent.add(outcome.errand.node)
        took = round(outcome.seconds, 3)
        self._collected.requests.append(Request(errand.name, errand.command, took, len(outcome.lines)))
        self._add(errand.name, errand.command, outcome.lines)

    def _add_overview(self) -> None:
        for name, command, lines in overview(self._survey):
            self._add(name, command, lines)

    def _add(self, name: str, command: str | None, lines: Iterable[str]) -> None:
        """The prompt says which command prints the same; a reader of the file knows at once what he sees."""
        if text := "\n".join(lines):
            head = [f"$ {command}"] if command else []
            self._collected.documents.append(Document(name, [*head, *clean(text)], whole=True))


def merged(failed: Sequence[Unreadable]) -> list[Unreadable]:
    """Many documents that one permission or one dead kubelet keeps away are one complaint."""
    alike: dict[str, list[Unreadable]] = {}
    for item in failed:
        alike.setdefault(item.why, []).append(item)
    found = []
    for why, items in alike.items():
        more = f" (+{len(items) - SHOWN})" if len(items) > SHOWN else ""
        found.append(Unreadable(", ".join(item.what for item in items[:SHOWN]) + more, why, items[0].help))
    return found

"""Kubernetes objects as kubectl shows them, in tables, describe pages, YAML or JSON."""

from __future__ import annotations

from datetime import datetime

from msgspec import field

from calivet.evidence.artifact import Line
from calivet.facts.fact import Fact, Scalar


class Pod(Fact, frozen=True, kw_only=True):
    """A pod as one piece of output shows it; the same pod may be seen many times."""

    name: str
    namespace: str | None = None
    node: str | None = None
    ready: int | None = None
    containers: int | None = None
    status: str | None = None
    """The STATUS column's word (Init:0/3, CrashLoopBackOff, Running) or the phase."""
    restarts: int | None = None
    last_restart: float | None = None
    """Seconds before the observation."""
    age: float | None = None
    ip: str | None = None
    started: datetime | None = None
    labels: dict[str, str] = field(default_factory=dict)
    owner: str | None = None
    """Controlled By, as DaemonSet/calico-node."""
    conditions: dict[str, str] = field(default_factory=dict)


class CutRow(Fact, frozen=True, kw_only=True):
    """A table ends in the middle of this row."""

    name: str


class Container(Fact, frozen=True, kw_only=True):
    """A container's state inside a pod."""

    name: str
    pod: str | None = None
    init: bool = False
    image: str | None = None
    state: str | None = None
    """running, waiting, terminated."""
    reason: str | None = None
    message: str | None = None
    exit_code: int | None = None
    started: datetime | None = None
    finished: datetime | None = None
    last_state: str | None = None
    last_reason: str | None = None
    last_exit_code: int | None = None
    last_started: datetime | None = None
    last_finished: datetime | None = None
    ready: bool | None = None
    restarts: int | None = None
    memory_limit: str | None = None


# SIGBUS and SIGSEGV, as a shell counts them.
_CRASHES = (135, 139)


def has_crashed(container: Container) -> bool:
    """Whether the kernel ended it for what its program did to memory: it can have said nothing of its errand."""
    return (container.exit_code or container.last_exit_code) in _CRASHES


class PodCount(Fact, frozen=True, kw_only=True):
    """The pods of a node, where they are too many to list."""

    node: str
    pods: int
    ready: int
    waiting: int
    """Not running, and without an address."""


class Probe(Fact, frozen=True, kw_only=True):
    """A liveness, readiness or startup probe. Seconds; None where not set or not shown."""

    kind: str
    """liveness, readiness, startup."""
    action: str
    """exec, http, tcp."""
    target: str
    """The command line, or URL."""
    pod: str | None = None
    container: str | None = None
    delay: float | None = None
    timeout: float | None = None
    period: float | None = None
    failures: int | None = None


class Event(Fact, frozen=True, kw_only=True):
    """A Kubernetes event; repeats are one event with a count."""

    reason: str
    message: str
    type: str | None = None
    kind: str | None = None
    """The object's kind in lower case: pod, node, daemonset."""
    object: str | None = None
    namespace: str | None = None
    node: str | None = None
    """The node of the reporting kubelet, where it is shown."""
    source: str | None = None
    age: float | None = None
    """Seconds since it was last seen."""
    over: float | None = None
    """Seconds since it was first seen."""
    last: datetime | None = None
    """When it was last seen, where its time is told and not its age; then `over` is how long it went on before."""
    count: int = 1


class Condition(Fact, frozen=True, kw_only=True):
    """A condition of an object: a node's Ready, a TigeraStatus' Degraded."""

    kind: str
    """The object's kind in lower case."""
    object: str
    type: str
    status: str
    reason: str | None = None
    message: str | None = None
    since: datetime | None = None
    heard: datetime | None = None
    """When it was last reported, which for a node is now."""


class Node(Fact, frozen=True, kw_only=True):
    """A Kubernetes node as one piece of output shows it."""

    name: str
    ready: bool | None = None
    status: str | None = None
    """The STATUS column: Ready,SchedulingDisabled."""
    roles: str | None = None
    version: str | None = None
    internal_ip: str | None = None
    os: str | None = None
    kernel: str | None = None
    runtime: str | None = None
    """As docker://18.9.7."""
    arch: str | None = None
    pod_cidr: str | None = None
    age: float | None = None
    taints: tuple[str, ...] = ()
    labels: dict[str, str] = field(default_factory=dict)
    annotations: dict[str, str] = field(default_factory=dict)


class Object(Fact, frozen=True, kw_only=True):
    """Any object from YAML or JSON, or a fragment of one, flattened to path -> scalar.

    Paths look like spec.containers[0].image; a fragment has kind None and paths from where it begins.
    """

    kind: str | None = None
    name: str | None = None
    namespace: str | None = None
    api: str | None = None
    values: dict[str, Scalar] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
    """The line of each path in the original document."""
    partial: bool = False
    """Whether only some of its fields were printed, so that one which is missing may well be set."""

    def find_line_of(self, path: str, words: str = "") -> Line:
        """The line that sets a path, quoted in the same words whatever the format: `path: value` if none are given."""
        words = words or f"{path}: {self.values[path]}"
        return Line(self.at.artifact, self.lines.get(path, self.at.number), words)


class Row(Fact, frozen=True, kw_only=True):
    """A row of a table for which no narrower fact exists; cells by their header."""

    resource: str | None = None
    """What kubectl was asked for, in singular lower case (service, daemonset, endpoints), where known."""
    name: str | None = None
    namespace: str | None = None
    cells: dict[str, str] = field(default_factory=dict)


class DefinedKinds(Fact, frozen=True, kw_only=True):
    """Calico's kinds in a whole list of custom resource definitions, in plural."""

    kinds: tuple[str, ...]


class UnknownKind(Fact, frozen=True, kw_only=True):
    """A kind, in lower case, that the API server did not know when somebody asked for it."""

    kind: str


class DefinitionMade(Fact, frozen=True, kw_only=True):
    """kubectl made a custom resource definition, or found it as it should be."""

    plural: str


class EtcdServers(Fact, frozen=True, kw_only=True):
    """The machines on which the API server looks for etcd."""

    hosts: tuple[str, ...]


class RangeSetting(Fact, frozen=True, kw_only=True):
    """A range of addresses that a part of Kubernetes was given for pods or services."""

    cidr: str
    services: bool
    who: str
    """kubeadm, kube-proxy, Kubernetes."""


class StatedRange(Fact, frozen=True, kw_only=True):
    """A range of addresses that an author says pods or machines have."""

    cidr: str
    of_pods: bool


class ServerCheck(Fact, frozen=True, kw_only=True):
    """One of the checks by which the API server tells whether it is ready."""

    name: str
    """ping, etcd, poststarthook/rbac/bootstrap-roles..."""
    ok: bool

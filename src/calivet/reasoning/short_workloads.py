"""DaemonSets and Deployments of Calico, and of what it needs, that have fewer ready pods than they want."""

from __future__ import annotations

import operator
from collections.abc import Iterator

from calivet.facts.cluster_facts import ClusterFacts, is_sick
from calivet.facts.fact import latest_of
from calivet.facts.kubernetes import Object, Row
from calivet.messages.message import find_words
from calivet.messages.words import Words
from calivet.reasoning.diagnosis import Doubt
from calivet.search.expressions import expression

_AGENTS = ("calico-node", "canal", "rke2-canal", "calico", "rke2-calico")
_HELPERS = expression(
    r"calico-[a-z-]+|tigera-operator|(?:rke2-)?(?:rke2-)?coredns(?:-rke2-coredns)?|kube-dns|kube-proxy"
)
_RATIO = expression(r"(?P<ready>\d+)/(?P<wanted>\d+)")
_STATUS = {
    "DaemonSet": ("status.numberReady", "status.desiredNumberScheduled"),
    "Deployment": ("status.readyReplicas", "spec.replicas"),
}


def is_agent(name: str | None) -> bool:
    """Whether this is the name of the DaemonSet whose pods are calico-node."""
    return (name or "") in _AGENTS


def count_complete_agents(picture: ClusterFacts) -> int:
    """How many calico-node pods a DaemonSet wants that has them all ready; none where none is shown so."""
    rows = latest_of(picture.all(Row), lambda row: (row.resource, row.namespace, row.name))
    shown = [_count_row(row) for row in rows if row.resource == "daemonset" and is_agent(row.name)]
    things = latest_of(picture.all(Object), lambda thing: (thing.kind, thing.namespace, thing.name))
    shown += [_count_object(thing) for thing in things if thing.kind == "DaemonSet" and is_agent(thing.name)]
    return sum(wanted for _, wanted in shown) if all(ready >= wanted for ready, wanted in shown) else 0


def find_short_workloads(picture: ClusterFacts) -> Iterator[Doubt]:
    """As tables and as objects show them."""
    for row in latest_of(picture.all(Row), lambda row: (row.resource, row.namespace, row.name)):
        if row.resource in ("daemonset", "deployment") and _matters(row.name):
            ready, wanted = _count_row(row)
            if ready < wanted:
                yield Doubt(_tell(row.name or "", ready, wanted), row.at)
    for thing in latest_of(picture.all(Object), lambda thing: (thing.kind, thing.namespace, thing.name)):
        if thing.kind in _STATUS and _matters(thing.name):
            ready, wanted = _count_object(thing)
            if ready < wanted:
                yield Doubt(_tell(thing.name or "", ready, wanted), thing.at)


YOUNG = 120
"""Seconds in which a pod of calico-node has time to become ready."""


def describe_rollout(picture: ClusterFacts) -> Words | None:
    """Where nothing is wrong with calico-node but that its pods have only just been made."""
    latest = picture.list_latest_pods("calico-node")
    waiting = [pod for pod in latest if is_sick(pod)]
    ages = [pod.age for pod in waiting if pod.age is not None and not pod.restarts]
    is_short = any(is_agent(row.name) and operator.lt(*_count_row(row)) for row in picture.all(Row))
    if not is_short or not waiting or len(ages) < len(waiting) or max(ages) > YOUNG:
        return None
    ready, wanted, oldest = len(latest) - len(waiting), len(latest), max(ages)
    return find_words("doubt.rolling_out", ready=ready, wanted=wanted, oldest=f"{oldest:.0f}")


def _matters(name: str | None) -> bool:
    return is_agent(name) or _HELPERS.fullmatch(name or "") is not None


def _count_row(row: Row) -> tuple[int, int]:
    """Ready and wanted; equal where the table does not tell."""
    if ratio := _RATIO.fullmatch(row.cells.get("READY", "")):
        return int(ratio["ready"]), int(ratio["wanted"])
    counts = [row.cells.get(column, "") for column in ("READY", "DESIRED")]
    return (int(counts[0]), int(counts[1])) if all(count.isdigit() for count in counts) else (0, 0)


def _count_object(thing: Object) -> tuple[int, int]:
    """An API server leaves a count of nothing out, so what is absent from a status that is shown is none."""
    if not any(key.startswith("status.") for key in thing.values):
        return 0, 0
    ready, wanted = (thing.values.get(key) for key in _STATUS[thing.kind or ""])
    return (ready if isinstance(ready, int) else 0), (wanted if isinstance(wanted, int) else 0)


def _tell(name: str, ready: int, wanted: int) -> Words:
    return find_words("doubt.workload.short", name=name, ready=ready, wanted=wanted)

"""What happened lately: the unrest of the applications, and calico-node that is started again and again."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from bench.big_cluster.addresses import uid
from bench.big_cluster.workloads import pods, sick_pods
from tests.e2e.scenarios.events import event
from tests.e2e.scenarios.moments import ago, written

EVENTS = 5_000
USUAL = (
    ("Scheduled", "Successfully assigned {namespace}/{name} to {node}"),
    ("Pulled", 'Container image "registry.example.com/shop/service:2024.11.3-4-g1f2e3d4" already present on machine'),
    ("Unhealthy", "Readiness probe failed: HTTP probe failed with statuscode: 503"),
    ("Started", "Started container server"),
)


def events() -> Iterator[dict[str, Any]]:
    """All of them."""
    for number, pod in enumerate(islice(pods(), EVENTS)):
        reason, message = USUAL[number % len(USUAL)]
        about = {**pod["metadata"], "node": pod["spec"]["nodeName"]}
        yield _event(pod, reason, message.format(**about), number)
    for number, sick in enumerate(sick_pods(), EVENTS):
        told = f"Back-off restarting failed container calico-node in pod {sick.name}_{sick.namespace}"
        yield _event(sick.object(), "BackOff", told, number)


def _event(about: dict[str, Any], reason: str, message: str, number: int) -> dict[str, Any]:
    made = event(about, reason, message, 1 + number % 7, ago(minutes=number % 55), number)
    made["metadata"] |= {"uid": uid("event", number), "creationTimestamp": written(ago(hours=1))}
    return made

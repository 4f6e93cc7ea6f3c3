"""What befell a pod once, a while ago, and is over: the pod was never seen but in good state.

Every start has its first seconds: a volume that is not there yet, a probe that came too early, a sandbox that had to
be made twice. Such events stay in the list for an hour and tell nothing of a cluster that works.
"""

from __future__ import annotations

from collections.abc import Mapping

from calivet.facts.kubernetes import Event, Pod
from calivet.facts.picture import Picture, is_healthy
from calivet.signs.patterns import Key
from calivet.signs.sighting import Sighting

A_WHILE = 300.0
"""Seconds since it was last seen."""
ONCE = 3
"""What was seen more often than this may come again."""


def still_telling(seen: Mapping[Key, list[Sighting]], picture: Picture) -> dict[Key, list[Sighting]]:
    """All but what is over."""
    well = _only_seen_well(picture)
    over = {
        (event.at.artifact, event.at.number)
        for event in picture.all(Event)
        if event.object in well and (event.age or 0) >= A_WHILE and event.count <= ONCE
    }
    left = {
        key: [one for one in found if (one.line.artifact, one.line.number) not in over] for key, found in seen.items()
    }
    return {key: found for key, found in left.items() if found}


def _only_seen_well(picture: Picture) -> set[str]:
    """Pods that never restarted and were never seen otherwise than ready."""
    pods: dict[str, bool] = {}
    for pod in picture.all(Pod):
        pods[pod.name] = pods.get(pod.name, True) and is_healthy(pod) and not pod.restarts
    return {name for name, is_well in pods.items() if is_well}

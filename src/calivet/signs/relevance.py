"""Leaves out sightings that say nothing of this cluster: of other platforms, of the probe itself, of what is over."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import datetime

from calivet.catalogue.model import Catalogue
from calivet.evidence.artifact import Artifact
from calivet.facts.cluster_facts import ClusterFacts, is_healthy
from calivet.facts.host import NodeProbe
from calivet.facts.kubernetes import Event, Pod, PodCount
from calivet.facts.machines import find_strangers
from calivet.facts.platform import find_platform
from calivet.facts.times import count_seconds_between, find_last_time, find_time_of_line
from calivet.forecast.releases import find_running_release
from calivet.search.expressions import expression
from calivet.signs.sighting import Key, Sighting, list_observations


def drop_other_platforms(
    seen: Mapping[Key, list[Sighting]], catalogue: Catalogue, cluster: ClusterFacts
) -> dict[Key, list[Sighting]]:
    """The sightings of what nothing known of the platform and of Calico's release contradicts."""
    platform, release = find_platform(cluster), find_running_release(cluster)
    impossible = {cause.id for cause in catalogue.causes.values() if not platform.fits(cause.when)}
    unfitting = {
        item.key
        for item in list_observations(catalogue)
        if not platform.fits(item.what.when) or not release.may_be_between(item.what.since, item.what.until)
    }
    return {key: found for key, found in seen.items() if key.owner not in impossible and key not in unfitting}


def drop_unaccompanied(seen: Mapping[Key, list[Sighting]], catalogue: Catalogue) -> dict[Key, list[Sighting]]:
    """Without the signs that tell nothing alone, where nothing else speaks for their cause on that node."""
    kept = dict(seen)
    for cause in catalogue.causes.values():
        hints = [key for sign in cause.signs if sign.speaks == "beside" and (key := Key(cause.id, sign.id)) in kept]
        if not hints:
            continue
        others = [Key(cause.id, sign.id) for sign in cause.signs if sign.speaks == "alone"]
        nodes = {one.node for key in others for one in kept.get(key, ())}
        for key in hints:
            kept[key] = [one for one in kept[key] if nodes and (None in nodes or one.node is None or one.node in nodes)]
    return {key: found for key, found in kept.items() if found}


_ROOT = ("root", "0")
# In a log, which begins its lines with the time, somebody else was refused.
_REFUSED = expression(
    r"(?!\[?\d{4}-\d\d|[A-Z][a-z]{2} +\d|[IWEF]\d{4} |time=).*(?:permission denied|not permitted|must be root)",
    re.IGNORECASE,
)


def drop_probe_noise(seen: Mapping[Key, list[Sighting]], cluster: ClusterFacts) -> dict[Key, list[Sighting]]:
    """Without what a probe saw on machines that are no nodes, and without refusals to the probe itself."""
    others = find_strangers(cluster)
    unprivileged = {probe.at.artifact for probe in cluster.all(NodeProbe) if probe.user not in _ROOT}

    def counts(one: Sighting) -> bool:
        return one.node not in others and not (
            one.line.artifact in unprivileged and _REFUSED.match(one.line.text) is not None
        )

    kept = {key: [one for one in found if counts(one)] for key, found in seen.items()}
    return {key: found for key, found in kept.items() if found}


# Whom the API server could not reach, where it says so: a kubelet, a webhook.
_OF_OTHERS = expression(r":10250\b|failed calling webhook|\bfailed to call webhook")
_ABOUT_SERVER = "apiserver-down"


def drop_words_about_others(seen: Mapping[Key, list[Sighting]]) -> dict[Key, list[Sighting]]:
    """Without the API server's own words about somebody else: whoever says them is not down himself."""
    kept = {
        key: [one for one in found if key.owner != _ABOUT_SERVER or not _OF_OTHERS.search(one.line.text)]
        for key, found in seen.items()
    }
    return {key: found for key, found in kept.items() if found}


A_WHILE = 300.0
"""Seconds since it was last seen."""
ONCE = 3
"""What was seen more often than this may come again."""
START = 90.0
"""Seconds in which a pod comes up."""
STARTED = 15.0
"""Seconds without it: the next probe did not fail."""
ON_THE_WAY = ("FailedCreatePodSandBox", "NetworkNotReady", "FailedMount", "FailedScheduling")
"""What befalls a pod before its containers run: whose do is past it, however short a while ago it was."""


def drop_recovered(seen: Mapping[Key, list[Sighting]], cluster: ClusterFacts) -> dict[Key, list[Sighting]]:
    """Without what befell a pod once, a while ago, if the pod was never seen but in good state.

    Every start has its first seconds: a volume that is not there yet, a probe that came too early, a sandbox that had
    to be made twice. Such events stay in the list for an hour and tell nothing of a cluster that works.
    """
    ages = _measure_steady_pods(cluster)
    served = {count.node for count in cluster.all(PodCount) if not count.waiting}
    over = {
        (event.at.artifact, event.at.number)
        for event in cluster.all(Event)
        if event.count <= ONCE
        and (
            (event.object in ages and _is_past(event, ages[event.object]))
            or (event.reason in ON_THE_WAY and _is_replaced(event.object, ages, cluster))
            or (event.reason == ON_THE_WAY[0] and event.node in served)
        )
    }
    left = {
        key: [one for one in found if (one.line.artifact, one.line.number) not in over] for key, found in seen.items()
    }
    return drop_overcome({key: found for key, found in left.items() if found}, cluster)


def _is_past(event: Event, pod_age: float | None) -> bool:
    """Whether it is long ago, or of the pod's first seconds, or of its way to where it is now."""
    if event.reason in ON_THE_WAY or (event.age or 0) >= A_WHILE:
        return True
    return event.age is not None and pod_age is not None and event.age >= STARTED and pod_age - event.age <= START


def _is_replaced(name: str | None, ages: Mapping[str | None, float | None], cluster: ClusterFacts) -> bool:
    """Whether the pod is gone, and all that there are of its kind were never seen but in good state."""
    kind = (name or "").rpartition("-")[0]
    now = {pod.name for pod in cluster.all(Pod) if kind and pod.name.rpartition("-")[0] == kind}
    return bool(now) and name not in now and all(one in ages for one in now)


AT_WORK = Key("calico-at-work", "0")
RETRY = 20.0
"""Seconds within which whoever asked in vain for a pod's network has asked again."""


def drop_overcome(seen: Mapping[Key, list[Sighting]], cluster: ClusterFacts) -> dict[Key, list[Sighting]]:
    """Without what the CNI plugin's log says before a pod got its address all the same, and not any more since.

    A node that starts has pods waiting before Calico is up, and a fault that was mended stays in the log for months.
    """
    worked = {key: last for key, last in _list_last_successes(seen.get(AT_WORK, ()), cluster).items() if last}

    def is_over(one: Sighting) -> bool:
        artifact = cluster.artifact(one.line)
        if artifact is None or not (success := worked.get(id(artifact))):
            return False
        time, end = find_time_of_line(artifact, one.line), _find_end(artifact, cluster)
        quiet = count_seconds_between(time, end) if time and end else None
        return bool(time and quiet is not None and quiet >= RETRY and (count_seconds_between(time, success) or -1) > 0)

    left = {key: found if key == AT_WORK else [one for one in found if not is_over(one)] for key, found in seen.items()}
    return {key: found for key, found in left.items() if found}


def _list_last_successes(successes: Iterable[Sighting], cluster: ClusterFacts) -> dict[int, datetime | None]:
    """By the plugin's log: when a pod last got its address."""
    logs: dict[int, datetime | None] = {}
    for one in successes:
        artifact = cluster.artifact(one.line)
        if artifact and "cni-plugin/" in one.line.text:
            logs[id(artifact)] = find_time_of_line(artifact, one.line)
    return logs


def _find_end(artifact: Artifact, cluster: ClusterFacts) -> datetime | None:
    """When the log was read, where the probe that read it says so; else its own last moment."""
    for probe in cluster.all(NodeProbe):
        if probe.time and probe.at.artifact == artifact.name:
            return probe.time.replace(tzinfo=None)
    return find_last_time(artifact)


def _measure_steady_pods(cluster: ClusterFacts) -> dict[str | None, float | None]:
    """The age of each pod that never restarted and was never seen otherwise than ready."""
    pods: dict[str, bool] = {}
    ages: dict[str | None, float | None] = {}
    for pod in cluster.all(Pod):
        pods[pod.name] = pods.get(pod.name, True) and is_healthy(pod) and not pod.restarts
        ages[pod.name] = pod.age if pod.age is not None else ages.get(pod.name)
    return {name: age for name, age in ages.items() if name and pods[name]}

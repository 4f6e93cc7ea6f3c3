"""Signs in image pulls: one that failed and was made good is no fault, one without an end may be."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from calivet.facts.cluster_facts import ClusterFacts, once
from calivet.facts.fact import Setting
from calivet.facts.kubernetes import Event, Pod
from calivet.facts.roles import find_role_of_name, is_calico_image
from calivet.facts.runtime import ImageList
from calivet.facts.vocabulary.commands import picks_pull_events
from calivet.facts.vocabulary.messages import (
    find_failed_image,
    find_missing_sandbox_image,
    find_pulling_image,
    present_image,
)
from calivet.signs.sighting import Sighting

_WAITING = ("Init:", "Pending", "ContainerCreating", "PodInitializing")
LONG = 300.0
"""Seconds that an image of Calico, a few hundred megabytes at most, seldom takes."""


def find_pulled_in_the_end(cluster: ClusterFacts) -> Iterator[Sighting]:
    """Every image whose pull is seen failing was got by the same pod afterwards."""
    failed: dict[tuple[str | None, str], Event] = {}
    there: dict[tuple[str | None, str], Event] = {}
    for event in cluster.all(Event):
        if image := find_failed_image(event.message):
            failed[event.object, image] = event
        if image := present_image(event.message):
            there[event.object, image] = event
    waiting = any("Image" in (pod.status or "") for pod in cluster.list_latest_pods("calico-node"))
    if failed and not waiting and all(_is_later(there.get(key), event) for key, event in failed.items()):
        for key in failed:
            yield Sighting(line=there[key].at, node=cluster.find_node_of_pod(key[0]), values={"image": key[1]})


def find_pull_unfinished(cluster: ClusterFacts) -> Iterator[Sighting]:
    """The last that is told of a pod of Calico's is that its pull began, minutes ago; no end and no error followed."""
    for event, image in _list_unfinished_pulls(cluster):
        values = {"image": image, "minutes": f"{(event.age or 0) / 60:.0f}"}
        yield Sighting(line=event.at, node=event.node or cluster.find_node_of_pod(event.object), values=values)


def find_pulled_image_absent(cluster: ClusterFacts) -> Iterator[Sighting]:
    """The node's own list of images does not have the one whose pull was seen to begin."""
    lists: dict[str | None, list[ImageList]] = defaultdict(list)
    for one in cluster.all(ImageList):
        lists[cluster.names.find_node_or_host(one.host)].append(one)
    for event, image in _list_unfinished_pulls(cluster):
        node = event.node or cluster.find_node_of_pod(event.object) or ""
        for listed in lists.get(node, ()):
            if listed.lacks(image):
                yield Sighting(line=listed.at, node=node, values={"image": image})


@once
def _list_unfinished_pulls(cluster: ClusterFacts) -> list[tuple[Event, str]]:
    last: dict[str, Event] = {}
    for event in cluster.all(Event):
        name = event.object
        if name and event.kind in (None, "pod") and (name not in last or _is_later(event, last[name])):
            last[name] = event
    status = {pod.name: pod.status for pod in cluster.all(Pod) if pod.status}
    found = []
    for name, event in last.items():
        image = find_pulling_image(event.message)
        if not image or (event.age or 0) < LONG or picks_pull_events(cluster.find_command_of(event.at)):
            continue
        calico = find_role_of_name(name) == "calico-node" or is_calico_image(image)
        if calico and status.get(name, "Pending").startswith(_WAITING):
            found.append((event, image))
    return found


def _is_later(there: Event | None, failed: Event) -> bool:
    """Events tell how long ago they were last seen: the smaller number is the later one, else the lower line."""
    if there is None:
        return False
    if there.age is None or failed.age is None or there.age == failed.age:
        return there.at.number > failed.at.number
    return there.age < failed.age


_KEYS = ("sandbox_image", "pause_image")


def find_sandbox_image_differs(cluster: ClusterFacts) -> Iterator[Sighting]:
    """The image that cannot be had is set on this node, while another node names another one."""
    missing = {find_missing_sandbox_image(event.message) for event in cluster.all(Event)} - {None}
    settings = [one for one in cluster.all(Setting) if one.key in _KEYS and one.value and one.host]
    telling = _select_distinct(settings)
    for here in settings:
        if here.value not in missing:
            continue
        if other := next((one for one in telling if one.host != here.host and one.value != here.value), None):
            values = {"image": str(here.value), "other": str(other.value)}
            yield Sighting(line=here.at, node=cluster.names.find_node_or_host(here.host), values=values)


def _select_distinct(settings: list[Setting]) -> list[Setting]:
    """The first two machines with each image: whoever one compares, one of the two is another."""
    hosts: dict[object, set[str | None]] = defaultdict(set)
    found = []
    for one in settings:
        if len(hosts[one.value]) < 2 and one.host not in hosts[one.value]:
            hosts[one.value].add(one.host)
            found.append(one)
    return found


SIGNS = {
    "pulled-in-the-end": find_pulled_in_the_end,
    "pull-unfinished": find_pull_unfinished,
    "pulled-image-absent": find_pulled_image_absent,
    "sandbox-image-differs": find_sandbox_image_differs,
}

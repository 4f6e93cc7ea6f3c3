"""Signs in the events of image pulls: one that failed and was made good is no fault, one without an end may be."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from calivet.evidence.artifact import Artifact
from calivet.evidence.expressions import expression
from calivet.facts.kubernetes import Event, Pod
from calivet.facts.picture import Picture, once
from calivet.facts.roles import role_of_name
from calivet.signs.sighting import Sighting

_FAILED = expression(r"(?:Failed to pull image|Back-off pulling image) \"(?P<image>[^\"]+)\"")
_THERE = expression(r"(?:Successfully pulled image|Container image) \"(?P<image>[^\"]+)\"")
_PULLING = expression(r"[Pp]ulling image \"(?P<image>[^\"]+)\"")
_OF_CALICO = expression(r"calico|tigera|canal|typha|flexvol")
_WAITING = ("Init:", "Pending", "ContainerCreating", "PodInitializing")
# Events that were picked by hand or cut off at the end do not tell what came last.
_PICKED = expression(r"\|\s*head\b|grep[^|]*[Pp]ulling\b|reason=Pulling")
_LISTS = expression(
    r"\b(?:crictl|docker|nerdctl|ctr)(?: -\S+(?: [\w./:]+)?)*? (?:images?|i)(?: (?:ls|list))?(?: -\S+)*\s*"
    r"(?:\|\s*[ef]?grep\s+(?:-\w+\s+)*(?P<filter>\S+)\s*)?$"
)
_WORD = expression(r"[\w./-]+")
LONG = 300.0
"""Seconds that an image of Calico, a few hundred megabytes at most, seldom takes."""


def pulled_in_the_end(picture: Picture) -> Iterator[Sighting]:
    """Every image whose pull is seen failing was got by the same pod afterwards."""
    failed: dict[tuple[str | None, str], Event] = {}
    there: dict[tuple[str | None, str], Event] = {}
    for event in picture.all(Event):
        for pattern, found in ((_FAILED, failed), (_THERE, there)):
            if image := pattern.search(event.message):
                found[event.object, image["image"]] = event
    waiting = any("Image" in (pod.status or "") for pod in picture.latest_pods("calico-node"))
    if failed and not waiting and all(_later(there.get(key), event) for key, event in failed.items()):
        for key in failed:
            yield Sighting(line=there[key].at, node=picture.node_of_pod(key[0]), values={"image": key[1]})


def pull_unfinished(picture: Picture) -> Iterator[Sighting]:
    """The last that is told of a pod of Calico's is that its pull began, minutes ago; no end and no error followed."""
    for event, image in _unfinished(picture):
        values = {"image": image, "minutes": f"{(event.age or 0) / 60:.0f}"}
        yield Sighting(line=event.at, node=event.node or picture.node_of_pod(event.object), values=values)


def pulled_image_absent(picture: Picture) -> Iterator[Sighting]:
    """The node's own list of images does not have the one whose pull was seen to begin."""
    lists: dict[str, list[Artifact]] = defaultdict(list)
    for artifact in picture.artifacts:
        if artifact.host and _LISTS.search(artifact.command or ""):
            lists[picture.names.node(artifact.host) or artifact.host].append(artifact)
    for event, image in _unfinished(picture):
        node = event.node or picture.node_of_pod(event.object) or ""
        for artifact in lists.get(node, ()):
            if _lacks(artifact, image):
                yield Sighting(line=artifact.at(0), node=node, order=artifact.order, values={"image": image})


@once
def _unfinished(picture: Picture) -> list[tuple[Event, str]]:
    last: dict[str, Event] = {}
    for event in picture.all(Event):
        name = event.object
        if name and event.kind in (None, "pod") and (name not in last or _later(event, last[name])):
            last[name] = event
    status = {pod.name: pod.status for pod in picture.all(Pod) if pod.status}
    found = []
    for name, event in last.items():
        pulling = _PULLING.search(event.message)
        around = picture.artifact(event.at)
        if not pulling or (event.age or 0) < LONG or (around and _PICKED.search(around.command or "")):
            continue
        calico = role_of_name(name) == "calico-node" or _OF_CALICO.search(pulling["image"])
        if calico and status.get(name, "Pending").startswith(_WAITING):
            found.append((event, pulling["image"]))
    return found


def _lacks(artifact: Artifact, image: str) -> bool:
    """Whether this is a list of images in which it would stand; a filter must be one that lets it through."""
    command = artifact.command or ""
    listed = _LISTS.search(command)
    word = _WORD.search(listed["filter"]) if listed and listed["filter"] else None
    if not listed or (listed["filter"] and not (word and word[0] in image)):
        return False
    *path, last = image.partition("@")[0].split("/")
    name, _, tag = last.partition(":")
    short = "/".join([*path[-1:], name])
    rows = [line for line in artifact.lines if command not in line]
    headed = any("IMAGE" in row or "REF" in row for row in rows)
    return (headed or word is not None) and not any(short in row and tag in row for row in rows)


def _later(there: Event | None, failed: Event) -> bool:
    """Events tell how long ago they were last seen: the smaller number is the later one, else the lower line."""
    if there is None:
        return False
    if there.age is None or failed.age is None or there.age == failed.age:
        return there.at.number > failed.at.number
    return there.age < failed.age


SIGNS = {
    "pulled-in-the-end": pulled_in_the_end,
    "pull-unfinished": pull_unfinished,
    "pulled-image-absent": pulled_image_absent,
}

"""Signs in the events of image pulls: one that failed and was made good is no fault any more."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.evidence.expressions import expression
from calivet.facts.kubernetes import Event
from calivet.facts.picture import Picture
from calivet.signs.sighting import Sighting

_FAILED = expression(r"(?:Failed to pull image|Back-off pulling image) \"(?P<image>[^\"]+)\"")
_THERE = expression(r"(?:Successfully pulled image|Container image) \"(?P<image>[^\"]+)\"")


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


def _later(there: Event | None, failed: Event) -> bool:
    """Events tell how long ago they were last seen: the smaller number is the later one, else the lower line."""
    if there is None:
        return False
    if there.age is None or failed.age is None or there.age == failed.age:
        return there.at.number > failed.at.number
    return there.age < failed.age


SIGNS = {"pulled-in-the-end": pulled_in_the_end}

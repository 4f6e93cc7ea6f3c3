"""Signs in the image from which the runtime makes every pod's sandbox."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from calivet.evidence.expressions import expression
from calivet.facts.fact import Setting
from calivet.facts.kubernetes import Event
from calivet.facts.picture import Picture
from calivet.signs.sighting import Sighting

_KEYS = ("sandbox_image", "pause_image")
_NOT_HAD = expression(r"failed to get sandbox image \"(?P<image>[^\"]+)\"")


def sandbox_image_differs(picture: Picture) -> Iterator[Sighting]:
    """The image that cannot be had is set on this node, while another node names another one."""
    missing = {found["image"] for event in picture.all(Event) if (found := _NOT_HAD.search(event.message))}
    settings = [one for one in picture.all(Setting) if one.key in _KEYS and one.value and one.host]
    telling = _telling(settings)
    for here in settings:
        if here.value not in missing:
            continue
        if other := next((one for one in telling if one.host != here.host and one.value != here.value), None):
            values = {"image": str(here.value), "other": str(other.value)}
            yield Sighting(line=here.at, node=picture.names.node(here.host) or here.host, values=values)


def _telling(settings: list[Setting]) -> list[Setting]:
    """The first two machines with each image: whoever one compares, one of the two is another."""
    hosts: dict[object, set[str | None]] = defaultdict(set)
    found = []
    for one in settings:
        if len(hosts[one.value]) < 2 and one.host not in hosts[one.value]:
            hosts[one.value].add(one.host)
            found.append(one)
    return found


SIGNS = {"sandbox-image-differs": sandbox_image_differs}

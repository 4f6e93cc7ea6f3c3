"""Signs in the image from which the runtime makes every pod's sandbox."""

from __future__ import annotations

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
    for here in settings:
        others = [one for one in settings if one.host != here.host and one.value != here.value]
        if here.value in missing and others:
            values = {"image": str(here.value), "other": str(others[0].value)}
            yield Sighting(line=here.at, node=picture.names.node(here.host) or here.host, values=values)


SIGNS = {"sandbox-image-differs": sandbox_image_differs}

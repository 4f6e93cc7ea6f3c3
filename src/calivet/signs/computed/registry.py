"""Every computed sign by the name the catalogue uses."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from calivet.facts.picture import Picture
from calivet.signs.computed import pods
from calivet.signs.sighting import Sighting

Compute = Callable[[Picture], Iterator[Sighting]]

COMPUTED: dict[str, Compute] = {
    **pods.SIGNS,
}

"""Signs in what a cloud's own tool lists."""

from __future__ import annotations

import re
from collections.abc import Iterator

from calivet.evidence.expressions import expression
from calivet.facts.picture import Picture
from calivet.signs.sighting import Sighting

_ASKED = expression(r"SourceDestCheck", re.IGNORECASE)
_ADDRESS = r"\b(?:\d{1,3}\.){3}\d{1,3}\b"
_ON = expression(rf"(?P<address>{_ADDRESS}).*\btrue\b|\btrue\b.*(?P<behind>{_ADDRESS})", re.IGNORECASE)


def source_check_on(picture: Picture) -> Iterator[Sighting]:
    """A listing of machines says that the cloud checks the source of this one's packets."""
    for artifact in picture.artifacts:
        if not _ASKED.search(artifact.command or ""):
            continue
        for index, line in enumerate(artifact.lines[1:], 1):
            if found := _ON.search(line):
                address = found["address"] or found["behind"]
                yield Sighting(line=artifact.at(index), node=picture.names.node(address), values={"address": address})


SIGNS = {"source-check-on": source_check_on}

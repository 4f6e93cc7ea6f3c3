"""Leaves out what a probe saw that says nothing of a cluster: on machines that are no nodes, and refusals to itself."""

from __future__ import annotations

import re
from collections.abc import Mapping

from calivet.evidence.expressions import expression
from calivet.facts.host import NodeProbe
from calivet.facts.picture import Picture
from calivet.facts.strangers import strangers
from calivet.signs.patterns import Key
from calivet.signs.sighting import Sighting

_ROOT = ("root", "0")
# In a log, which begins its lines with the time, somebody else was refused.
_REFUSED = expression(
    r"(?!\[?\d{4}-\d\d|[A-Z][a-z]{2} +\d|[IWEF]\d{4} |time=).*(?:permission denied|not permitted|must be root)",
    re.IGNORECASE,
)


def of_members(seen: Mapping[Key, list[Sighting]], picture: Picture) -> dict[Key, list[Sighting]]:
    """The sightings without those."""
    others = strangers(picture)
    unprivileged = {probe.at.artifact for probe in picture.all(NodeProbe) if probe.user not in _ROOT}

    def counts(one: Sighting) -> bool:
        return one.node not in others and not (
            one.line.artifact in unprivileged and _REFUSED.match(one.line.text) is not None
        )

    kept = {key: [one for one in found if counts(one)] for key, found in seen.items()}
    return {key: found for key, found in kept.items() if found}

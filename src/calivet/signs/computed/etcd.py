"""Signs in the set of etcd members."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.facts.picture import Picture
from calivet.signs.sighting import Sighting


def even_etcd_members(picture: Picture) -> Iterator[Sighting]:
    """An even number of etcd members: one loss more costs the quorum, and two can lose their leader to each other."""
    members = picture.latest_pods("etcd")
    if members and len(members) % 2 == 0:
        values = {"count": str(len(members)), "members": ", ".join(pod.name for pod in members)}
        yield Sighting(line=members[0].at, values=values)


SIGNS = {"even-etcd-members": even_etcd_members}

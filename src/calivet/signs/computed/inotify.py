"""Signs in how many inotify instances are in use, where somebody counted them."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.evidence.expressions import expression
from calivet.facts.host import Sysctl
from calivet.facts.picture import Picture
from calivet.signs.sighting import Sighting

# find /proc/*/fd -lname anon_inode:inotify | wc -l; lsof | grep -c inotify; ... | sort | uniq -c
_COUNTS = expression(r"inotify\b.*(?:\bwc -l|\buniq -c)|grep (?:-\w+ )*-\w*c\w* \S*inotify")
_NUMBER = expression(r"^\s*(?P<number>\d{1,7})(?:\s+\S.*)?$")
_LIMIT = "fs.inotify.max_user_instances"
NEARLY = 0.9
SMALL = 1024
"""The count is of all users, the limit is for each: where it is large, the two have little to do with each other."""


def instances_near_limit(picture: Picture) -> Iterator[Sighting]:
    """As many descriptors of inotify are open as one user may have."""
    limits = {fact.host: int(fact.value) for fact in picture.all(Sysctl) if fact.key == _LIMIT and fact.value.isdigit()}
    for artifact in picture.artifacts:
        if not limits or artifact.prose or not _COUNTS.search(artifact.command or ""):
            continue
        counted = [int(found["number"]) for line in artifact.lines if (found := _NUMBER.match(line))]
        limit = limits.get(artifact.host)
        if counted and limit and limit <= SMALL and sum(counted) >= NEARLY * limit:
            values = {"count": str(sum(counted)), "limit": str(limit)}
            node = picture.names.node(artifact.host) or artifact.host
            yield Sighting(line=artifact.at(len(artifact.lines) - 1), node=node, order=artifact.order, values=values)


SIGNS = {"inotify-instances-near-limit": instances_near_limit}

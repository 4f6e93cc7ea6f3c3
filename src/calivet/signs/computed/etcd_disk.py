"""How long etcd waits for its disk, from the histograms among its metrics."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.evidence.artifact import Artifact
from calivet.evidence.expressions import expression
from calivet.facts.picture import Picture
from calivet.signs.sighting import Sighting

_BUCKET = expression(
    r"^etcd_disk_(?P<what>wal_fsync|backend_commit)_duration_seconds_bucket\{(?:[^}]*,)?le=\"(?P<within>[\d.]+|\+Inf)\""
    r"[^}]*\} (?P<count>\d+(?:\.\d+)?(?:e\+?\d{1,2})?)\s*$"
)
# With a good disk hardly any write takes longer; a tenth of them is what makes elections and time limits run out.
_LATE = (0.05, 0.13)
_SHARE = 0.1
_ENOUGH = 1000

Histogram = dict[float, tuple[float, int]]
"""How many took no longer than so many seconds, and the index of the line that says so."""


def waits_for_disk(picture: Picture) -> Iterator[Sighting]:
    """A tenth of etcd's writes took longer than an eighth of a second."""
    for artifact in picture.artifacts:
        for what, counts in _histograms(artifact).items():
            total, _ = counts.get(float("inf"), (0.0, 0))
            limits = [limit for limit in counts if _LATE[0] <= limit <= _LATE[1]]
            if total >= _ENOUGH and limits:
                in_time, index = counts[max(limits)]
                if (late := 1 - in_time / total) >= _SHARE:
                    node = picture.names.node(artifact.host)
                    values = {"what": what.replace("_", " "), "share": f"{late:.0%}", "limit": f"{max(limits):g} s"}
                    yield Sighting(line=artifact.at(index), node=node, order=artifact.order, values=values)


def _histograms(artifact: Artifact) -> dict[str, Histogram]:
    found: dict[str, Histogram] = {}
    for index, text in enumerate(artifact.lines if not artifact.prose else []):
        if bucket := _BUCKET.match(text):
            limit = float(bucket["within"].replace("+Inf", "inf"))
            found.setdefault(bucket["what"], {})[limit] = (float(bucket["count"]), index)
    return found


SIGNS = {"etcd-waits-for-disk": waits_for_disk}

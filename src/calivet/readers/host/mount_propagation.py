"""Whether mounts pass on what is mounted below them: `findmnt` with its column PROPAGATION, and mountinfo of /proc."""

from __future__ import annotations

import re
from collections.abc import Iterator

from calivet.evidence.artifact import Artifact
from calivet.evidence.expressions import expression
from calivet.facts.fact import Setting
from calivet.readers.command import asked, output_lines, paths
from calivet.readers.inside import inside
from calivet.readers.reader import Reader, Reading
from calivet.readers.subject import subjects

_KINDS = r"(?:private|shared|slave|unbindable)(?:,(?:private|shared|slave|unbindable))*"
_ROW = expression(rf"^[\s│├└─|`-]*(?P<target>/\S*)\s(?:.*\s)?(?P<kind>{_KINDS})(?=\s|$)")
_PAIRS = expression(rf'TARGET="(?P<target>[^"]+)".*\bPROPAGATION="(?P<kind>{_KINDS})"')
_JSON_TARGET = expression(r'"target"\s*:\s*"(?P<target>[^"]+)"')
_JSON_KIND = expression(rf'"propagation"\s*:\s*"(?P<kind>{_KINDS})"')
_ALONE = expression(rf"^\s*(?P<kind>{_KINDS})\s*$")
# 25 30 0:23 / /sys rw,nosuid,relatime shared:7 - sysfs sysfs rw
_MOUNTINFO = expression(
    r"^\s*\d+ \d+ \d+:\d+ \S+ (?P<target>/\S*) \S+ (?P<optional>(?:[a-z_]+(?::\d+)? )*)- (?P<type>\S+) "
)
_ASKED = expression(r"\bfindmnt\b.*PROPAGATION", re.IGNORECASE)
_HEADER = expression(r"\bTARGET\b.*\bPROPAGATION\b|\bPROPAGATION\b.*\bTARGET\b|\"propagation\"")
# The runtime's own namespace is the one that counts, and a node of kind is a container.
_AS_GOOD_AS_HOST = expression(
    r"\bnsenter\b.*(?:-t\s*1\b|dockerd|containerd|crio|kubelet)|\bexec\s.*-(?:control-plane|worker)\d*\s"
)
Shown = tuple[int, str, str]


def read(artifact: Artifact, anchors: list[int]) -> Reading:
    """One setting for each mount of the host; a container has mounts of its own, which are private anyway."""
    reading = Reading()
    place = inside(artifact)
    if place.pod or (place.apart and not asked(artifact, _AS_GOOD_AS_HOST)):
        return reading
    machines = subjects(artifact)
    for index, target, kind in [*_table(artifact, anchors), *_mountinfo(artifact)]:
        reading.claim(index, index + 1)
        host = machines.at(index)
        reading.facts.append(Setting(at=artifact.at(index), host=host, program="mount", key=target, value=kind))
    return reading


def _table(artifact: Artifact, anchors: list[int]) -> Iterator[Shown]:
    """What findmnt shows, in any of its layouts; the same words elsewhere mean something else."""
    if not asked(artifact, _ASKED) and not any(_HEADER.search(artifact.lines[index]) for index in anchors):
        return
    only, above = paths(artifact), None
    for index, line in output_lines(artifact):
        above = _JSON_TARGET.search(line) or above
        if row := _ROW.match(line) or _PAIRS.search(line):
            yield index, row["target"], row["kind"]
        elif above and (kind := _JSON_KIND.search(line)):
            yield index, above["target"], kind["kind"]
        elif len(only) == 1 and (alone := _ALONE.match(line)):
            yield index, only[0], alone["kind"]


def _mountinfo(artifact: Artifact) -> Iterator[Shown]:
    """The kernel's own words: a mount without any of them passes nothing on."""
    for index, text in output_lines(artifact):
        if row := _MOUNTINFO.match(text):
            words = [word.split(":")[0] for word in row["optional"].split()]
            kind = "shared" if "shared" in words else "slave" if "master" in words else "private"
            yield index, row["target"], kind


READER = Reader(
    kind="mount-propagation",
    anchor=expression(r'^(?:.*findmnt .*ropagation|.*PROPAGATION|.*"propagation"|.*/mountinfo|\s*\d+ \d+ .* - sysfs )'),
    read=read,
)

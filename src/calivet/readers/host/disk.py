"""Disk space and inodes: `df`, `df -h`, `df -i`, with or without header, English or Chinese."""

from __future__ import annotations

from calivet.evidence.artifact import Artifact
from calivet.evidence.expressions import expression
from calivet.facts.host import Disk
from calivet.readers.command import asked
from calivet.readers.reader import Reader, Reading
from calivet.readers.subject import FRONT, SPEAKER, subjects

_SIZE = r"(?:\d+(?:[.,]\d+)?[KMGTPE]?i?B?)"
_ROW = expression(
    rf"^\s*{SPEAKER}(?P<device>\S+)\s+(?:[a-z][\w.-]*\s+)?{_SIZE}\s+{_SIZE}\s+{_SIZE}\s+(?P<used>\d+)%\s+(?P<mount>/.*?)\s*$"
)
# A long device name stands on a line of its own, its figures on the next.
_WRAPPED = expression(rf"^\s+{_SIZE}\s+{_SIZE}\s+{_SIZE}\s+(?P<used>\d+)%\s+(?P<mount>/.*?)\s*$")
_HEADER = expression(r"^\s*(?:\S+: +)?(?:Filesystem|文件系统)\s")
_INODE_HEADER = expression(r"\bInodes\b|\bIUse%|Inode")
_INODE_COMMAND = expression(r"\bdf\s+(?:\S+\s+)*?-\w*i")
# Read-only images are always full, and a pod's own mounts repeat the disk that carries them.
_OF_NO_MATTER = expression(
    r"^/(?:snap|media|mnt/cdrom|var/lib/snapd|sys|proc)(?:/|$)"
    r"|/kubelet/pods/|/io\.containerd\.|/docker/(?:overlay2|containers|devicemapper)/|/containers/storage/|/var/run/netns/"
)


def read(artifact: Artifact, anchors: list[int]) -> Reading:
    """One fact for each row of a file system that matters."""
    reading = Reading()
    machines = subjects(artifact)
    inodes = asked(artifact, _INODE_COMMAND) is not None
    for index in anchors:
        line = artifact.lines[index]
        if _HEADER.match(line):
            inodes = _INODE_HEADER.search(line) is not None
            reading.claim(index, index + 1)
        elif row := _ROW.match(line) or _WRAPPED.match(line):
            reading.claim(index, index + 1)
            groups = row.groupdict()
            mount = row["mount"]
            if _OF_NO_MATTER.search(mount) or "/loop" in (groups.get("device") or ""):
                continue
            host = machines.at(index, groups.get("speaker"))
            reading.facts.append(
                Disk(at=artifact.at(index), host=host, mount=mount, used=float(row["used"]), inodes=inodes)
            )
    return reading


READER = Reader(
    kind="disk",
    anchor=expression(rf"^(?:{FRONT}(?:Filesystem|文件系统)\s|.*%\s+/)"),
    read=read,
)
